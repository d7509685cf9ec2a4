package postgres_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// The rates are worth something only as ratios within one run: what a durable
// single-row insert costs on this machine is the line to compare with.

const clients = 8

// parallel spreads b.N calls over the clients.
func parallel(b *testing.B, call func(ctx context.Context) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ResetTimer()
	for range clients {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := call(b.Context()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func BenchmarkDurable(b *testing.B) {
	url := pg.Durable(b).URL()
	pool, err := pgxpool.New(b.Context(), url)
	require.NoError(b, err)
	defer pool.Close()
	_, err = pool.Exec(b.Context(), `CREATE TABLE floor (id uuid PRIMARY KEY, payload text)`)
	require.NoError(b, err)
	store, err := postgres.Open(b.Context(), postgres.Config{URL: url})
	require.NoError(b, err)
	defer store.Close()
	_, err = store.Bootstrap(b.Context(), access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(b, err)
	b.Run("floor: insert one row", func(b *testing.B) {
		const payload = "x"
		parallel(b, func(ctx context.Context) error {
			_, err := pool.Exec(ctx, `INSERT INTO floor VALUES ($1, repeat($2, 1024))`, uuid.Must(uuid.NewV7()), payload)
			return err
		})
	})
	b.Run("begin a prompt", func(b *testing.B) {
		parallel(b, func(ctx context.Context) error { _, err := begin(ctx, store); return err })
	})
	b.Run("begin, claim, send, deliver, fail", func(b *testing.B) {
		parallel(b, func(ctx context.Context) error { return failOnce(ctx, store) })
	})
	b.Run("heartbeat", func(b *testing.B) {
		leases := make(chan work.Lease, clients) // each client its own run
		for range clients {
			_, lease, err := claimed(b.Context(), store)
			require.NoError(b, err)
			leases <- lease
		}
		parallel(b, func(ctx context.Context) error {
			lease := <-leases
			defer func() { leases <- lease }()
			_, err := store.RenewLease(ctx, lease, recovery.Defaults())
			return err
		})
	})
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func begin(ctx context.Context, store *postgres.Store) (work.Begun, error) {
	return store.BeginPrompt(ctx, work.Request{WorkspaceID: "default", ID: newID(), BodyHash: work.HashToken("body")},
		work.BeginPrompt{WorkspaceID: "default", Profile: work.Profile{AgentKind: "claude", Provider: "anthropic"}},
		work.BeginIDs{SessionID: newID(), WakeupID: newID()})
}

func claimed(ctx context.Context, store *postgres.Store) (work.Claim, work.Lease, error) {
	begun, err := begin(ctx, store)
	if err != nil {
		return work.Claim{}, work.Lease{}, err
	}
	claim, err := store.ClaimWakeup(ctx, "default", begun.Wakeup.ID, work.ClaimRequest{RunID: newID(), TokenHash: work.HashToken("lease"), Settings: recovery.Defaults()})
	return claim, work.Lease{WorkspaceID: "default", RunID: claim.Run.ID, Token: "lease"}, err
}

func failOnce(ctx context.Context, store *postgres.Store) error {
	_, lease, err := claimed(ctx, store)
	if err != nil {
		return err
	}
	if _, err := store.BeginSend(ctx, lease, recovery.Defaults()); err != nil {
		return err
	}
	if _, err := store.MarkDelivered(ctx, work.MarkDelivered{Lease: lease}, recovery.Defaults()); err != nil {
		return err
	}
	_, err = store.FailRun(ctx, work.Request{}, lease, work.Failure{
		Token: lease.Token, Settings: recovery.Defaults(), ErrorMessage: "529 overloaded",
		Result:   classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High},
		Envelope: evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}}},
	})
	return err
}
