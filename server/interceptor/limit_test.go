package interceptor

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
)

type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func newClock() *clock { return &clock{now: time.Unix(1_700_000_000, 0)} }

func TestTheLimitSaysWhenToCallAgain(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter(2, 3, 1, c.read)
	for range 3 {
		require.NoError(t, l.Take("a"))
	}
	err := l.Take("a")
	require.True(t, fault.Is(err, fault.ReasonRateLimited))
	wait := fault.From(err).RetryAfter
	require.Equal(t, 500*time.Millisecond, wait)
	require.NoError(t, l.Take("b"), "another token has its own allowance")
	require.Error(t, l.Take("a"), "a refused call takes nothing, and gives nothing")
	require.Equal(t, wait, fault.From(l.Take("a")).RetryAfter, "refusals do not push the time away")
	c.now = c.now.Add(wait)
	require.NoError(t, l.Take("a"))
	require.Error(t, l.Take("a"))
}

func TestStreamsAreCountedInAndOut(t *testing.T) {
	t.Parallel()
	l := NewLimiter(1, 1, 2, newClock().read)
	first, err := l.OpenStream("a")
	require.NoError(t, err)
	_, err = l.OpenStream("a")
	require.NoError(t, err)
	_, err = l.OpenStream("a")
	require.True(t, fault.Is(err, fault.ReasonRateLimited))
	_, err = l.OpenStream("b")
	require.NoError(t, err)
	first()
	_, err = l.OpenStream("a")
	require.NoError(t, err)
}

func TestIdleTokensAreForgottenButNotOpenStreams(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter(1, 1, 1, c.read)
	for i := range 100 {
		require.NoError(t, l.Take(strconv.Itoa(i)))
	}
	_, err := l.OpenStream("open")
	require.NoError(t, err)
	c.now = c.now.Add(idleBucket)
	require.NoError(t, l.Take("new"))
	require.Len(t, l.buckets, 2)
	_, err = l.OpenStream("open")
	require.Error(t, err)
}
