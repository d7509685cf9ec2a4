package supervisor_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// jump is a clock on which waits pass at once; it remembers them.
type jump struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newJump() *jump { return &jump{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (j *jump) Now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}

func (j *jump) Sleep(ctx context.Context, d time.Duration) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.now = j.now.Add(d)
	j.slept = append(j.slept, d)
	return ctx.Err()
}

// ids counts, so that a test can tell one from another.
func ids() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("id-%d", n.Add(1)) }
}

// bench is a supervisor with everything around it.
type bench struct {
	*supervisor.Supervisor
	clock    *jump
	out, err *strings.Builder
	notices  []supervisor.Notice
	dir      string
}

const overloaded = `{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":529,"result":"API Error: 529 Overloaded.","session_id":"3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10","permission_denials":[]}`

const answered = `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"done","session_id":"3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10","permission_denials":[]}`

// newBench supervises a program named claude that runs the script; it finds the
// number of its attempt in $n.
func newBench(t *testing.T, script string, policy journal.Policy) *bench {
	t.Helper()
	b := &bench{clock: newJump(), out: &strings.Builder{}, err: &strings.Builder{}, dir: t.TempDir()}
	program := filepath.Join(b.dir, "claude")
	text := "#!/bin/sh\nn=$(cat count 2>/dev/null || echo 0); n=$((n+1)); echo $n > count\n" + script
	require.NoError(t, child.WriteProgram(program, text))
	store, err := journal.Open(filepath.Join(b.dir, "state"))
	require.NoError(t, err)
	argv := []string{program, "-p", "hello"}
	entry, err := store.Create(journal.Prompt{WakeupID: "w1", SessionID: "s1", Generation: 1, Argv: argv, Cwd: b.dir, AgentKind: "claude", Policy: policy, CreatedAt: b.clock.Now()})
	require.NoError(t, err)
	t.Cleanup(entry.Close)
	classifier, err := catalogue.Embedded()
	require.NoError(t, err)
	newID, settings := ids(), recovery.Defaults()
	settings.TermToKill = 200 * time.Millisecond
	b.Supervisor = &supervisor.Supervisor{
		Plan: adapter.New(argv, adapter.Options{}), Entry: entry, Settings: settings, Clock: b.clock, NewID: newID, NewSession: newID,
		Out: b.out, Err: b.err, Dir: b.dir, Env: os.Environ(), HostZone: "UTC",
		Tell: func(n supervisor.Notice) { b.notices = append(b.notices, n) },
	}
	b.Ledger = &supervisor.Local{
		Classifier: classifier, Settings: settings, Clock: b.clock, Jitter: func() float64 { return 0 }, NewID: newID, Entry: entry,
	}
	return b
}

func (b *bench) kinds() []supervisor.NoticeKind {
	var out []supervisor.NoticeKind
	for _, n := range b.notices {
		out = append(out, n.Kind)
	}
	return out
}

func (b *bench) launches(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, "count"))
	if os.IsNotExist(err) {
		return "0"
	}
	require.NoError(t, err)
	return strings.TrimSpace(string(text))
}
