package recovery_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// replica is another service on the same database, with its events running.
func replica(t *testing.T, url string, settings recovery.Settings, tracer pgx.QueryTracer) (*service.Service, *postgres.Store) {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 8, Tracer: tracer})
	require.NoError(t, err)
	stream := events.New(events.Config{Store: store})
	s, err := service.New(service.Config{Store: store, Classifier: &scripted{result: overloaded}, Stream: stream, Settings: settings})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	loops.Go(func() { stream.Run(ctx) })
	loops.Go(func() { store.Listen(ctx, stream) })
	t.Cleanup(func() { cancel(); loops.Wait(); store.Close() })
	return s, store
}

// counter counts what is asked of the database.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestAnotherReplicasPromptReachesAWaitingWorker(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	url := b.store.Pool().Config().ConnString()
	here, _ := replica(t, url, quick(), nil)
	there, _ := replica(t, url, quick(), nil)
	for range 5 {
		got := make(chan work.Claims, 1)
		waiting := make(chan struct{})
		go func() {
			close(waiting)
			claims, err := there.ClaimWakeups(t.Context(), anyOf(1, 20*time.Second))
			require.NoError(t, err)
			got <- claims
		}()
		<-waiting
		began := time.Now()
		_, err := here.BeginPrompt(t.Context(), work.BeginPrompt{WorkspaceID: workspace, Delivery: work.DeliveryWorker, Prompt: "p"})
		require.NoError(t, err)
		require.Len(t, (<-got).Claims, 1)
		require.Less(t, time.Since(began), 3*time.Second, "before anybody looks around")
	}
}

// Three workers that wait cost an idle server less than two statements a
// second, however long they wait.
func TestIdleWorkersCostNearlyNothing(t *testing.T) {
	t.Parallel()
	url := pg.URL(t)
	store, err := postgres.Open(t.Context(), postgres.Config{URL: url})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	var asked counter
	s, _ := replica(t, url, quick(), &asked)
	const seconds = 6
	ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { _, _ = s.ClaimWakeups(ctx, anyOf(1, 30*time.Second)) })
	}
	wg.Wait()
	require.Less(t, asked.n.Load(), int64(2*seconds), "statements in %d s", seconds)
}
