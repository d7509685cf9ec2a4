package recovery_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }

const workspace = "default"

// bench is a service on a database of its own, with the real clock and short
// delays.
type bench struct {
	t        *testing.T
	store    *postgres.Store
	service  *service.Service
	classify *scripted
}

// scripted names every failure the same, and keeps what it was shown.
type scripted struct {
	mu     sync.Mutex
	result classification.Result
	seen   []evidence.Envelope
}

func (s *scripted) Classify(e evidence.Envelope, _ bool) classification.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, e)
	return s.result
}

var overloaded = classification.Result{
	Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High, RuleID: "test.overloaded",
}

// quick are settings whose waits a test can wait for.
func quick() recovery.Settings {
	s := recovery.Defaults()
	s.InteractiveDelays = []time.Duration{60 * time.Millisecond, time.Hour}
	return s
}

func setup(t *testing.T, settings recovery.Settings) *bench {
	t.Helper()
	return setupWith(t, service.Config{Settings: settings})
}

// setupWith fills in what every test has.
func setupWith(t *testing.T, config service.Config) *bench {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Config{URL: pg.URL(t), MaxConns: 8})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	b := &bench{t: t, store: store, classify: &scripted{result: overloaded}}
	config.Store, config.Classifier, config.Stream = store, b.classify, events.New(events.Config{Store: store})
	config.Jitter = func() float64 { return 0 }
	b.service, err = service.New(config)
	require.NoError(t, err)
	t.Cleanup(func() {
		violations, err := store.FindViolations(context.WithoutCancel(t.Context()), workspace)
		require.NoError(t, err)
		require.Empty(t, violations)
	})
	return b
}

var me = work.Supervisor{ID: "me", HostID: "host"}

func (b *bench) begin() work.Begun {
	begun, err := b.service.BeginPrompt(b.t.Context(), work.BeginPrompt{WorkspaceID: workspace, Supervisor: me, Profile: work.Profile{AgentKind: "claude"}})
	require.NoError(b.t, err)
	return begun
}

func claimOf(wait time.Duration, ids ...string) work.ClaimWakeups {
	return work.ClaimWakeups{WorkspaceID: workspace, WakeupIDs: ids, Supervisor: me, Wait: wait}
}

func (b *bench) claim(id string) work.Claim {
	claims, err := b.service.ClaimWakeups(b.t.Context(), claimOf(0, id))
	require.NoError(b.t, err)
	require.Len(b.t, claims.Claims, 1)
	return claims.Claims[0]
}

func leaseOf(c work.Claim) work.Lease {
	return work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}
}

func (b *bench) deliver(c work.Claim) {
	sending, err := b.service.BeginSend(b.t.Context(), leaseOf(c))
	require.NoError(b.t, err)
	require.Equal(b.t, b.service.Settings().Lease-b.service.Settings().SendMargin, sending.SendWithin)
	_, err = b.service.MarkDelivered(b.t.Context(), work.MarkDelivered{Lease: leaseOf(c)})
	require.NoError(b.t, err)
}

func printed(texts ...string) evidence.Envelope {
	return evidence.Envelope{
		Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(),
		Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: strings.Join(texts, "\n")}},
	}
}

func (b *bench) fail(c work.Claim) work.Settled {
	settled, err := b.service.ReportFailure(b.t.Context(), work.ReportFailure{Lease: leaseOf(c), Envelope: printed("529 overloaded")})
	require.NoError(b.t, err)
	return settled
}

// waiting is a wakeup that waits for its n-th retry.
func (b *bench) waiting(n int) work.Wakeup {
	id := b.begin().Wakeup.ID
	var w work.Wakeup
	for range n {
		claims, err := b.service.ClaimWakeups(b.t.Context(), claimOf(10*time.Second, id))
		require.NoError(b.t, err)
		b.deliver(claims.Claims[0])
		w = b.fail(claims.Claims[0]).Wakeup
	}
	require.Equal(b.t, recovery.WakeupScheduledRetry, w.Status)
	return w
}

func (b *bench) refused(err error, reason fault.Reason) *fault.Error {
	b.t.Helper()
	require.Error(b.t, err)
	require.Equal(b.t, reason, fault.From(err).Reason, "%v", err)
	return fault.From(err)
}
