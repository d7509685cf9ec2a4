// Package linear shoots many clients at two replicas of the real server, cuts
// some of their connections, and checks what they were told: every history of
// a wakeup must be one that a single machine could have produced.
package linear

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { servertest.Main(m) }

const replicaCount = 2

// bench are replicas on one database, with clients that reach them in turn.
type bench struct {
	t       *testing.T
	servers []*servertest.Server
	store   *postgres.Store // to look for violations
}

func setup(t *testing.T) *bench {
	t.Helper()
	url, data := pg.URL(t), t.TempDir()
	b := &bench{t: t}
	for range replicaCount {
		share := func(s *servertest.Server) { s.Data = data }
		b.servers = append(b.servers, servertest.Start(t, share, servertest.Configure(func(c *config.Config) {
			c.DatabaseURL, c.Data = url, data
		})))
	}
	store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 2})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	b.store = store
	return b
}

// client i calls replica i modulo their number.
func (b *bench) client(i int, options ...client.Option) *client.Client {
	s := b.servers[i%len(b.servers)]
	return s.Client(b.t, b.servers[0].AdminToken, options...)
}

func (b *bench) requireSound() {
	b.t.Helper()
	violations, err := b.store.FindViolations(context.WithoutCancel(b.t.Context()), "default")
	require.NoError(b.t, err)
	require.Empty(b.t, violations)
}

var me = &v1.Supervisor{SupervisorId: "supervisor", HostId: "host"}

func begin(ctx context.Context, c *client.Client, sessionID string) (*v1.Wakeup, error) {
	answer, err := c.Recovery.BeginPrompt(ctx, &v1.BeginPromptRequest{
		SessionId: sessionID, Delivery: v1.DeliveryMode_DELIVERY_MODE_CALLER, Supervisor: me,
		Profile: &v1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic"},
	})
	return answer.GetWakeup(), err
}

func claim(ctx context.Context, c *client.Client, wakeupID string) (*v1.Claim, error) {
	answer, err := c.Recovery.ClaimWakeups(ctx, &v1.ClaimWakeupsRequest{WakeupIds: []string{wakeupID}, Supervisor: me})
	if err != nil || len(answer.GetClaims()) == 0 {
		return nil, err
	}
	return answer.GetClaims()[0], nil
}

// overloaded is a failure without any effect, which the policy retries.
func overloaded(runID, token string) *v1.ReportFailureRequest {
	none := v1.Effect_EFFECT_NONE
	return &v1.ReportFailureRequest{RunId: runID, LeaseToken: token, Envelope: &v1.EvidenceEnvelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: v1.Phase_PHASE_PRE_OUTPUT,
		Effects: &v1.Effects{AssistantOutput: none, ToolActivity: none, PartialResult: none, Delivery: v1.Delivery_DELIVERY_ACKNOWLEDGED},
		Signals: []*v1.Signal{{Channel: &v1.Signal_Http{Http: &v1.HttpSignal{
			Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		}}}},
	}}
}

// together starts every function at once and returns their errors.
func together(fs ...func() error) []error {
	errs := make([]error, len(fs))
	start := make(chan struct{})
	var done sync.WaitGroup
	for i, f := range fs {
		done.Go(func() {
			<-start
			errs[i] = f()
		})
	}
	close(start)
	done.Wait()
	return errs
}

var errCut = errors.New("the connection was cut")

// cutting is a way to the server on which every so many calls lose their
// connection: after the answer was on its way, or at any moment before.
type cutting struct {
	inner http.RoundTripper
	every int
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	switch rand.IntN(2 * c.every) {
	case 0: // all of the answer is lost
		answer, err := c.inner.RoundTrip(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		return nil, errCut
	case 1: // the connection is closed under the request
		ctx, cut := context.WithTimeout(r.Context(), time.Duration(rand.IntN(3000))*time.Microsecond)
		defer cut()
		if answer, err := c.inner.RoundTrip(r.WithContext(ctx)); err == nil {
			_ = answer.Body.Close()
		}
		return nil, errCut
	}
	return c.inner.RoundTrip(r)
}

// reasonOf is "" for a success and for a call whose answer was lost.
func reasonOf(err error) (reason fault.Reason, lost bool) {
	if err == nil {
		return "", false
	}
	f := fault.From(err)
	return f.Reason, errors.Is(err, errCut) || f.Reason == client.ReasonUnreachable || f.Kind == fault.Canceled || f.Kind == fault.DeadlineExceeded
}
