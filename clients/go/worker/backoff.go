package worker

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

const (
	firstPause   = 50 * time.Millisecond
	longestPause = 5 * time.Second
)

// backoff is the pause between repetitions of a call: it doubles, is never
// shorter than the server asks for, and varies so that workers do not return
// all at once.
type backoff struct{ next time.Duration }

func (b *backoff) reset() { b.next = 0 }

func (b *backoff) wait(ctx context.Context, err error) {
	b.next = min(max(b.next*2, firstPause), longestPause)
	sleep(ctx, max(b.next+rand.N(b.next), fault.From(err).RetryAfter))
}

// sleep returns early when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// transient says that the same call may succeed later: the server was away, or
// busy. A refusal is not.
func transient(err error) bool {
	f := fault.From(err)
	switch f.Kind {
	case fault.Unavailable, fault.DeadlineExceeded, fault.ResourceExhausted:
		return f.Reason != fault.ReasonBodyTooLarge
	case fault.Aborted:
		return f.Reason == fault.ReasonConflict
	case fault.Canceled:
		return true // by somebody in between: our own context is asked by whoever calls
	}
	return false
}
