package worker_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/clients/go/worker"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

const (
	none = recoursev1.Effect_EFFECT_NONE
	seen = recoursev1.Effect_EFFECT_SEEN
)

var (
	me       = &recoursev1.Supervisor{SupervisorId: "worker", HostId: "host"}
	answered = &recoursev1.Effects{AssistantOutput: seen, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED}
	nothing  = &recoursev1.Effects{AssistantOutput: none, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED}
)

type bench struct {
	t      *testing.T
	client *client.Client
	faults *faulty
}

// shortLease ends soon, and still leaves a busy machine the time to send.
const shortLease = 4 * time.Second

// await bounds the wait for what a job tells.
func await[T any](t *testing.T, c <-chan T) (told T) {
	t.Helper()
	select {
	case told = <-c:
	case <-time.After(time.Minute):
		t.Fatal("the job does not get there")
	}
	return told
}

// setup starts a server with this lease.
func setup(t *testing.T, lease time.Duration) *bench {
	t.Helper()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.Lease = lease }))
	c := s.Client(t, s.Token(t, recoursev1.Role_ROLE_ADMIN))
	b := &bench{t: t, client: c, faults: &faulty{RecoveryServiceClient: c.Recovery}}
	return b
}

// worked is the client of the worker: its calls may fail.
func (b *bench) worked() *client.Client {
	c := *b.client
	c.Recovery = b.faults
	return &c
}

// faulty cuts the way to the server, before a call or after it.
type faulty struct {
	recoursev1connect.RecoveryServiceClient
	down      atomic.Bool  // no call arrives
	lostSends atomic.Int32 // so many answers to BeginSend get lost
	lostEnds  atomic.Int32 // so many answers to reports get lost
}

var away = fault.New(fault.Unavailable, client.ReasonUnreachable, "the server cannot be reached")

func (f *faulty) ClaimWakeups(ctx context.Context, r *recoursev1.ClaimWakeupsRequest) (*recoursev1.ClaimWakeupsResponse, error) {
	if f.down.Load() {
		return nil, away
	}
	return f.RecoveryServiceClient.ClaimWakeups(ctx, r)
}

func (f *faulty) HeartbeatRun(ctx context.Context, r *recoursev1.HeartbeatRunRequest) (*recoursev1.HeartbeatRunResponse, error) {
	if f.down.Load() {
		return nil, away
	}
	return f.RecoveryServiceClient.HeartbeatRun(ctx, r)
}

func (f *faulty) BeginSend(ctx context.Context, r *recoursev1.BeginSendRequest) (*recoursev1.BeginSendResponse, error) {
	answer, err := f.RecoveryServiceClient.BeginSend(ctx, r)
	if f.lostSends.Add(-1) >= 0 {
		return nil, away
	}
	return answer, err
}

func (f *faulty) ReportSuccess(ctx context.Context, r *recoursev1.ReportSuccessRequest) (*recoursev1.ReportSuccessResponse, error) {
	if f.down.Load() {
		return nil, away
	}
	answer, err := f.RecoveryServiceClient.ReportSuccess(ctx, r)
	if f.lostEnds.Add(-1) >= 0 {
		return nil, away
	}
	return answer, err
}

func (b *bench) enqueue(prompt string) *recoursev1.Wakeup {
	b.t.Helper()
	answer, err := b.client.Recovery.BeginPrompt(b.t.Context(), &recoursev1.BeginPromptRequest{
		Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: prompt,
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic"},
	})
	require.NoError(b.t, err)
	return answer.GetWakeup()
}

// work runs a worker until stop is called, which returns what Run did.
func (b *bench) work(cfg worker.Config) (stop func() error) {
	b.t.Helper()
	cfg.Client, cfg.Supervisor = b.worked(), me
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, cfg) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { cancel(); err = <-ended })
		return err
	}
	b.t.Cleanup(func() { _ = stop() })
	return stop
}

// becomes waits until the wakeup has a status, and returns it.
func (b *bench) becomes(id string, status recoursev1.WakeupStatus) *recoursev1.Wakeup {
	b.t.Helper()
	var w *recoursev1.Wakeup
	require.Eventually(b.t, func() bool {
		answer, err := b.client.Recovery.GetWakeup(b.t.Context(), &recoursev1.GetWakeupRequest{WakeupId: id})
		if err != nil {
			return false
		}
		w = answer.GetWakeup()
		return w.GetStatus() == status
	}, 30*time.Second, 10*time.Millisecond)
	return w
}

func overloaded() *recoursev1.EvidenceEnvelope {
	return &recoursev1.EvidenceEnvelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT, Effects: nothing,
		Signals: []*recoursev1.Signal{{Channel: &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{
			Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		}}}},
	}
}
