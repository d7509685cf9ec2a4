package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func patient(maxWait time.Duration) recovery.Facts {
	f := calm(recovery.ContextDynamic)
	f.Policy = recovery.Patient(recovery.Defaults(), maxWait)
	return f
}

func unattended(candidatesLeft int) recovery.Facts {
	f := calm(recovery.ContextDynamic)
	f.Route.CandidatesLeft = candidatesLeft
	return f
}

func TestUnattendedShortPhaseThenTheNextCandidate(t *testing.T) {
	t.Parallel()
	for _, code := range []classification.Code{
		classification.NetworkUnavailable, classification.ProviderOverloaded, classification.ProviderUnavailable, classification.ModelCapacity,
	} {
		waits, last := follow(unattended(1), failure(code), 0)
		assert.Equal(t, seconds(5, 10, 20), waits, "%s", code)
		assert.Equal(t, recovery.ActionNextCandidate, last.Action)
		assert.Equal(t, recovery.ReasonBudgetExhausted, last.Reason)
		assert.Equal(t, "unattended_default@1", last.Policy)
	}
}

func TestUnattendedHardSkipsAtOnce(t *testing.T) {
	t.Parallel()
	for _, info := range classification.Codes() {
		if info.Class != classification.ClassHard {
			continue
		}
		d := decide(unattended(1), failure(info.Code))
		assert.Equal(t, recovery.ActionNextCandidate, d.Action, "%s", info.Code)
	}
}

func TestTheLastCandidateParks(t *testing.T) {
	t.Parallel()
	d := decide(unattended(0), failure(classification.QuotaLimited))
	assert.Equal(t, recovery.ActionPark, d.Action)
	assert.Equal(t, recovery.ParkProviderCapacity, d.ParkReason)
	assert.Equal(t, noon.Add(2*time.Minute), d.RetryAt)
	assert.Equal(t, recovery.ReceiptEstimated, d.Receipt.Kind)

	reset := noon.Add(3 * time.Hour)
	d = decide(unattended(0), resetAt(failure(classification.QuotaLimited), reset))
	assert.Equal(t, reset.Add(30*time.Second), d.RetryAt)
	assert.Equal(t, recovery.ReceiptStated, d.Receipt.Kind)

	d = decide(unattended(0), resetAt(failure(classification.AuthRequired), reset))
	assert.Equal(t, recovery.ParkProviderActionRequired, d.ParkReason)
	assert.True(t, d.RetryAt.IsZero(), "no timer for what only a person can mend")
	assert.Equal(t, recovery.RemedyLogIn, d.Remedy)
}

func TestTheLadderRisesWithTheOpeningsAndRepeats(t *testing.T) {
	t.Parallel()
	for openings, want := range []time.Duration{2, 5, 10, 20, 60, 60, 60} {
		f := unattended(0)
		f.Route.CircuitOpenings = openings
		d := decide(f, failure(classification.QuotaLimited))
		assert.Equal(t, want*time.Minute, d.RetryAt.Sub(noon), "opening %d", openings)
	}
}

func TestPatientWaitsOnceForAStatedResetThenStops(t *testing.T) {
	t.Parallel()
	reset := noon.Add(5 * time.Hour)
	first := decide(patient(0), resetAt(failure(classification.QuotaLimited), reset))
	require.Equal(t, recovery.ActionWait, first.Action)
	assert.Equal(t, recovery.ReasonResetWait, first.Reason)
	assert.Equal(t, reset.Add(30*time.Second), first.RetryAt)
	assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptStated, Source: "field resets_at"}, first.Receipt)
	assert.Zero(t, first.Ordinal, "a wait is no retry")

	again := patient(0)
	again.Progress = first.Progress
	second := decide(again, resetAt(failure(classification.QuotaLimited), reset))
	assert.Equal(t, recovery.ActionStop, second.Action)
	assert.Equal(t, recovery.ReasonWaitUsed, second.Reason)
	assert.Equal(t, reset, second.HintShown)
}

func TestPatientLimits(t *testing.T) {
	t.Parallel()
	quota := failure(classification.QuotaLimited)
	cases := []struct {
		name   string
		facts  recovery.Facts
		result classification.Result
		action recovery.Action
		reason recovery.Reason
	}{
		{"no stated reset", patient(0), quota, recovery.ActionStop, recovery.ReasonResetNotStated},
		{"a reset in the past", patient(0), resetAt(quota, noon.Add(-time.Hour)), recovery.ActionStop, recovery.ReasonResetNotStated},
		{"exactly the default", patient(0), resetAt(quota, noon.Add(5*time.Hour+30*time.Minute)), recovery.ActionWait, recovery.ReasonResetWait},
		{"a second more", patient(0), resetAt(quota, noon.Add(5*time.Hour+30*time.Minute+time.Second)), recovery.ActionStop, recovery.ReasonWaitTooLong},
		{"a longer consent", patient(7 * 24 * time.Hour), resetAt(quota, noon.Add(6*24*time.Hour)), recovery.ActionWait, recovery.ReasonResetWait},
		{"a shorter consent", patient(time.Hour), retryAfter(quota, 2*time.Hour), recovery.ActionStop, recovery.ReasonWaitTooLong},
		{"a month away", patient(7 * 24 * time.Hour), retryAfter(quota, 39*24*time.Hour), recovery.ActionStop, recovery.ReasonWaitTooLong},
		{"beyond the horizon", patient(0), retryAfter(quota, 41*24*time.Hour), recovery.ActionStop, recovery.ReasonWaitTooLong},
		{"no time mends a login", patient(0), retryAfter(failure(classification.AuthRequired), time.Minute), recovery.ActionStop, recovery.ReasonPersonRequired},
		{"nor a bill", patient(0), resetAt(failure(classification.SubscriptionRequired), noon.Add(time.Hour)), recovery.ActionStop, recovery.ReasonPersonRequired},
		{"an overload is retried as ever", patient(0), failure(classification.ProviderOverloaded), recovery.ActionRetry, recovery.ReasonShortRetry},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := decide(c.facts, c.result)
			assert.Equal(t, c.action, d.Action)
			assert.Equal(t, c.reason, d.Reason)
		})
	}
}

func TestPatienceIsBoundedInAll(t *testing.T) {
	t.Parallel()
	f := patient(time.Hour)
	overloaded := failure(classification.ProviderOverloaded)
	var parked time.Duration
	last := decide(f, overloaded)
	for range 100 {
		if f.Progress = last.Progress; last.Action == recovery.ActionPark {
			parked += last.RetryAt.Sub(noon)
			f.Progress = last.Progress.NextCycle()
		}
		if last = decide(f, overloaded); last.Action == recovery.ActionStop {
			break
		}
	}
	assert.Equal(t, recovery.ActionStop, last.Action, "it ends")
	assert.Equal(t, recovery.ReasonWaitTooLong, last.Reason)
	assert.Equal(t, 37*time.Minute, parked, "2, 5, 10 and 20 minutes; another hour would be too much")
	assert.Equal(t, 37*time.Minute, last.Progress.WaitedTotal)

	late := patient(time.Hour)
	late.Progress.WaitedTotal = 30 * time.Minute
	quota := failure(classification.QuotaLimited)
	assert.Equal(t, recovery.ActionWait, decide(late, retryAfter(quota, 30*time.Minute)).Action)
	d := decide(late, retryAfter(quota, 31*time.Minute))
	assert.Equal(t, recovery.ActionStop, d.Action)
	assert.Equal(t, recovery.ReasonWaitTooLong, d.Reason)

	d = decide(patient(0), resetAt(overloaded, noon.Add(6*time.Hour)))
	assert.Equal(t, recovery.ReasonWaitTooLong, d.Reason)
	assert.Equal(t, recovery.ActionStop, d.Action, "a park is a wait too")
}

func TestTotalsNeverOverflow(t *testing.T) {
	t.Parallel()
	f := unattended(0)
	f.Progress.WaitedTotal = longest - time.Second
	d := decide(f, failure(classification.QuotaLimited))
	assert.Equal(t, recovery.ActionPark, d.Action)
	assert.Equal(t, longest, d.Progress.WaitedTotal)
	f.Policy = recovery.Patient(recovery.Defaults(), time.Hour)
	assert.Equal(t, recovery.ReasonWaitTooLong, decide(f, retryAfter(failure(classification.QuotaLimited), time.Minute)).Reason)
}

func TestANewCycleForgetsCountersOnly(t *testing.T) {
	t.Parallel()
	spent := recovery.ClassProgress{Retries: 3, Waited: true}
	p := recovery.Progress{Transient: spent, Hard: spent, Parks: 2, WaitedTotal: time.Hour}
	assert.Equal(t, recovery.Progress{Parks: 2, WaitedTotal: time.Hour}, p.NextCycle())
}

func TestAResetThatPassedOnTheWayIsDueNow(t *testing.T) {
	t.Parallel()
	r := resetAt(failure(classification.QuotaLimited), noon.Add(-time.Minute))
	r.OccurredAt = noon.Add(-time.Hour)
	d := decide(patient(0), r)
	assert.Equal(t, recovery.ActionWait, d.Action)
	assert.Equal(t, noon, d.RetryAt)
	r.ResetAt = noon.Add(-10 * time.Second)
	assert.Equal(t, noon.Add(20*time.Second), decide(patient(0), r).RetryAt, "the margin still counts")
}

func TestAWaitNeitherUsesNorRestoresTheBudget(t *testing.T) {
	t.Parallel()
	hinted := retryAfter(failure(classification.ProviderOverloaded), 30*time.Second)
	waits, last := follow(unattended(0), hinted, 0)
	assert.Equal(t, seconds(30, 30, 30, 30), waits, "one wait, then three retries that respect the hint")
	assert.Equal(t, recovery.ClassProgress{Retries: 3, Waited: true}, last.Progress.Transient)
	assert.Zero(t, last.Progress.Hard, "ordinals are per class")
}

func TestNoRetryBeforeAHintThatThePolicyWillNotAwait(t *testing.T) {
	t.Parallel()
	for _, hint := range []time.Duration{61 * time.Second, time.Hour, 9 * 24 * time.Hour} {
		d := decide(unattended(1), retryAfter(failure(classification.ProviderOverloaded), hint))
		assert.Equal(t, recovery.ActionNextCandidate, d.Action)
		assert.Equal(t, recovery.ReasonWaitTooLong, d.Reason)
	}
}

func TestThrottlesThatAreNotShortHaveNoShortPhase(t *testing.T) {
	t.Parallel()
	limited := failure(classification.RateLimited)
	cases := []struct {
		name   string
		result classification.Result
		want   recovery.Action
	}{
		{"unknown", limited, recovery.ActionNextCandidate},
		{"long", throttled(limited, classification.ThrottleLong), recovery.ActionNextCandidate},
		{"short", throttled(limited, classification.ThrottleShort), recovery.ActionRetry},
		{"unknown with a stated minute", retryAfter(limited, time.Minute), recovery.ActionWait},
		{"unknown with more than a minute", retryAfter(limited, 2*time.Minute), recovery.ActionNextCandidate},
	}
	for _, c := range cases {
		d := decide(unattended(1), c.result)
		assert.Equal(t, c.want, d.Action, c.name)
	}
}

func TestALostTransportIsTriedThreeTimesInLaunchThenAPersonDecides(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]recovery.ClassPolicies{
		"unattended": recovery.Unattended(recovery.Defaults()),
		"generous": {Version: 1, Hard: recovery.ClassPolicy{OnExhausted: recovery.ExhaustedSkip}, Transient: recovery.ClassPolicy{
			Retry:       recovery.RetryPolicy{Enabled: true, MaxRetries: 10, InitialInterval: 5 * time.Second},
			OnExhausted: recovery.ExhaustedSkip,
		}},
	} {
		f := unattended(1)
		f.Phase, f.Policy = evidence.PhaseLaunch, policy
		waits, last := follow(f, failure(classification.AgentTransportLost), 0)
		assert.Equal(t, seconds(5, 10, 20), waits, name)
		assert.Equal(t, recovery.ActionStop, last.Action, name)
	}
}

func TestALostTransportHasNoResetToWaitFor(t *testing.T) {
	t.Parallel()
	f := launch(unattended(1))
	d := decide(f, retryAfter(failure(classification.AgentTransportLost), 30*time.Second))
	assert.Equal(t, recovery.ActionRetry, d.Action)
	assert.Equal(t, noon.Add(30*time.Second), d.RetryAt)
	assert.Equal(t, 1, d.Ordinal)
}

func TestAHardRetryThatSomebodyConfiguredIsHonoured(t *testing.T) {
	t.Parallel()
	f := unattended(1)
	f.Policy.Hard = recovery.ClassPolicy{
		Retry:       recovery.RetryPolicy{Enabled: true, MaxRetries: 6, InitialInterval: time.Hour},
		OnExhausted: recovery.ExhaustedStop,
	}
	waits, last := follow(f, failure(classification.QuotaLimited), 0)
	hours := make([]float64, 0, len(waits))
	for _, w := range waits {
		hours = append(hours, w.Hours())
	}
	assert.Equal(t, []float64{1, 2, 4, 8, 16, 24}, hours, "doubling, at most a day")
	assert.Equal(t, recovery.ReasonBudgetExhausted, last.Reason)
}

func TestAResumeTokenNeverCrossesProfiles(t *testing.T) {
	t.Parallel()
	f := withResume(unattended(1))
	f.Effects = toolSeen()
	quota := failure(classification.QuotaLimited)
	d := decide(f, quota)
	assert.Equal(t, recovery.ActionStop, d.Action)
	assert.Equal(t, recovery.Reason(recovery.StopEffectsObserved), d.Reason)

	f.Unattended = true
	d = decide(f, quota)
	assert.Equal(t, recovery.ActionNextCandidate, d.Action)
	assert.Equal(t, recovery.BoundaryContinuation, d.Boundary)
	assert.False(t, d.SendContinue)
}
