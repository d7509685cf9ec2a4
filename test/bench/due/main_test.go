// Package due measures how late work that is due is given to workers, what
// waiting costs, and what an old snapshot costs. Figures are worth something
// only beside others of the same run.
package due

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	"github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }

const (
	workspace = "default"
	replicas  = 3
	callers   = 4 // of each replica, that wait for work
	perClaim  = 10
)

var worker = work.Supervisor{ID: "worker", HostID: "host"}

// cluster is some servers on one durable database.
type cluster struct {
	b        *testing.B
	url      string
	pool     *pgxpool.Pool // the benchmark's own
	services []*recovery.Service
	stores   []*postgres.Store
	asked    atomic.Int64 // statements of the servers
}

type unclassified struct{}

func (unclassified) Classify(evidence.Envelope, bool) classification.Result {
	return classification.Result{}
}

// TraceQueryStart implements pgx.QueryTracer.
func (c *cluster) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.asked.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (c *cluster) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func start(b *testing.B, servers int) *cluster {
	b.Helper()
	c := &cluster{b: b, url: pg.Durable(b).URL()}
	var err error
	c.pool, err = pgxpool.New(b.Context(), c.url)
	require.NoError(b, err)
	b.Cleanup(c.pool.Close)
	for range servers {
		c.serve()
	}
	_, err = c.stores[0].Bootstrap(b.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(b, err)
	return c
}

func (c *cluster) serve() {
	store, err := postgres.Open(c.b.Context(), postgres.Config{URL: c.url, Tracer: c})
	require.NoError(c.b, err)
	stream := events.New(events.Config{Store: store})
	s, err := recovery.New(recovery.Config{Store: store, Classifier: unclassified{}, Stream: stream})
	require.NoError(c.b, err)
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	loops.Go(func() { stream.Run(ctx) })
	loops.Go(func() { s.Reconcile(ctx) })
	loops.Go(func() { store.Listen(ctx, stream) })
	c.b.Cleanup(func() { cancel(); loops.Wait(); store.Close() })
	c.services, c.stores = append(c.services, s), append(c.stores, store)
}

// seed makes n queued wakeups that workers deliver. due is SQL for the instant
// of the i-th, from 0.
func (c *cluster) seed(n int, batch, due string) {
	c.b.Helper()
	for _, statement := range []string{
		`INSERT INTO sessions (workspace_id, session_id, state, generation, native_session_id, replied, version, created_at, updated_at)
			SELECT 'default', md5('session' || $2 || i)::uuid, 'idle', 1, '', false, 1, now(), now() FROM generate_series(0, $1::int - 1) i`,
		`INSERT INTO wakeups (workspace_id, wakeup_id, session_id, generation, status, status_reason, source, due_at, attention, run_count,
				transient_retries, transient_waited, hard_retries, hard_waited, park_count, waited_us, last_code, supervisor_id, host_id,
				next_send, native_session_id, version, created_at, updated_at, delivery)
			SELECT 'default', md5('wakeup' || $2 || i)::uuid, md5('session' || $2 || i)::uuid, 1, 'queued', '', 'user_prompt', ` + due + `, '', 0,
				0, false, 0, false, 0, 0, '', '', '', 'prompt', '', 1, now(), now(), 'worker' FROM generate_series(0, $1::int - 1) i`,
		`INSERT INTO wakeup_details (workspace_id, wakeup_id, profile, error_message)
			SELECT 'default', md5('wakeup' || $2 || i)::uuid, '{}', '' FROM generate_series(0, $1::int - 1) i`,
		`INSERT INTO wakeup_prompts (workspace_id, wakeup_id, prompt)
			SELECT 'default', md5('wakeup' || $2 || i)::uuid, repeat('p', 1024) FROM generate_series(0, $1::int - 1) i`,
	} {
		_, err := c.pool.Exec(c.b.Context(), statement, n, batch)
		require.NoError(c.b, err)
	}
}

// claimed is one claim as its caller got it.
type claimed struct {
	work.Claim
	at     time.Time
	server int
}

// serveCallers lets callers of every server claim until n are claimed.
func (c *cluster) claimAll(n, callers int) []claimed {
	var mu sync.Mutex
	all := make([]claimed, 0, n)
	ctx, done := context.WithCancel(c.b.Context())
	defer done()
	var wg sync.WaitGroup
	for server, s := range c.services {
		for range callers {
			wg.Go(func() {
				for ctx.Err() == nil {
					got, err := s.ClaimWakeups(ctx, work.ClaimWakeups{WorkspaceID: workspace, MaxClaims: perClaim, Supervisor: worker, Wait: 30 * time.Second})
					if err != nil {
						continue
					}
					now := time.Now()
					mu.Lock()
					for _, claim := range got.Claims {
						all = append(all, claimed{Claim: claim, at: now, server: server})
					}
					if len(all) >= n {
						done()
					}
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	return all
}

// lateness of claims, sorted. The instant is that of the wakeup before its
// claim; nothing is early, and nothing comes twice.
func (c *cluster) lateness(all []claimed, dueAt map[string]time.Time) []time.Duration {
	late := make([]time.Duration, 0, len(all))
	seen := map[string]bool{}
	for _, one := range all {
		id := one.Wakeup.ID
		require.False(c.b, seen[id], "twice")
		seen[id] = true
		due := dueAt[id]
		require.False(c.b, one.Run.ClaimedAt.Before(due), "early")
		late = append(late, one.at.Sub(due))
	}
	require.Len(c.b, late, len(dueAt), "all of them")
	slices.Sort(late)
	return late
}

func (c *cluster) dueAt() map[string]time.Time {
	rows, err := c.pool.Query(c.b.Context(), `SELECT wakeup_id::text, due_at FROM wakeups WHERE due_at IS NOT NULL`)
	require.NoError(c.b, err)
	out := map[string]time.Time{}
	for rows.Next() {
		var id string
		var at time.Time
		require.NoError(c.b, rows.Scan(&id, &at))
		out[id] = at
	}
	require.NoError(c.b, rows.Err())
	return out
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

func report(b *testing.B, late []time.Duration) {
	for name, q := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99, "max-ms": 1} {
		b.ReportMetric(float64(quantile(late, q).Microseconds())/1000, name)
	}
	b.ReportMetric(0, "ns/op")
}

func perSecond(n int, d time.Duration) string { return fmt.Sprintf("%.0f/s", float64(n)/d.Seconds()) }
