package recovery

import "time"

// resolution is that of every published instant, so that database, JSON and
// screens show the same one.
const resolution = time.Millisecond

// Backoff is first × 2ⁿ, at most limit. It cannot overflow; a negative n or
// first counts as 0.
func Backoff(first time.Duration, n int, limit time.Duration) time.Duration {
	d := min(max(first, 0), limit)
	if d == 0 {
		return 0
	}
	for range n {
		if d > limit-d {
			return limit
		}
		d *= 2
	}
	return d
}

// Rung is the n-th delay of a ladder, from 0; the last one repeats, a negative
// n is the first. Without delays it is 0.
func Rung(delays []time.Duration, n int) time.Duration {
	if len(delays) == 0 {
		return 0
	}
	return delays[min(max(n, 0), len(delays)-1)]
}

// Jittered adds between nothing and the given fraction to a nominal delay.
// jitter is drawn from [0,1); a value outside is moved inside, and what is no
// number adds nothing. The extra is cut to whole milliseconds.
func Jittered(nominal time.Duration, fraction, jitter float64) time.Duration {
	if !(jitter > 0) || !(fraction > 0) || nominal <= 0 {
		return nominal
	}
	most := float64(nominal) * min(fraction, 1)
	extra := time.Duration(most * min(jitter, 1)).Truncate(resolution)
	if extra < 0 || nominal > maxDuration-extra {
		return nominal
	}
	return nominal + extra
}

const maxDuration = time.Duration(1<<63 - 1)

// published rounds up to the resolution: rounding down could end before a hint.
func published(t time.Time) time.Time {
	t = t.UTC()
	if cut := t.Truncate(resolution); cut.Before(t) {
		return cut.Add(resolution)
	}
	return t
}
