package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestHintHorizons(t *testing.T) {
	t.Parallel()
	const days = 24 * time.Hour
	cases := []struct {
		code     classification.Code
		ahead    time.Duration
		believed bool
	}{
		{classification.ProviderOverloaded, 8 * days, true},
		{classification.ProviderOverloaded, 8*days + 1, false},
		{classification.AuthRequired, 9 * days, false},
		{classification.QuotaLimited, 39 * days, true},
		{classification.QuotaLimited, 40 * days, true},
		{classification.QuotaLimited, 40*days + 1, false},
		{classification.QuotaLimited, 0, false},
		{classification.QuotaLimited, -1, false},
	}
	for _, c := range cases {
		for _, r := range []classification.Result{retryAfter(failure(c.code), c.ahead), resetAt(failure(c.code), noon.Add(c.ahead))} {
			d := decide(calm(recovery.ContextInteractive), r)
			assert.Equal(t, c.believed, !d.HintShown.IsZero(), "%s in %s", c.code, c.ahead)
			if c.believed {
				assert.Equal(t, noon.Add(c.ahead), d.HintShown)
			}
		}
	}
}

func TestAWaitOfNothingIsNoStatedReset(t *testing.T) {
	t.Parallel()
	d := decide(patient(0), retryAfter(failure(classification.QuotaLimited), 0))
	assert.Equal(t, recovery.ActionStop, d.Action)
	assert.Equal(t, recovery.ReasonResetNotStated, d.Reason)
}

// Two stated deadlines of which one cannot be believed prove that something is
// wrong with the evidence: neither gives a countdown.
func TestOneAbsurdDeadlineSpoilsTheOther(t *testing.T) {
	t.Parallel()
	r := resetAt(retryAfter(failure(classification.QuotaLimited), time.Minute), noon.Add(41*24*time.Hour))
	d := decide(patient(0), r)
	assert.Equal(t, recovery.ActionStop, d.Action)
	assert.Equal(t, recovery.ReasonWaitTooLong, d.Reason)
	assert.True(t, d.HintShown.IsZero())
	assert.Contains(t, d.Because, "hint=beyond_horizon")
}

func TestPublishedInstantsAreRoundedUp(t *testing.T) {
	t.Parallel()
	s := recovery.Defaults()
	overloaded := failure(classification.ProviderOverloaded)
	odd := noon.Add(1)
	d := recovery.Decide(calm(recovery.ContextInteractive), overloaded, s, odd, 0)
	assert.Equal(t, noon.Add(5*time.Second+time.Millisecond), d.RetryAt)

	d = decide(calm(recovery.ContextInteractive), retryAfter(overloaded, 7*time.Second+1))
	assert.Equal(t, noon.Add(7*time.Second+time.Millisecond), d.RetryAt, "never before the hint")
	assert.Equal(t, noon.Add(7*time.Second+1), d.HintShown, "which is shown as it was stated")
}

func TestInstantsAreUTCWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("elsewhere", 5*60*60)
	r := resetAt(failure(classification.QuotaLimited), noon.Add(time.Hour).In(zone))
	d := recovery.Decide(patient(0), r, recovery.Defaults(), noon.In(zone), 0)
	assert.Equal(t, time.UTC, d.RetryAt.Location())
	assert.Equal(t, time.UTC, d.HintShown.Location())
	assert.Equal(t, noon.Add(time.Hour+30*time.Second), d.RetryAt)
}
