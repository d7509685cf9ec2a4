package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// decide asks what may follow after an agent ended with exit code 1 and this on
// its standard output. retries is how many have been used for this prompt.
func decide(ctx context.Context, c *client.Client, agent, stdout string, retries int32) (*recoursev1.Decision, error) {
	answer, err := c.Recovery.Decide(ctx, &recoursev1.DecideRequest{
		RetriesUsed: retries,
		Envelope: &recoursev1.EvidenceEnvelope{AgentKind: agent, Signals: []*recoursev1.Signal{
			{Channel: &recoursev1.Signal_Stdout{Stdout: &recoursev1.TextSignal{Text: stdout}}},
			{Channel: &recoursev1.Signal_ProcessExit{ProcessExit: &recoursev1.ProcessExitSignal{ExitCode: new(int32(1))}}},
		}},
	})
	if err != nil {
		return nil, err
	}
	return answer.GetDecision(), nil
}

// An orchestrator that keeps its own state asks for each failure.
func Example() {
	c, err := client.New("http://127.0.0.1:8080", os.Getenv("AGENTCTL_TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	decision, err := decide(context.Background(), c, "claude", "API Error: 529 Overloaded", 0)
	var f *fault.Error
	switch {
	case errors.As(err, &f) && f.RetryAfter > 0:
		fmt.Println("ask again in", f.RetryAfter)
	case err != nil:
		os.Exit(client.ExitCode(err))
	case decision.GetAction() == recoursev1.Action_ACTION_RETRY:
		fmt.Println("again at", decision.GetRetryAt().AsTime())
	default:
		fmt.Println("stop:", decision.GetReason())
	}
}
