// Package clock moves the clock that rules leases and deadlines, the
// database's, while both are live, and lets the clocks of the replicas differ.
package clock

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }

const workspace = "default"

var me = work.Supervisor{ID: "me", HostID: "host"}

// lease is long enough for a busy machine to renew it several times.
const lease = 1500 * time.Millisecond

func settings() recovery.Settings {
	s := recovery.Defaults()
	s.Lease, s.Heartbeat, s.SendMargin = lease, lease/5, lease/5
	s.InteractiveDelays = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond}
	return s
}

// bench are two replicas on one database, whose clock the test moves. The
// clocks of the replicas are five minutes fast and five minutes slow.
type bench struct {
	t        *testing.T
	offset   *atomic.Int64 // of the database's clock from the machine's
	stores   []*postgres.Store
	replicas []*service.Service
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, offset: &atomic.Int64{}}
	url := pg.URL(t)
	for _, skew := range []time.Duration{5 * time.Minute, -5 * time.Minute} {
		store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 8, Now: b.now})
		require.NoError(t, err)
		t.Cleanup(store.Close)
		b.stores = append(b.stores, store)
		if len(b.replicas) == 0 {
			_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
			require.NoError(t, err)
		}
		stream := events.New(events.Config{Store: store})
		replica, err := service.New(service.Config{
			Store: store, Classifier: overloaded{}, Stream: stream, Settings: settings(), Now: func() time.Time { return time.Now().Add(skew) },
		})
		require.NoError(t, err)
		b.replicas = append(b.replicas, replica)
		b.background(stream.Run, func(ctx context.Context) { store.Listen(ctx, stream) }, replica.Reconcile)
	}
	t.Cleanup(func() {
		violations, err := b.stores[0].FindViolations(context.WithoutCancel(t.Context()), workspace)
		require.NoError(t, err)
		require.Empty(t, violations)
	})
	return b
}

func (b *bench) background(loops ...func(context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.t.Context()))
	var done sync.WaitGroup
	for _, loop := range loops {
		done.Go(func() { loop(ctx) })
	}
	b.t.Cleanup(func() { cancel(); done.Wait() })
}

// now is the database's clock.
func (b *bench) now() time.Time { return time.Now().Add(time.Duration(b.offset.Load())) }

func (b *bench) step(by time.Duration) { b.offset.Add(int64(by)) }

// overloaded names every failure the same: one that is retried.
type overloaded struct{}

func (overloaded) Classify(evidence.Envelope, bool) classification.Result {
	return classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High, RuleID: "test.overloaded"}
}

func (b *bench) begin(replica int) work.Wakeup {
	begun, err := b.replicas[replica].BeginPrompt(b.t.Context(), work.BeginPrompt{WorkspaceID: workspace, Supervisor: me, Profile: work.Profile{AgentKind: "claude"}})
	require.NoError(b.t, err)
	return begun.Wakeup
}

func (b *bench) claim(replica int, id string, wait time.Duration) (work.Claim, bool) {
	claims, err := b.replicas[replica].ClaimWakeups(b.t.Context(), work.ClaimWakeups{WorkspaceID: workspace, WakeupIDs: []string{id}, Supervisor: me, Wait: wait})
	require.NoError(b.t, err)
	if len(claims.Claims) == 0 {
		return work.Claim{}, false
	}
	c := claims.Claims[0]
	require.False(b.t, c.Run.ClaimedAt.Before(c.DueAt), "early by the clock that rules: due %s, claimed %s", c.DueAt, c.Run.ClaimedAt)
	return c, true
}

func leaseOf(c work.Claim) work.Lease {
	return work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}
}

func (b *bench) run(id string) work.Run {
	r, err := b.replicas[0].GetRun(b.t.Context(), workspace, id)
	require.NoError(b.t, err)
	return r
}

func (b *bench) fail(replica int, c work.Claim) work.Wakeup {
	settled, err := b.replicas[replica].ReportFailure(b.t.Context(), work.ReportFailure{Lease: leaseOf(c), Envelope: evidence.Envelope{
		Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}},
	}})
	require.NoError(b.t, err)
	return settled.Wakeup
}

// deliver claims, sends and delivers a new prompt.
func (b *bench) deliver(replica int) work.Claim {
	c, ok := b.claim(replica, b.begin(replica).ID, 0)
	require.True(b.t, ok)
	_, err := b.replicas[replica].BeginSend(b.t.Context(), leaseOf(c))
	require.NoError(b.t, err)
	_, err = b.replicas[replica].MarkDelivered(b.t.Context(), work.MarkDelivered{Lease: leaseOf(c)})
	require.NoError(b.t, err)
	return c
}
