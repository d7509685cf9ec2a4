package recovery_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// follow fails the same way until the policy gives up, and returns the waits.
func follow(f recovery.Facts, r classification.Result, jitter float64) (waits []time.Duration, last recovery.Decision) {
	for range 100 {
		last = recovery.Decide(f, r, recovery.Defaults(), noon, jitter)
		if last.Action != recovery.ActionRetry && last.Action != recovery.ActionWait {
			return waits, last
		}
		waits = append(waits, last.RetryAt.Sub(noon))
		f.Progress = last.Progress
	}
	return waits, last
}

func seconds(values ...float64) []time.Duration {
	waits := make([]time.Duration, 0, len(values))
	for _, v := range values {
		waits = append(waits, time.Duration(v*float64(time.Second)))
	}
	return waits
}

func TestInteractiveRetriesFiveTimesOnTheNominalDelays(t *testing.T) {
	t.Parallel()
	for _, code := range []classification.Code{
		classification.NetworkUnavailable, classification.ProviderOverloaded, classification.ProviderUnavailable,
		classification.ModelCapacity, classification.AgentTransportLost, classification.RateLimited,
	} {
		r := throttled(failure(code), classification.ThrottleShort)
		waits, last := follow(calm(recovery.ContextInteractive), r, 0)
		assert.Equal(t, seconds(5, 10, 20, 40, 60), waits, "%s", code)
		assert.Equal(t, recovery.ActionStop, last.Action)
		assert.Equal(t, recovery.ReasonBudgetExhausted, last.Reason)
		assert.Equal(t, 5, last.Ordinal)
		assert.Equal(t, 5, last.MaxAttempts)

		late, _ := follow(calm(recovery.ContextInteractive), r, 0.5)
		assert.Equal(t, seconds(5.5, 11, 22, 44, 66), late, "%s with jitter", code)
	}
}

func TestInteractiveRetrySaysWhatItShows(t *testing.T) {
	t.Parallel()
	f := calm(recovery.ContextInteractive)
	f.Progress.Transient.Retries = 1
	d := decide(f, failure(classification.ModelCapacity))
	assert.Equal(t, recovery.ActionRetry, d.Action)
	assert.Equal(t, recovery.ReasonShortRetry, d.Reason)
	assert.Equal(t, recovery.BoundaryEffectFree, d.Boundary)
	assert.Equal(t, noon.Add(10*time.Second), d.RetryAt)
	assert.Equal(t, 2, d.Ordinal)
	assert.Equal(t, 5, d.MaxAttempts)
	assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: "interactive@1"}, d.Receipt)
	assert.False(t, d.SendContinue)
	assert.Equal(t, "interactive@1", d.Policy)
	assert.Equal(t, []string{
		"code=model_capacity", "rule=test.rule", "boundary=effect_free", "policy=interactive@1", "row=retry",
		"retry=2/5", "delay=10s", "retry_at=2026-03-01T12:00:10Z", "receipt=estimated", "action=retry", "reason=short_retry",
	}, d.Because)
}

func TestInteractiveHints(t *testing.T) {
	t.Parallel()
	overloaded := failure(classification.ProviderOverloaded)
	cases := []struct {
		name   string
		result classification.Result
		want   time.Duration // until the retry; 0 stops
		stated bool
	}{
		{"a shorter hint changes nothing", retryAfter(overloaded, 3*time.Second), 5 * time.Second, false},
		{"a longer hint is a lower bound", retryAfter(overloaded, 42*time.Second), 42 * time.Second, true},
		{"a minute is still short", retryAfter(overloaded, time.Minute), time.Minute, true},
		{"over a minute stops", retryAfter(overloaded, time.Minute+time.Millisecond), 0, false},
		{"a reset gets its margin", resetAt(overloaded, noon.Add(20*time.Second)), 50 * time.Second, true},
		{"the margin does not make a hint long", resetAt(overloaded, noon.Add(time.Minute)), 90 * time.Second, true},
		{"a far reset stops", resetAt(overloaded, noon.Add(4*time.Hour)), 0, false},
		{"a reset in the past is stale", resetAt(overloaded, noon.Add(-4*time.Hour)), 5 * time.Second, false},
		{"zero is no hot loop", retryAfter(overloaded, 0), 5 * time.Second, false},
		{"a negative wait is none", retryAfter(overloaded, -time.Hour), 5 * time.Second, false},
		{"beyond the horizon is not believed and not ignored", retryAfter(overloaded, 9*24*time.Hour), 0, false},
		{"the longest duration", retryAfter(overloaded, 1<<63-1), 0, false},
		{"the end of time", resetAt(overloaded, time.Unix(1<<62, 0)), 0, false},
		{"of two the later counts", resetAt(retryAfter(overloaded, 55*time.Second), noon.Add(time.Second)), 55 * time.Second, true},
		{"and the later one may be too far", resetAt(retryAfter(overloaded, time.Second), noon.Add(time.Hour)), 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := decide(calm(recovery.ContextInteractive), c.result)
			if c.want == 0 {
				assert.Equal(t, recovery.ActionStop, d.Action)
				assert.Equal(t, recovery.ReasonWaitTooLong, d.Reason)
				assert.True(t, d.RetryAt.IsZero())
				return
			}
			require.Equal(t, recovery.ActionRetry, d.Action)
			assert.Equal(t, c.want, d.RetryAt.Sub(noon))
			assert.Equal(t, c.stated, d.Receipt.Kind == recovery.ReceiptStated)
		})
	}
}

func TestALongHintIsShownAndABadOneIsNot(t *testing.T) {
	t.Parallel()
	reset := noon.Add(4 * time.Hour)
	d := decide(calm(recovery.ContextInteractive), resetAt(failure(classification.ProviderOverloaded), reset))
	assert.Equal(t, reset, d.HintShown)
	assert.Equal(t, "field resets_at", d.HintSource)
	assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptStated, Source: "field resets_at"}, d.Receipt)

	d = decide(calm(recovery.ContextInteractive), retryAfter(failure(classification.ProviderOverloaded), 9*24*time.Hour))
	assert.True(t, d.HintShown.IsZero(), "no countdown for what is not believed")
	assert.Empty(t, d.Receipt)
}

func TestInteractiveHardStops(t *testing.T) {
	t.Parallel()
	want := map[classification.Code]struct {
		reason recovery.Reason
		remedy recovery.Remedy
	}{
		classification.QuotaLimited:          {recovery.ReasonWaitNeedsConsent, recovery.RemedyWait},
		classification.SubscriptionRequired:  {recovery.ReasonPersonRequired, recovery.RemedyPay},
		classification.AuthRequired:          {recovery.ReasonPersonRequired, recovery.RemedyLogIn},
		classification.MissingCredentials:    {recovery.ReasonPersonRequired, recovery.RemedyLogIn},
		classification.ModelUnavailable:      {recovery.ReasonPersonRequired, recovery.RemedyFixInput},
		classification.ProviderNotConfigured: {recovery.ReasonPersonRequired, recovery.RemedyFixInput},
	}
	for code, w := range want {
		for _, r := range allHints(code) {
			d := decide(calm(recovery.ContextInteractive), r)
			assert.Equal(t, recovery.ActionStop, d.Action, "%s", code)
			assert.Equal(t, w.reason, d.Reason, "%s", code)
			assert.Equal(t, w.remedy, d.Remedy, "%s", code)
		}
	}
}

func TestOnlyAConfirmedShortThrottleIsRetried(t *testing.T) {
	t.Parallel()
	for _, throttle := range []classification.Throttle{"", classification.ThrottleUnknown, classification.ThrottleLong} {
		r := throttled(retryAfter(failure(classification.RateLimited), time.Second), throttle)
		d := decide(calm(recovery.ContextInteractive), r)
		assert.Equal(t, recovery.ReasonThrottleNotShort, d.Reason, "%q", throttle)
	}
}

func TestAReportThatTravelledLongDoesNotRestartTheHint(t *testing.T) {
	t.Parallel()
	r := retryAfter(failure(classification.ProviderOverloaded), 50*time.Second)
	for _, c := range []struct{ age, want time.Duration }{
		{30 * time.Second, 20 * time.Second},
		{48 * time.Second, 5 * time.Second},
		{time.Hour, 5 * time.Second},
		{-time.Hour, 50 * time.Second}, // the reporter's clock is fast
	} {
		r.OccurredAt = noon.Add(-c.age)
		d := decide(calm(recovery.ContextInteractive), r)
		assert.Equal(t, c.want, d.RetryAt.Sub(noon), fmt.Sprintf("%s old", c.age))
	}
}

func TestContextsAndPoliciesNobodyKnowsStop(t *testing.T) {
	t.Parallel()
	f := calm("kanban")
	assert.Equal(t, recovery.ReasonPolicyInvalid, decide(f, failure(classification.ProviderOverloaded)).Reason)
	f = calm(recovery.ContextDynamic)
	f.Policy = recovery.ClassPolicies{}
	assert.Equal(t, recovery.ReasonPolicyInvalid, decide(f, failure(classification.ProviderOverloaded)).Reason)
}
