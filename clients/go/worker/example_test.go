package worker_test

import (
	"context"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/clients/go/worker"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// handle runs an agent that reads its prompt from standard input. Its output
// cannot show whether tools ran, so that it is told as unknown.
func handle(ctx context.Context, job *worker.Job) worker.Outcome {
	var out, problems strings.Builder
	agent := exec.CommandContext(ctx, "claude", "-p")
	agent.Stdin, agent.Stdout, agent.Stderr = strings.NewReader(job.Payload), &out, &problems
	if err := job.Send(ctx, func(context.Context) error { return agent.Start() }); err != nil {
		return worker.NotSent(err)
	}
	if err := job.Delivered(ctx, ""); err != nil {
		log.Print("the server does not know of the delivery: ", err)
	}
	if err := agent.Wait(); err == nil && out.Len() > 0 {
		return worker.Succeeded(&recoursev1.Effects{AssistantOutput: recoursev1.Effect_EFFECT_SEEN})
	}
	code := int32(agent.ProcessState.ExitCode())
	return worker.Failed(&recoursev1.EvidenceEnvelope{AgentKind: "claude", Signals: []*recoursev1.Signal{
		{Channel: &recoursev1.Signal_Stderr{Stderr: &recoursev1.TextSignal{Text: problems.String()}}},
		{Channel: &recoursev1.Signal_ProcessExit{ProcessExit: &recoursev1.ProcessExitSignal{ExitCode: &code}}},
	}})
}

// A worker that runs two prompts at a time until it is interrupted.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c, err := client.New("http://127.0.0.1:8080", os.Getenv("AGENTCTL_TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	host, _ := os.Hostname()
	err = worker.Run(ctx, worker.Config{
		Client: c, Concurrency: 2, Handle: handle,
		Supervisor: &recoursev1.Supervisor{SupervisorId: "example", HostId: host},
	})
	if err != nil {
		log.Print(err)
	}
}
