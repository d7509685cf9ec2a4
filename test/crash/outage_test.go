//go:build prove || soak

package crash

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// PostgreSQL shuts down at once, again and again, under load, while two
// replicas and their workers go on: nothing acknowledged is lost, nothing is
// delivered twice, and the service is back soon after PostgreSQL.
func TestPostgresRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	r := bootRig(t, 2)
	var ids []string
	for n := range loadWakeups {
		ids = append(ids, r.begin(fmt.Sprint("load-", n)))
	}
	finished := make(chan struct{})
	r.restarts.Go(func() { defer close(finished); r.finish(ids) })
	for range restartsPG {
		recovered := r.watchPostgres()
		pid := r.postgres.PID()
		require.NoError(t, syscall.Kill(pid, syscall.SIGQUIT)) // as pg_ctl -m immediate
		require.Eventually(t, func() bool { return r.postgres.PID() != pid }, patience, waitStep)
		recovered()
		back := time.Now()
		r.wakeup(ids[0])
		t.Logf("the service answers %s after PostgreSQL", time.Since(back).Round(time.Millisecond))
	}
	<-finished
	outcomes := map[string]int{}
	for _, id := range ids {
		outcomes[r.requireKept(id)]++
	}
	t.Logf("%v", outcomes)
	require.NotZero(t, outcomes["completed; delivered 2×"])
}
