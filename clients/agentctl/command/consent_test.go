package command_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
)

// jump is a clock on which waits pass at once.
type jump struct {
	mu  sync.Mutex
	now time.Time
}

func (j *jump) Now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}

func (j *jump) Sleep(ctx context.Context, d time.Duration) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.now = j.now.Add(d)
	return ctx.Err()
}

// limited plays an agent whose limit is used up until one o'clock.
func limited(t *testing.T, dir string) {
	t.Helper()
	text := fmt.Sprintf(`#!/bin/sh
if [ -e used ]; then
  echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"done","session_id":"s"}'
  exit 0
fi
touch used
echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour","isUsingOverage":false},"session_id":"s"}'
echo '{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":429,"result":"limit","session_id":"s"}'
exit 1
`, noon.Add(time.Hour).Unix())
	require.NoError(t, child.WriteProgram(filepath.Join(dir, "claude"), text))
}

func TestAPersonAtATerminalMayConsentToTheWait(t *testing.T) {
	t.Parallel()
	cases := []struct {
		answer string
		code   int
		out    string
	}{
		{"w\n", cli.OK, "limit\ndone\n"},
		{"WAIT\n", cli.OK, "limit\ndone\n"},
		{"q\n", 1, "limit\n"},
		{"", 1, "limit\n"},
		{"what?\n", 1, "limit\n"},
	}
	for _, c := range cases {
		t.Run(strings.TrimSpace(c.answer), func(t *testing.T) {
			t.Parallel()
			r := newCall(t, c.answer)
			clock := &jump{now: noon}
			r.inv.Clock, r.inv.InTTY, r.inv.ErrTTY = clock, true, true
			limited(t, r.inv.Dir)
			r.run(t, "run", "--offline", "--", "./claude", "-p", "hello").want(t, c.code)
			require.Contains(t, r.err.String(), "[w]ait for the reset, or [q]uit?")
			require.Equal(t, c.out, r.out.String())
			if c.code == cli.OK {
				require.Equal(t, noon.Add(time.Hour+30*time.Second), clock.Now(), "the stated reset and its margin")
			}
		})
	}
}

func TestNobodyIsAskedWhoIsNotThere(t *testing.T) {
	t.Parallel()
	r := newCall(t, "w\n")
	r.inv.Clock = &jump{now: noon}
	limited(t, r.inv.Dir)
	r.run(t, "run", "--offline", "--", "./claude", "-p", "hello").want(t, 1)
	require.NotContains(t, r.err.String(), "[w]ait")
}
