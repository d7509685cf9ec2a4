package due

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// BenchmarkHeldSnapshot compares the rate of claims and successes without and
// with an old snapshot, as of a backup that takes long.
func BenchmarkHeldSnapshot(b *testing.B) {
	c := start(b, 1)
	c.seed(snapshotStock, "free", longAgo)
	c.cycle(snapshotFor / 4)
	c.analyze()
	c.cycle(snapshotFor / 4) // caches warm up
	free := c.counted(snapshotFor)
	c.empty()
	c.seed(snapshotStock, "held", longAgo)
	tx, err := c.pool.BeginTx(b.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	require.NoError(b, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(b.Context())) }()
	var seen int
	require.NoError(b, tx.QueryRow(b.Context(), `SELECT count(*) FROM wakeups`).Scan(&seen))
	held := c.counted(snapshotFor)
	later := c.counted(snapshotFor)
	b.Logf("without: %s; with a held snapshot: %s, then %s", free, held, later)
	b.ReportMetric(later.rate()/free.rate(), "held-rate-ratio")
	b.ReportMetric(free.blocks/later.blocks, "held-blocks-ratio")
	b.ReportMetric(free.rate(), "cycles/s")
	b.ReportMetric(0, "ns/op")
}

// longAgo is due already, in the order of making.
const longAgo = `now() - interval '1 day' + i * interval '1 millisecond'`

// counts are the cycles of a while. The blocks that PostgreSQL looked at for
// each do not depend on what else the machine does.
type counts struct {
	cycles int
	span   time.Duration
	blocks float64
}

func (c counts) rate() float64 { return float64(c.cycles) / c.span.Seconds() }

func (c counts) String() string {
	return fmt.Sprintf("%.0f cycles/s, %.0f blocks each", c.rate(), c.blocks)
}

func (c *cluster) counted(d time.Duration) counts {
	before := c.blocks()
	n := c.cycle(d)
	return counts{cycles: n, span: d, blocks: float64(c.blocks()-before) / float64(max(n, 1))}
}

// blocks is what all backends of the database have looked at.
func (c *cluster) blocks() int64 {
	var n int64
	_, err := c.pool.Exec(c.b.Context(), `SELECT pg_stat_force_next_flush()`)
	require.NoError(c.b, err)
	require.NoError(c.b, c.pool.QueryRow(c.b.Context(), `SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()`).Scan(&n))
	return n
}

// analyze does what autovacuum does in the first minute of a database. Before
// it, plans that were made for empty tables are used for full ones.
func (c *cluster) analyze() {
	_, err := c.pool.Exec(c.b.Context(), `ANALYZE`)
	require.NoError(c.b, err)
}

// empty lets nothing be due any more.
func (c *cluster) empty() {
	_, err := c.pool.Exec(c.b.Context(), `UPDATE wakeups SET due_at = now() + interval '1 day' WHERE due_at IS NOT NULL`)
	require.NoError(c.b, err)
}

// cycle claims and finishes for a while with eight workers; it returns how many.
func (c *cluster) cycle(d time.Duration) int {
	ctx, cancel := context.WithTimeout(c.b.Context(), d)
	defer cancel()
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for ctx.Err() == nil {
				got, err := c.services[0].ClaimWakeups(ctx, work.ClaimWakeups{WorkspaceID: workspace, MaxClaims: perClaim, Supervisor: worker, Wait: 30 * time.Second})
				if err != nil {
					continue
				}
				for _, claim := range got.Claims {
					if c.finish(claim) {
						mu.Lock()
						n++
						mu.Unlock()
					}
				}
			}
		})
	}
	wg.Wait()
	return n
}

func (c *cluster) finish(claim work.Claim) bool {
	ctx := context.WithoutCancel(c.b.Context())
	lease := work.Lease{WorkspaceID: workspace, RunID: claim.Run.ID, Token: claim.LeaseToken}
	if _, err := c.services[0].BeginSend(ctx, lease); err != nil {
		return false
	}
	_, err := c.stores[0].SucceedRun(ctx, work.Request{}, lease, work.Success{Token: claim.LeaseToken, Effects: evidence.NoEffects(), Settings: recovery.Defaults()})
	return err == nil
}
