package interceptor

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/recourse-dev/recourse/core/fault"
)

// Limiter bounds the calls a second and the open streams of each token.
type Limiter struct {
	perSecond  rate.Limit
	burst      int
	maxStreams int
	now        func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
}

type bucket struct {
	rate    *rate.Limiter
	streams int
	used    time.Time
}

// idleBucket is how long an unused token keeps its bucket; a bucket is full
// again long before.
const idleBucket = 10 * time.Minute

// NewLimiter allows each token perSecond calls on average, burst at once, and
// maxStreams open streams.
func NewLimiter(perSecond float64, burst, maxStreams int, now func() time.Time) *Limiter {
	return &Limiter{perSecond: rate.Limit(perSecond), burst: burst, maxStreams: maxStreams, now: now, buckets: map[string]*bucket{}, swept: now()}
}

// Take uses one call of a token's allowance; it fails with RATE_LIMITED and
// says when to try again.
func (l *Limiter) Take(tokenID string) error {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	reservation := l.bucket(tokenID, now).rate.ReserveN(now, 1)
	delay := reservation.DelayFrom(now)
	if delay <= 0 {
		return nil
	}
	reservation.CancelAt(now)
	return fault.New(fault.ResourceExhausted, fault.ReasonRateLimited,
		"this token calls too often; the limit is this server's, not a provider's").After(delay)
}

// OpenStream counts a stream in; the returned function counts it out. It fails
// with RATE_LIMITED.
func (l *Limiter) OpenStream(tokenID string) (closeStream func(), err error) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(tokenID, now)
	if b.streams >= l.maxStreams {
		return nil, fault.New(fault.ResourceExhausted, fault.ReasonRateLimited,
			"this token has %d open streams, which is the most", b.streams).After(time.Second)
	}
	b.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		b.streams--
	}, nil
}

func (l *Limiter) bucket(tokenID string, now time.Time) *bucket {
	b := l.buckets[tokenID]
	if b == nil {
		b = &bucket{rate: rate.NewLimiter(l.perSecond, l.burst)}
		l.buckets[tokenID] = b
	}
	b.used = now
	return b
}

// sweep forgets idle tokens, so that memory follows the tokens in use.
func (l *Limiter) sweep(now time.Time) {
	if now.Sub(l.swept) < idleBucket {
		return
	}
	l.swept = now
	for id, b := range l.buckets {
		if b.streams == 0 && now.Sub(b.used) >= idleBucket {
			delete(l.buckets, id)
		}
	}
}
