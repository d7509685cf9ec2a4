package due

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/work"
)

// BenchmarkWaiting is many retries that wait for hours, three workers that wait
// for them, and one prompt among them.
func BenchmarkWaiting(b *testing.B) {
	c := start(b, 1)
	c.seed(waiting, "waiting", `now() + interval '1 hour' + i * interval '1 second'`)
	ctx, cancel := context.WithCancel(b.Context())
	got := make(chan time.Time, 1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				claims, err := c.services[0].ClaimWakeups(ctx, work.ClaimWakeups{WorkspaceID: workspace, Supervisor: worker, Wait: 30 * time.Second})
				if err == nil && len(claims.Claims) > 0 {
					got <- time.Now()
				}
			}
		})
	}
	settle := time.NewTimer(time.Second)
	<-settle.C
	asked, spent := c.asked.Load(), cpu(b)
	idle := time.NewTimer(idleFor)
	<-idle.C
	queries := float64(c.asked.Load()-asked) / idleFor.Seconds()
	b.ReportMetric(queries, "idle-queries/s")
	b.ReportMetric(float64((cpu(b)-spent).Microseconds())/1000/idleFor.Seconds(), "idle-cpu-ms/s")
	require.Less(b, queries, 2.0)
	began := time.Now()
	_, err := c.services[0].BeginPrompt(b.Context(), work.BeginPrompt{WorkspaceID: workspace, Delivery: work.DeliveryWorker, Prompt: "now"})
	require.NoError(b, err)
	b.ReportMetric(float64((<-got).Sub(began).Microseconds())/1000, "begin-to-claim-ms")
	b.ReportMetric(0, "ns/op")
	cancel()
	wg.Wait()
}
