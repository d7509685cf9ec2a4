package child_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/core/evidence"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, script string, c child.Command) *child.Process {
	t.Helper()
	c.Argv = []string{"/bin/sh", "-c", script}
	if c.Out == nil {
		c.Out = io.Discard
	}
	c.Err, c.Linger = io.Discard, 200*time.Millisecond
	if c.Grace == 0 {
		c.Grace = 200 * time.Millisecond
	}
	p, err := child.Start(c)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
		<-p.Ended()
	})
	return p
}

func TestEnds(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, script string
		exit         evidence.Exit
		code         int
	}{
		{"success", "true", evidence.Exit{}, 0},
		{"its own code", "exit 7", evidence.Exit{Code: 7}, 7},
		{"by a signal", "kill -TERM $$", evidence.Exit{Signal: "SIGTERM"}, 143},
		{"killed", "kill -KILL $$", evidence.Exit{Signal: "SIGKILL"}, 137},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, c.script, child.Command{})
			<-p.Ended()
			require.Equal(t, c.exit, p.Exit())
			require.Equal(t, c.code, child.Code(p.Exit()))
		})
	}
	_, err := child.Start(child.Command{Argv: []string{"/nonexistent/agent"}})
	require.Error(t, err)
	require.Equal(t, 126, child.Code(evidence.Exit{SpawnError: err.Error()}))
}

// firstByte tells when a child has printed something.
type firstByte struct {
	once sync.Once
	seen chan struct{}
}

func (f *firstByte) Write(p []byte) (int, error) {
	f.once.Do(func() { close(f.seen) })
	return len(p), nil
}

func TestStopEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"echo ready; while :; do sleep 0.05; done",
		"trap '' TERM INT; echo ready; while :; do sleep 0.05; done",
		"(trap '' TERM; while :; do sleep 0.05; done) & echo ready; wait",
	} {
		ready := &firstByte{seen: make(chan struct{})}
		p := start(t, script, child.Command{Out: ready})
		<-ready.seen
		p.Stop("supervisor")
		p.Stop("user")
		<-p.Ended()
		require.Equal(t, "supervisor", p.Exit().EndedBy, "who was first is kept")
		require.NotEmpty(t, p.Exit().Signal)
	}
}

func TestASignalIsTheUsers(t *testing.T) {
	t.Parallel()
	ready := &firstByte{seen: make(chan struct{})}
	p := start(t, "trap 'exit 9' INT; echo ready; while :; do sleep 0.05; done", child.Command{Out: ready})
	<-ready.seen
	p.Signal(syscall.SIGINT)
	<-p.Ended()
	require.Equal(t, evidence.Exit{Code: 9, EndedBy: "user"}, p.Exit())
}

func TestOutputLeftOpenByOthersDoesNotHoldItUp(t *testing.T) {
	t.Parallel()
	p := start(t, "sleep 30 & exit 0", child.Command{})
	select {
	case <-p.Ended():
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for a process that the agent left behind")
	}
	require.Equal(t, evidence.Exit{}, p.Exit())
}

func TestInputReachesTheChild(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := start(t, "cat", child.Command{In: strings.NewReader("hello"), Out: &out})
	<-p.Ended()
	require.Equal(t, "hello", out.String())
}

func TestScrub(t *testing.T) {
	t.Parallel()
	got := child.Scrub([]string{"PATH=/bin", "AGENTCTL_TOKEN=x", "RECOURSE_DATA=y", "DATABASE_URL=z", "DATABASE_DIRECT_URL=z", "MY_DATABASE_URL=kept", "ANTHROPIC_API_KEY=kept"})
	require.Equal(t, []string{"PATH=/bin", "MY_DATABASE_URL=kept", "ANTHROPIC_API_KEY=kept"}, got)
}

func TestLinesAreWholeHoweverTheyArrive(t *testing.T) {
	t.Parallel()
	text := "one\n\ntwo\r\nthree, without its end"
	for size := 1; size <= len(text); size++ {
		var got []string
		var torn []bool
		lines := child.Lines{Line: func(line []byte, t bool) { got, torn = append(got, string(line)), append(torn, t) }}
		for chunk := range slices.Chunk([]byte(text), size) {
			n, err := lines.Write(chunk)
			require.NoError(t, err)
			require.Equal(t, len(chunk), n)
		}
		lines.Flush()
		lines.Flush()
		require.Equal(t, []string{"one", "", "two\r", "three, without its end"}, got, "in chunks of %d", size)
		require.Equal(t, []bool{false, false, false, true}, torn)
	}
}

func TestALineWithoutEndIsSeenInPieces(t *testing.T) {
	t.Parallel()
	total, pieces := 0, 0
	lines := child.Lines{Line: func(line []byte, _ bool) { total, pieces = total+len(line), pieces+1 }}
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for range 20 {
		_, err := lines.Write(chunk)
		require.NoError(t, err)
	}
	lines.Flush()
	require.Equal(t, 20<<20, total)
	require.Greater(t, pieces, 1, "the whole line was kept in memory")
}
