package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/clients/go/worker"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// workerVariable makes this program a worker instead of a test: a JSON order.
const workerVariable = "TEST_FLEET_WORKER"

// order is what a worker process is told.
type order struct {
	Server, Token, Name string
	Ledger              ledger
}

const jobsPerWorker = 4

// asWorker is the program as a worker, until its standard input ends: also
// when the test is gone.
func asWorker(raw string) int {
	var o order
	if err := json.Unmarshal([]byte(raw), &o); err != nil {
		return 2
	}
	c, err := client.New(o.Server, o.Token)
	if err != nil {
		return 2
	}
	defer c.Close()
	c.Recovery = &acknowledged{c.Recovery, o.Ledger}
	ctx, stop := context.WithCancel(context.Background())
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); stop() }()
	err = worker.Run(ctx, worker.Config{
		Client: c, Concurrency: jobsPerWorker, Supervisor: &v1.Supervisor{SupervisorId: o.Name, HostId: o.Name}, Handle: o.handle,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// handle is the agent: it delivers a prompt into the ledger. The first delivery
// of a prompt fails without effects, the next succeeds.
func (o order) handle(ctx context.Context, job *worker.Job) worker.Outcome {
	id, run := job.Wakeup.GetWakeupId(), job.Run.GetRunId()
	first := false
	err := job.Send(ctx, func(context.Context) error {
		earlier, err := o.Ledger.read(id)
		if err == nil {
			first = len(deliveries(earlier)) == 0
			err = o.Ledger.write(id, entry{delivered, run})
		}
		if err != nil {
			panic(err) // nobody could say any more what was delivered
		}
		return nil
	})
	if err != nil {
		return worker.NotSent(err)
	}
	_ = job.Delivered(ctx, "") // a refusal is followed by one of the report
	if first {
		return worker.Failed(overloaded())
	}
	return worker.Succeeded(effects(v1.Effect_EFFECT_SEEN))
}

func effects(output v1.Effect) *v1.Effects {
	none := v1.Effect_EFFECT_NONE
	return &v1.Effects{AssistantOutput: output, ToolActivity: none, PartialResult: none, Delivery: v1.Delivery_DELIVERY_ACKNOWLEDGED}
}

// overloaded is what a provider answers that had no time for the prompt.
func overloaded() *v1.EvidenceEnvelope {
	return &v1.EvidenceEnvelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: v1.Phase_PHASE_PRE_OUTPUT, Effects: effects(v1.Effect_EFFECT_NONE),
		Signals: []*v1.Signal{{Channel: &v1.Signal_Http{Http: &v1.HttpSignal{
			Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		}}}},
	}
}

// acknowledged keeps in the ledger what a worker was told to be recorded.
type acknowledged struct {
	recoursev1connect.RecoveryServiceClient
	ledger ledger
}

func (a *acknowledged) MarkDelivered(ctx context.Context, in *v1.MarkDeliveredRequest) (*v1.MarkDeliveredResponse, error) {
	out, err := a.RecoveryServiceClient.MarkDelivered(ctx, in)
	return out, a.keep("MarkDelivered", out.GetRun(), err)
}

func (a *acknowledged) ReportFailure(ctx context.Context, in *v1.ReportFailureRequest) (*v1.ReportFailureResponse, error) {
	out, err := a.RecoveryServiceClient.ReportFailure(ctx, in)
	return out, a.keep("ReportFailure", out.GetRun(), err)
}

func (a *acknowledged) ReportSuccess(ctx context.Context, in *v1.ReportSuccessRequest) (*v1.ReportSuccessResponse, error) {
	out, err := a.RecoveryServiceClient.ReportSuccess(ctx, in)
	return out, a.keep("ReportSuccess", out.GetRun(), err)
}

func (a *acknowledged) keep(call string, run *v1.Run, err error) error {
	if err != nil {
		return err
	}
	if err := a.ledger.write(run.GetWakeupId(), entry{call, run.GetRunId()}); err != nil {
		panic(err)
	}
	return nil
}
