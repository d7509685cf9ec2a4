package recovery

import (
	"sync"
	"time"
)

// lately lets something happen no more often than at an interval.
type lately struct {
	mu   sync.Mutex
	last time.Time // monotonic
}

// passed reports whether the interval has passed since it last did.
func (l *lately) passed(interval time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.last.IsZero() && time.Since(l.last) < interval {
		return false
	}
	l.last = time.Now()
	return true
}
