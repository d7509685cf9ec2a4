package recovery_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// decideZoned is decide with a zone database.
func decideZoned(f recovery.Facts, r classification.Result) recovery.Decision {
	s := recovery.Defaults()
	s.Zones = time.LoadLocation
	return recovery.Decide(f, r, s, noon, 0)
}

func nights() recovery.RunWindow { return recovery.RunWindow{Start: 22 * 60, End: 6 * 60, Zone: "UTC"} }

// bounded are facts of which one bound each forbids the next attempt.
func bounded() map[string]recovery.Facts {
	all := map[string]recovery.Facts{}
	for name, put := range map[string]func(*recovery.Facts){
		"off":                  func(f *recovery.Facts) { f.RecoveryOff = true },
		"run_window":           func(f *recovery.Facts) { f.Consent.RunWindow = nights() },
		"max_attempts_per_day": func(f *recovery.Facts) { f.Consent.MaxAttemptsPerDay, f.Usage.RunsLastDay = 2, 2 },
		"max_cost_per_run":     func(f *recovery.Facts) { f.Consent.MaxCostPerRun, f.Usage.CostUSD = 0.5, 0.51 },
		"max_total_wait":       func(f *recovery.Facts) { f.Consent.MaxTotalWait, f.Progress.WaitedTotal = time.Hour, time.Hour+1 },
	} {
		f := calm(recovery.ContextInteractive)
		put(&f)
		all[name] = f
	}
	return all
}

func TestEveryBoundHoldsWhatWouldGoOnByItself(t *testing.T) {
	t.Parallel()
	want := map[string]recovery.ParkReason{
		"off": recovery.ParkRecoveryOff, "run_window": recovery.ParkOutsideRunWindow, "max_attempts_per_day": recovery.ParkBudgetExhausted,
		"max_cost_per_run": recovery.ParkBudgetExhausted, "max_total_wait": recovery.ParkBudgetExhausted,
	}
	for name, f := range bounded() {
		d := decideZoned(f, failure(classification.ProviderOverloaded))
		require.Equal(t, recovery.ActionPark, d.Action, name)
		assert.Equal(t, want[name], d.ParkReason, name)
		assert.Contains(t, d.Because, "consent="+name)
		assert.True(t, d.Owned(), name)
		assert.Equal(t, recovery.BoundaryEffectFree, d.Boundary, "%s: what a person lets go on is as safe as before", name)
		assert.Equal(t, d.ParkReason.Timed(), !d.RetryAt.IsZero(), name)
		if !d.ParkReason.Timed() {
			assert.Equal(t, f.Progress, d.Progress, "%s: what was taken back used nothing up", name)
			assert.Equal(t, recovery.NextContinue, recovery.Summarise(f, failure(classification.ProviderOverloaded), d).Next)
		}
	}
}

func TestABoundThatIsNotReachedChangesNothing(t *testing.T) {
	t.Parallel()
	r := failure(classification.ProviderOverloaded)
	want := decideZoned(calm(recovery.ContextInteractive), r)
	for name, put := range map[string]func(*recovery.Facts){
		"open window": func(f *recovery.Facts) {
			f.Consent.RunWindow = recovery.RunWindow{Start: 12 * 60, End: 13 * 60, Zone: "UTC"}
		},
		"a run is left":   func(f *recovery.Facts) { f.Consent.MaxAttemptsPerDay, f.Usage.RunsLastDay = 3, 2 },
		"exactly so dear": func(f *recovery.Facts) { f.Consent.MaxCostPerRun, f.Usage.CostUSD = 0.5, 0.5 },
		"no bound":        func(f *recovery.Facts) { f.Usage.RunsLastDay, f.Usage.CostUSD = 99, 1e9 },
		"a long consent":  func(f *recovery.Facts) { f.Consent.MaxTotalWait = time.Hour },
	} {
		f := calm(recovery.ContextInteractive)
		put(&f)
		assert.Equal(t, want, decideZoned(f, r), name)
	}
}

func TestWhatWaitsForAPersonAnywayIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	for _, r := range []classification.Result{failure(classification.AuthRequired), failure(classification.TaskError), failure(classification.Unclassified)} {
		for _, base := range []recovery.Facts{calm(recovery.ContextInteractive), unattended(0)} {
			want := decideZoned(base, r)
			for name, b := range bounded() {
				f := base
				f.RecoveryOff, f.Consent, f.Usage = b.RecoveryOff, b.Consent, b.Usage
				assert.Equal(t, want, decideZoned(f, r), "%s %s", name, r.Code)
			}
		}
	}
}

func TestAnAttemptIsMovedToTheNextOpening(t *testing.T) {
	t.Parallel()
	open := time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
	f := calm(recovery.ContextInteractive)
	f.Consent.RunWindow = nights()
	d := decideZoned(f, failure(classification.ProviderOverloaded))
	assert.Equal(t, open, d.RetryAt)
	assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptPerson, Source: "run_window"}, d.Receipt)
	assert.Zero(t, d.Progress.WaitedTotal, "closed hours are no wait")

	late := resetAt(failure(classification.QuotaLimited), time.Date(2026, 3, 2, 6, 30, 0, 0, time.UTC))
	f = patient(24 * time.Hour)
	f.Consent.RunWindow = nights()
	d = decideZoned(f, late)
	assert.Equal(t, open.Add(24*time.Hour), d.RetryAt, "the reset comes after tonight's window: never before it")
	assert.Equal(t, late.ResetAt, d.HintShown)
	assert.Equal(t, 18*time.Hour+30*time.Minute, d.Progress.WaitedTotal)

	inside := resetAt(failure(classification.QuotaLimited), open.Add(time.Hour))
	assert.Equal(t, recovery.ActionWait, decideZoned(f, inside).Action, "a reset inside the window is waited for")
}

func TestTheTotalOfAllWaitsIsAPersonsBound(t *testing.T) {
	t.Parallel()
	f := unattended(0)
	f.Consent.MaxTotalWait = time.Hour
	var parks int
	for range 20 {
		d := decideZoned(f, failure(classification.QuotaLimited))
		require.Equal(t, recovery.ActionPark, d.Action)
		if d.ParkReason == recovery.ParkBudgetExhausted {
			break
		}
		parks++
		f.Progress = d.Progress.NextCycle()
	}
	assert.Equal(t, 4, parks, "2, 5, 10 and 20 minutes; with 60 more the hour would be passed")
	assert.Equal(t, 37*time.Minute, f.Progress.WaitedTotal)
}

func TestAnAttemptADayAwayIsNoneOfThisDay(t *testing.T) {
	t.Parallel()
	f := patient(7 * 24 * time.Hour)
	f.Consent.MaxAttemptsPerDay, f.Usage.RunsLastDay = 1, 1
	assert.Equal(t, recovery.ActionWait, decideZoned(f, retryAfter(failure(classification.QuotaLimited), 25*time.Hour)).Action)
	assert.Equal(t, recovery.ParkBudgetExhausted, decideZoned(f, retryAfter(failure(classification.QuotaLimited), 23*time.Hour)).ParkReason)
}

func TestBoundsFailClosed(t *testing.T) {
	t.Parallel()
	f := calm(recovery.ContextInteractive)
	f.Consent.MaxCostPerRun, f.Usage.CostUSD = 1, math.NaN()
	assert.Equal(t, recovery.ParkBudgetExhausted, decideZoned(f, failure(classification.ProviderOverloaded)).ParkReason)
	f = calm(recovery.ContextInteractive)
	f.Consent.RunWindow = recovery.RunWindow{Start: 1, End: 2, Zone: "Mars/Olympus"}
	d := decideZoned(f, failure(classification.ProviderOverloaded))
	assert.Equal(t, []any{recovery.ActionStop, recovery.ReasonPolicyInvalid}, []any{d.Action, d.Reason})
	f.Consent.RunWindow = nights()
	assert.Equal(t, recovery.ReasonPolicyInvalid, decide(f, failure(classification.ProviderOverloaded)).Reason, "no zones, no window")
}

func TestTheOffSwitchHoldsALaunchToo(t *testing.T) {
	t.Parallel()
	f := unstarted()
	f.RecoveryOff = true
	d := decideZoned(f, failure(classification.AgentRuntimeError))
	assert.Equal(t, recovery.ParkRecoveryOff, d.ParkReason)
	assert.Zero(t, d.Progress.Runtime)
}

func TestConsentIsCheckedBeforeItIsTaken(t *testing.T) {
	t.Parallel()
	b := recovery.Defaults().Policy
	require.NoError(t, recovery.Consent{}.Validate(b, nil))
	require.NoError(t, recovery.Consent{MaxTotalWait: time.Second, MaxAttemptsPerDay: 1, MaxCostPerRun: 0.01, RunWindow: nights()}.Validate(b, time.LoadLocation))
	for field, c := range map[string]recovery.Consent{
		"max_total_wait":       {MaxTotalWait: time.Millisecond},
		"max_attempts_per_day": {MaxAttemptsPerDay: -1},
		"max_cost_per_run_usd": {MaxCostPerRun: math.NaN()},
		"run_window.time_zone": {RunWindow: recovery.RunWindow{Start: 1, End: 2}},
	} {
		err := c.Validate(b, time.LoadLocation)
		require.Error(t, err, field)
		require.Equal(t, field, fault.From(err).Violations[0].Field)
	}
}
