package due

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	steadyRate = 200
	// warming is not counted: the first claims open connections and plan their
	// statements, which takes tens of milliseconds once in the life of each.
	warming = time.Second
)

// BenchmarkLateness is 200 due a second on three servers, and River with its
// default settings beside it.
func BenchmarkLateness(b *testing.B) {
	n := steadyRate * int((warming+steadyFor)/time.Second)
	c := start(b, replicas)
	c.seed(n, "steady", fmt.Sprintf(`now() + interval '2 seconds' + i * interval '1 second' / %d`, steadyRate))
	due := c.dueAt()
	all := c.claimAll(n, callers)
	c.lateness(all, due) // nothing is early, nothing comes twice
	late := c.lateness(warm(all, due))
	report(b, late)
	theirs, ok := river(b, c.url)
	if !ok {
		return
	}
	ratio := float64(quantile(late, 0.99).Microseconds()) / 1000 / theirs.P99
	b.ReportMetric(ratio, "river-p99-ratio")
	b.Logf("p50 %.1f ms, p99 %.1f ms, max %.1f ms; River p50 %.1f ms, p99 %.1f ms: 1/%.0f", float64(quantile(late, 0.5).Microseconds())/1000,
		float64(quantile(late, 0.99).Microseconds())/1000, float64(quantile(late, 1).Microseconds())/1000, theirs.P50, theirs.P99, 1/ratio)
}

// warm are the claims of what was due after the warming.
func warm(all []claimed, due map[string]time.Time) ([]claimed, map[string]time.Time) {
	first := slices.MinFunc(slices.Collect(maps.Values(due)), time.Time.Compare)
	later := maps.Clone(due)
	maps.DeleteFunc(later, func(_ string, at time.Time) bool { return at.Before(first.Add(warming)) })
	return slices.DeleteFunc(slices.Clone(all), func(one claimed) bool { return later[one.Wakeup.ID].IsZero() }), later
}

// riverResult is what the command beside this package prints.
type riverResult struct {
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
}

// river measures River on the same server. Its module is its own, so that the
// product does not depend on it; where it cannot be had, there is no comparison.
func river(b *testing.B, url string) (riverResult, bool) {
	b.Helper()
	program := filepath.Join(b.TempDir(), "river")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "river")
	if out, err := build.CombinedOutput(); err != nil {
		b.Logf("no comparison with River: %v: %s", err, out)
		return riverResult{}, false
	}
	run := exec.CommandContext(b.Context(), program, "-url", url, "-rate", fmt.Sprint(steadyRate), "-for", steadyFor.String(), "-replicas", fmt.Sprint(replicas))
	run.Stderr = os.Stderr
	out, err := run.Output()
	require.NoError(b, err)
	var r riverResult
	require.NoError(b, json.Unmarshal(out, &r), "%s", out)
	return r, true
}

// BenchmarkBurst is many that fall due inside one second.
func BenchmarkBurst(b *testing.B) {
	c := start(b, replicas)
	c.seed(burst, "burst", fmt.Sprintf(`now() + interval '2 seconds' + i * interval '1 second' / %d`, burst))
	due := c.dueAt()
	all := c.claimAll(burst, callers)
	report(b, c.lateness(all, due))
	// Of the claims of one server, in the order in which they were made.
	slices.SortStableFunc(all, func(x, y claimed) int {
		return cmp.Or(x.server-y.server, x.Run.ClaimedAt.Compare(y.Run.ClaimedAt), due[x.Wakeup.ID].Compare(due[y.Wakeup.ID]))
	})
	inOrder := 1
	for i := 1; i < len(all); i++ {
		if all[i].server != all[i-1].server || !due[all[i].Wakeup.ID].Before(due[all[i-1].Wakeup.ID]) {
			inOrder++
		}
	}
	b.ReportMetric(float64(inOrder)/float64(len(all)), "in-order")
}
