package recovery

import (
	"sync"
	"time"
)

// quiet says when a reconciler may expire anything. Silence proves nothing
// while the servers or the way to them were down: after its own start, after
// the database did not answer, and after a gap in which no owner gave a sign
// of life, it waits one whole lease.
type quiet struct {
	lease time.Duration
	until time.Time // by the clock that rules leases; zero until the first look
	inGap bool
}

// disturbed begins the wait again at the next look.
func (q *quiet) disturbed() { q.until, q.inGap = time.Time{}, false }

// look takes what is known at an instant and reports whether expiry is allowed.
func (q *quiet) look(now, lastSign time.Time) bool {
	gap := now.Sub(lastSign) >= q.lease
	switch {
	case q.until.IsZero():
		q.until = now.Add(q.lease)
	case gap && !q.inGap, !gap && q.inGap:
		// A gap begins, or the first sign comes after one: the others need
		// time to give theirs.
		q.until = now.Add(q.lease)
	}
	q.inGap = gap
	return !now.Before(q.until)
}

// signs remembers when an owner last gave a sign of life to this process.
type signs struct {
	mu   sync.Mutex
	last time.Time // monotonic
}

func (s *signs) seen() {
	s.mu.Lock()
	s.last = time.Now()
	s.mu.Unlock()
}

// ago is how long ago the last sign was; ok is false if there was none.
func (s *signs) ago() (d time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.last), !s.last.IsZero()
}
