package recovery

import (
	"sync"
	"time"
)

// quiet says when a reconciler may expire anything. Silence proves nothing
// while the servers or the way to them were down: after its own start, after
// the database did not answer, and after a gap in which no owner gave a sign
// of life, it waits one whole lease. So it does when the clock that rules
// leases was set: those that are held were promised by the time that passes
// for their holders.
type quiet struct {
	lease time.Duration
	until time.Time // by the clock that rules leases; zero until the first look
	inGap bool
	last  reading
}

// reading is what the clock that rules leases showed, and between which two
// instants of this process's monotonic clock it was read.
type reading struct {
	now          time.Time
	asked, heard time.Time
}

// clockTolerance is more than a clock that is only slewed gains between two
// looks.
const clockTolerance = 50 * time.Millisecond

// wasSet says that the clock moved by more, or by less, than time passed
// between two readings. How long the answers took counts as doubt.
func (r reading) wasSet(next reading) bool {
	moved := next.now.Sub(r.now)
	least, most := next.asked.Sub(r.heard), next.heard.Sub(r.asked)
	return moved > most+clockTolerance || moved < least-clockTolerance
}

// disturbed begins the wait again at the next look.
func (q *quiet) disturbed() { q.until, q.inGap = time.Time{}, false }

// look takes what is known at a reading and reports whether expiry is allowed.
func (q *quiet) look(r reading, lastSign time.Time) bool {
	if !q.last.now.IsZero() && q.last.wasSet(r) {
		q.disturbed()
	}
	q.last = r
	gap := r.now.Sub(lastSign) >= q.lease
	switch {
	case q.until.IsZero():
		q.until = r.now.Add(q.lease)
	case gap && !q.inGap, !gap && q.inGap:
		// A gap begins, or the first sign comes after one: the others need
		// time to give theirs.
		q.until = r.now.Add(q.lease)
	}
	q.inGap = gap
	return !r.now.Before(q.until)
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
