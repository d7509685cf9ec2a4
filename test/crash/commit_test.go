//go:build prove || soak

package crash

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A connection that is cut when COMMIT was sent leaves a server that knows
// nothing: it must say so, and the worker that repeats its call must hear of
// its own grant, not of somebody else's.
func TestCutAfterCommitWasSent(t *testing.T) {
	t.Parallel()
	r := bootRig(t, 1)
	var ids []string
	for round := range cutRounds {
		for _, call := range calls[:4] {
			id := r.begin(fmt.Sprint("cut-", round, call))
			ids = append(ids, id)
			cut := make(chan struct{})
			r.gate.arm(id, &strike{call: call, instant: "around", hit: func() {
				trap := r.wire.arm(&trap{statement: commits[call], instant: "after"})
				r.restarts.Go(func() { <-trap.sprung; close(cut) })
			}})
			o := r.order(id, "first")
			o.UntilFailed = true
			got, err := o.work(t.Context())
			require.NoError(t, err)
			<-cut
			if call != "ClaimWakeups" { // whose run nobody heard of: its lease must end first
				require.Equal(t, "failed", got, "cut at %s: the worker did not get to its report", call)
			}
		}
	}
	r.finish(ids)
	for _, id := range ids {
		require.Equal(t, "completed; delivered 2×", r.requireKept(id))
	}
}
