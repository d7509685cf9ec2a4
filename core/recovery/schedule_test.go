package recovery_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

const longest = time.Duration(math.MaxInt64)

func TestBackoff(t *testing.T) {
	t.Parallel()
	cases := []struct {
		first time.Duration
		n     int
		limit time.Duration
		want  time.Duration
	}{
		{5 * time.Second, 0, time.Hour, 5 * time.Second},
		{5 * time.Second, 2, time.Hour, 20 * time.Second},
		{5 * time.Second, -1, time.Hour, 5 * time.Second},
		{5 * time.Second, math.MaxInt, time.Hour, time.Hour},
		{time.Hour, 10, 24 * time.Hour, 24 * time.Hour},
		{2 * time.Hour, 0, time.Hour, time.Hour},
		{0, math.MaxInt, time.Hour, 0},
		{-time.Second, 3, time.Hour, 0},
		{1, 200, longest, longest},
		{longest, 1, longest, longest},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, recovery.Backoff(c.first, c.n, c.limit), "%+v", c)
	}
}

func TestBackoffNeverFallsNorLeavesItsBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "first"))
		limit := time.Duration(rapid.Int64Range(int64(first), math.MaxInt64).Draw(t, "limit"))
		n := rapid.IntRange(0, 100).Draw(t, "n")
		a, b := recovery.Backoff(first, n, limit), recovery.Backoff(first, n+1, limit)
		if a < first || a > limit || b < a {
			t.Fatalf("%v then %v, from %v to at most %v", a, b, first, limit)
		}
		if b < limit && b != 2*a {
			t.Fatalf("%v is not twice %v", b, a)
		}
	})
}

func TestRung(t *testing.T) {
	t.Parallel()
	ladder := seconds(1, 2, 3)
	for n, want := range map[int]time.Duration{math.MinInt: time.Second, 0: time.Second, 1: 2 * time.Second, 2: 3 * time.Second, 3: 3 * time.Second, math.MaxInt: 3 * time.Second} {
		assert.Equal(t, want, recovery.Rung(ladder, n), "rung %d", n)
	}
	assert.Zero(t, recovery.Rung(nil, 0))
}

func TestJitterOnlyAddsAndAtMostTheFraction(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nominal := time.Duration(rapid.Int64Range(1, int64(10*365*24*time.Hour)).Draw(t, "nominal"))
		jitter := rapid.Float64Range(0, 0.999999).Draw(t, "jitter")
		got := recovery.Jittered(nominal, 0.2, jitter)
		if got < nominal || got > nominal+nominal/5+1 {
			t.Fatalf("%v became %v", nominal, got)
		}
	})
}

func TestJitterGrowsWithItsSource(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 10*time.Second, recovery.Jittered(10*time.Second, 0.2, 0))
	assert.Equal(t, 11*time.Second, recovery.Jittered(10*time.Second, 0.2, 0.5))
	assert.Equal(t, 11999*time.Millisecond, recovery.Jittered(10*time.Second, 0.2, 0.99999))
}

func TestJitterOutsideItsRangeIsHarmless(t *testing.T) {
	t.Parallel()
	for _, jitter := range []float64{math.NaN(), math.Inf(-1), -1, math.Inf(1), 1, 7} {
		for _, fraction := range []float64{math.NaN(), math.Inf(1), -1, 0, 0.2, 5} {
			for _, nominal := range []time.Duration{math.MinInt64, 0, 1, time.Minute, longest} {
				got := recovery.Jittered(nominal, fraction, jitter)
				assert.GreaterOrEqual(t, got, nominal)
				if nominal > 0 && nominal < time.Hour {
					assert.LessOrEqual(t, got, 2*nominal)
				}
			}
		}
	}
}

// The promise that matters most: whatever is stated, whenever, by whichever
// clock, nothing that is scheduled comes before it or in the past.
func TestNothingIsScheduledEarly(t *testing.T) {
	t.Parallel()
	codes := allCodes()
	rapid.Check(t, func(t *rapid.T) {
		r := drawFailure(t, codes)
		now := noon.Add(time.Duration(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)).Draw(t, "now")))
		f := calm(rapid.SampledFrom(contexts()).Draw(t, "context"))
		f.Policy = rapid.SampledFrom(policies()).Draw(t, "policy")
		f.Progress.Transient.Retries = rapid.IntRange(-1, 12).Draw(t, "retries")
		f.Progress.Hard.Retries = f.Progress.Transient.Retries
		f.Route.CircuitOpenings = rapid.Int().Draw(t, "openings")
		d := recovery.Decide(f, r, recovery.Defaults(), now, rapid.Float64().Draw(t, "jitter"))
		if d.RetryAt.IsZero() {
			return
		}
		if d.RetryAt.Before(now) {
			t.Fatalf("due %v, decided %v", d.RetryAt, now)
		}
		if !d.HintShown.IsZero() && d.RetryAt.Before(d.HintShown) {
			t.Fatalf("due %v before the stated %v", d.RetryAt, d.HintShown)
		}
		if limit := now.Add(41 * 24 * time.Hour); d.RetryAt.After(limit) {
			t.Fatalf("due %v, in more than the horizon", d.RetryAt)
		}
	})
}

func drawFailure(t *rapid.T, codes []classification.Code) classification.Result {
	r := failure(rapid.SampledFrom(codes).Draw(t, "code"))
	r.Throttle = rapid.SampledFrom([]classification.Throttle{classification.ThrottleShort, classification.ThrottleLong, classification.ThrottleUnknown}).Draw(t, "throttle")
	if rapid.Bool().Draw(t, "retry_after") {
		r = retryAfter(r, drawDuration(t, "after"))
	}
	if rapid.Bool().Draw(t, "reset_at") {
		r = resetAt(r, noon.Add(drawDuration(t, "reset")))
	}
	return r
}

// drawDuration prefers the spans around which policies differ.
func drawDuration(t *rapid.T, label string) time.Duration {
	near := rapid.Int64Range(-int64(2*time.Minute), int64(2*time.Minute))
	far := rapid.Int64Range(0, int64(50*24*time.Hour))
	return time.Duration(rapid.OneOf(near, far, rapid.Int64()).Draw(t, label))
}

func TestRetriesNeverComeSoonerThanTheOneBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := calm(rapid.SampledFrom(contexts()).Draw(t, "context"))
		r := drawFailure(t, []classification.Code{classification.ProviderOverloaded, classification.NetworkUnavailable})
		waits, _ := follow(f, r, rapid.Float64Range(0, 0.999).Draw(t, "jitter"))
		if len(waits) > 5 {
			t.Fatalf("%d attempts", len(waits))
		}
		if f.Context == recovery.ContextInteractive {
			for i := 1; i < len(waits); i++ {
				if waits[i] < waits[i-1] {
					t.Fatalf("%v", waits)
				}
			}
		}
	})
}
