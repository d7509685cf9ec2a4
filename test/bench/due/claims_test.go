package due

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/work"
)

// BenchmarkClaimsAtOnce is as many callers as there are wakeups, all at once, on
// the connections of one server.
func BenchmarkClaimsAtOnce(b *testing.B) {
	c := start(b, 1)
	c.seed(atOnce, "at once", `now()`)
	var mu sync.Mutex
	got := map[string]bool{}
	var slowest time.Duration
	ready, wg := make(chan struct{}), sync.WaitGroup{}
	for range atOnce {
		wg.Go(func() {
			<-ready
			began := time.Now()
			claims, err := c.services[0].ClaimWakeups(b.Context(), work.ClaimWakeups{WorkspaceID: workspace, Supervisor: worker, Wait: 30 * time.Second})
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || len(claims.Claims) != 1 || got[claims.Claims[0].Wakeup.ID] {
				b.Errorf("%d claims, %v", len(claims.Claims), err)
				return
			}
			got[claims.Claims[0].Wakeup.ID] = true
			slowest = max(slowest, took)
		})
	}
	began := time.Now()
	close(ready)
	wg.Wait()
	require.Len(b, got, atOnce)
	b.Logf("%d callers, the slowest was answered after %s: %s", atOnce, slowest, perSecond(atOnce, time.Since(began)))
	b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
	b.ReportMetric(float64(atOnce)/time.Since(began).Seconds(), "claims/s")
	b.ReportMetric(0, "ns/op")
}
