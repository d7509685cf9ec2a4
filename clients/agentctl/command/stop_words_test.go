package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever ended the agent is not told that nobody knows what failed.
func TestAnInterruptedRunSaysWhoEndedIt(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	begun := filepath.Join(c.inv.Dir, "begun")
	require.NoError(t, syscall.Mkfifo(begun, 0o600))
	signals := make(chan syscall.Signal, 1)
	c.inv.Listen = func() (<-chan syscall.Signal, func()) { return signals, func() {} }
	go func() {
		_, _ = os.ReadFile(begun) // until the agent has begun
		signals <- syscall.SIGTERM
	}()
	c.run(t, "run", "--offline", "--", "sh", "-c", "echo > "+begun+"; exec sleep 60").want(t, 128+int(syscall.SIGTERM))
	require.Contains(t, c.err.String(), "stopped: you ended the agent")
	require.Contains(t, c.err.String(), "next: agentctl run --continue ")
	require.NotContains(t, c.err.String(), "what failed is not known")
}

// A stop that cannot be gone on with offers neither a wait nor --continue.
func TestAnInputThatWasNotKeptIsNoWait(t *testing.T) {
	t.Parallel()
	c := run(t, strings.Repeat("x", 1<<20+1), "run", "--offline", "--agent", "claude", "--no-adapt", "--replay-safe", "--",
		"sh", "-c", "cat > /dev/null; echo 'API Error: 529 Overloaded'; exit 1").want(t, 1)
	require.Contains(t, c.err.String(), "stopped: provider_overloaded")
	require.Contains(t, c.err.String(), "nothing is waited for")
	require.NotContains(t, c.err.String(), "--continue")
}
