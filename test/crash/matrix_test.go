package crash

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of outcomes into docs/proofs.md")

// waitStep is how often a state is looked at that nobody announces.
const waitStep = 30 * time.Millisecond

// cell is one place of the matrix: who dies, at which call, on which side of it.
type cell struct {
	victim, call, instant string
	wakeup                string
}

var (
	victims  = []string{"server", "worker", "PostgreSQL"}
	calls    = []string{"ClaimWakeups", "BeginSend", "MarkDelivered", "ReportFailure", "ReportSuccess"}
	instants = []string{"before", "after"}
	// commits tells the transaction of a call by a statement that only it runs then.
	commits = map[string]string{
		"ClaimWakeups": "InsertRun", "BeginSend": "UpdateRun", "MarkDelivered": "UpdateRun", "ReportFailure": "SaveEvidence", "ReportSuccess": "UpdateRun",
	}
)

// expected is what the contract says of each place. Whoever survives repeats a
// call whose answer was lost; a worker that is gone cannot say whether what it
// was granted has left, and then nobody tries again.
func (c cell) expected() string {
	if c.victim != "worker" {
		return "completed; delivered 2×"
	}
	switch c.call + " " + c.instant {
	case "BeginSend after":
		return "a person is asked; delivered 0×"
	case "MarkDelivered before", "MarkDelivered after", "ReportFailure before":
		return "a person is asked; delivered 1×"
	case "ReportSuccess before":
		return "a person is asked; delivered 2×"
	}
	return "completed; delivered 2×"
}

func TestCrashMatrix(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	outcomes := map[string]string{}
	t.Run("rigs", func(t *testing.T) {
		for _, replicas := range []int{1, 2}[:replicaCounts()] {
			t.Run(fmt.Sprintf("%d replicas", replicas), func(t *testing.T) {
				t.Parallel()
				for range matrixRounds {
					r := bootRig(t, replicas)
					for _, c := range r.matrix() {
						got := r.requireKept(c.wakeup)
						require.Equal(t, c.expected(), got, "%s dies at %s, %s", c.victim, c.call, c.instant)
						mu.Lock()
						outcomes[fmt.Sprint(c.victim, c.call, c.instant, replicas)] = got
						mu.Unlock()
					}
				}
			})
		}
	})
	if !t.Failed() && matrixStride == 1 {
		compare(t, "crash matrix", tableOf(outcomes))
	}
}

// replicaCounts is 1 where only a part of the matrix is played.
func replicaCounts() int {
	if matrixStride > 1 {
		return 1
	}
	return 2
}

// matrix kills at every place, one after the other, then lets the survivors
// finish what is left.
func (r *rig) matrix() []*cell {
	var cells []*cell
	var ids []string
	place := 0
	for _, victim := range victims {
		for _, call := range calls {
			for _, instant := range instants {
				if place++; place%matrixStride != 0 {
					continue
				}
				c := &cell{victim: victim, call: call, instant: instant, wakeup: r.begin(victim + call + instant)}
				cells, ids = append(cells, c), append(ids, c.wakeup)
			}
		}
	}
	// The second delivery comes only some seconds after the first has failed.
	for _, c := range cells {
		if c.call == "ReportSuccess" {
			r.untilFailed(c.wakeup)
		}
	}
	for _, c := range cells {
		if c.call != "ReportSuccess" {
			r.strike(c)
		}
	}
	for _, c := range cells {
		if c.call == "ReportSuccess" {
			r.strike(c)
		}
	}
	r.finish(ids)
	return cells
}

func (r *rig) untilFailed(id string) {
	r.t.Helper()
	o := r.order(id, "first")
	o.UntilFailed = true
	got, err := o.work(r.t.Context())
	require.NoError(r.t, err)
	require.Equal(r.t, "failed", got)
}

// strike works on the wakeup until the victim has died at its place.
func (r *rig) strike(c *cell) {
	r.t.Helper()
	o := r.order(c.wakeup, "first")
	o.UntilFailed = c.call != "ReportSuccess"
	if c.victim == "worker" {
		r.strikeWorker(c, o)
		return
	}
	hit := make(chan struct{})
	recovered := func() {}
	switch c.victim {
	case "server":
		r.gate.arm(c.wakeup, &strike{call: c.call, instant: c.instant, hit: func() { defer close(hit); r.crash(r.replicas[0]) }})
	case "PostgreSQL":
		recovered = r.watchPostgres()
		r.gate.arm(c.wakeup, &strike{call: c.call, instant: "around", hit: func() {
			trap := r.wire.arm(&trap{statement: commits[c.call], instant: c.instant, kill: true})
			r.restarts.Go(func() { <-trap.sprung; close(hit) })
		}})
	}
	_, err := o.work(r.t.Context())
	require.NoError(r.t, err)
	select {
	case <-hit:
	case <-time.After(patience):
		r.t.Fatalf("%s did not die at %s, %s", c.victim, c.call, c.instant)
	}
	recovered()
	r.restarts.Wait()
}

// watchPostgres returns what waits until a crash that comes has reached every
// connection, and PostgreSQL takes new ones. A moment passes until it notices
// that one of its processes is gone.
func (r *rig) watchPostgres() (recovered func()) {
	r.t.Helper()
	watch, err := pgx.Connect(r.t.Context(), r.postgres.URL())
	require.NoError(r.t, err)
	return func() {
		require.Eventually(r.t, func() bool { return watch.Ping(r.t.Context()) != nil }, patience, waitStep, "PostgreSQL crashes")
		_ = watch.Close(r.t.Context())
		require.Eventually(r.t, func() bool {
			again, err := pgx.Connect(r.t.Context(), r.postgres.URL())
			if err == nil {
				_ = again.Close(r.t.Context())
			}
			return err == nil
		}, patience, waitStep, "PostgreSQL recovers")
	}
}

func (r *rig) strikeWorker(c *cell, o workOrder) {
	r.t.Helper()
	var mu sync.Mutex
	var cmd *exec.Cmd
	r.gate.arm(c.wakeup, &strike{call: c.call, instant: c.instant, hit: func() {
		mu.Lock()
		defer mu.Unlock()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}})
	mu.Lock()
	cmd = r.process(o)
	mu.Unlock()
	require.Eventually(r.t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return cmd.ProcessState != nil
	}, patience, waitStep, "the worker dies")
	require.False(r.t, cmd.ProcessState.Success(), "it was not killed at %s, %s", c.call, c.instant)
}

func tableOf(outcomes map[string]string) string {
	var b strings.Builder
	b.WriteString("| call | dies | when | 1 replica | 2 replicas |\n|---|---|---|---|---|\n")
	for _, call := range calls {
		for _, victim := range victims {
			for _, instant := range instants {
				words := map[string]string{"before": "before it arrives", "after": "when it is committed and nobody was told"}
				if victim == "PostgreSQL" {
					words["before"] = "before its commit"
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", call, victim, words[instant],
					outcomes[fmt.Sprint(victim, call, instant, 1)], outcomes[fmt.Sprint(victim, call, instant, 2)])
			}
		}
	}
	return b.String()
}

const proofs = "../../docs/proofs.md"

// compare holds a table against the one in the documentation, or writes it.
func compare(t *testing.T, name, table string) {
	t.Helper()
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	raw, err := os.ReadFile(proofs)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(raw), begin)
	require.True(t, found, "%s has no place for the %s", proofs, name)
	now, after, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(proofs, []byte(before+begin+table+end+after), 0o644))
		return
	}
	require.Equal(t, now, table, "run the test with -update")
}
