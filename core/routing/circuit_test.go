package routing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

const lease = 30 * time.Second

func TestOpeningIsTimedOrAPersons(t *testing.T) {
	t.Parallel()
	for _, row := range routing.ResourceTable() {
		if row.Opens == routing.OpensNever {
			continue
		}
		c := opened(claude.KeyAt(row.Scope), row.Code, noon)
		assert.Equal(t, routing.Open, c.State, "%s", row.Code)
		assert.Equal(t, 1, c.Openings)
		assert.True(t, c.Owned(), "%s", row.Code)
		if row.Person {
			assert.True(t, c.Until.IsZero(), "%s", row.Code)
			assert.Equal(t, routing.Step{Kind: routing.StepPerson, Remedy: recovery.CauseOf(row.Code).Remedy}, c.NextStep(noon.Add(24*time.Hour)), "%s", row.Code)
			continue
		}
		assert.Equal(t, noon.Add(2*time.Minute), c.Until, "%s", row.Code)
		assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: routing.LadderSource}, c.Receipt)
	}
}

// The circuit and the park that Decide would make of the same failure are due
// together.
func TestACircuitIsDueWhenTheParkOfItsFailureIs(t *testing.T) {
	t.Parallel()
	for _, r := range []classification.Result{
		failure(classification.ProviderOverloaded, noon), failure(classification.QuotaLimited, noon),
		resetAt(failure(classification.QuotaLimited, noon), noon.Add(4*time.Hour)),
		retryAfter(failure(classification.RateLimited, noon), 10*time.Minute),
		resetAt(failure(classification.QuotaLimited, noon), noon.Add(100*24*time.Hour)), // beyond belief
		resetAt(failure(classification.QuotaLimited, noon), noon.Add(-time.Hour)),
	} {
		for _, jitter := range []float64{0, 0.37, 0.999} {
			f := spent("run", noon, noon, r)
			f.Decision = recovery.Decide(calm(recovery.Immediate()), r, settings, noon, jitter)
			require.Equal(t, recovery.ActionPark, f.Decision.Action)
			c, e, changed := routing.NewCircuit(accountKey(claude)).Open(f, routing.Pace{Settings: settings, Now: noon, Jitter: jitter})
			require.True(t, changed)
			assert.Equal(t, f.Decision.RetryAt, c.Until, "%s %v", r.Code, r.ResetAt)
			assert.Equal(t, f.Decision.Receipt, c.Receipt)
			assert.Equal(t, routing.Event{
				Kind: routing.EventOpened, Key: c.Key, From: routing.Closed, To: routing.Open, Code: r.Code, Until: c.Until,
				Receipt: c.Receipt, Remedy: recovery.RemedyWait, Openings: 1, RunID: "run", Version: 1, OccurredAt: noon,
			}, e)
		}
	}
}

func TestTheLadderGrowsWithFailedProbesAndStartsAnewAfterSuccess(t *testing.T) {
	t.Parallel()
	now := noon
	c := opened(providerKey(claude), classification.ProviderOverloaded, now)
	for _, step := range []time.Duration{5, 10, 20, 60, 60} {
		now = c.Until
		c, _, _ = c.TakeProbe("probe", "host", lease, now)
		require.True(t, c.Holds("probe"))
		var changed bool
		c, _, changed = c.ProbeFailed(spent("probe", now, now, failure(classification.ProviderOverloaded, now)), pace(now))
		require.True(t, changed)
		assert.Equal(t, now.Add(step*time.Minute), c.Until)
	}
	assert.Equal(t, 6, c.Openings)
	c, _, _ = c.TakeProbe("probe", "host", lease, c.Until)
	c, e, changed := c.ProbeSucceeded("probe", c.UpdatedAt.Add(time.Second))
	require.True(t, changed)
	assert.Equal(t, routing.EventClosed, e.Kind)
	assert.Equal(t, routing.HalfOpen, e.From)
	assert.Zero(t, c.Openings)
	assert.Equal(t, routing.StepGo, c.NextStep(noon).Kind)
}

func TestSecondsThatAreStatedAgainAndAgainAreNotPolled(t *testing.T) {
	t.Parallel()
	again := func(at time.Time) classification.Result {
		return retryAfter(failure(classification.ProviderOverloaded, at), 5*time.Second)
	}
	c, _, _ := routing.NewCircuit(providerKey(claude)).Open(spent("a", noon, noon, again(noon)), pace(noon))
	assert.Equal(t, noon.Add(5*time.Second), c.Until, "stated goes first")
	now := c.Until
	c, _, _ = c.TakeProbe("b", "host", lease, now)
	c, _, _ = c.ProbeFailed(spent("b", now, now, again(now)), pace(now))
	assert.Equal(t, now.Add(5*time.Minute), c.Until)
}

func TestNothingShortensWhatWasStated(t *testing.T) {
	t.Parallel()
	reset := noon.Add(4 * time.Hour)
	c, _, _ := routing.NewCircuit(accountKey(claude)).Open(spent("a", noon, noon, resetAt(failure(classification.QuotaLimited, noon), reset)), pace(noon))
	require.Equal(t, reset.Add(30*time.Second), c.Until)
	later := noon.Add(time.Minute)
	next, _, changed := c.Open(spent("b", later, later, failure(classification.QuotaLimited, later)), pace(later))
	require.True(t, changed)
	assert.Equal(t, c.Until, next.Until)
	assert.Equal(t, recovery.ReceiptStated, next.Receipt.Kind)
	next, _, _ = c.Open(spent("b", later, later, failure(classification.AuthRequired, later)), pace(later))
	assert.True(t, next.Until.IsZero(), "no time heals that")
}

// What was only estimated gives way to what is stated, even if that is earlier.
func TestWhatIsStatedShortensAnEstimate(t *testing.T) {
	t.Parallel()
	c := opened(accountKey(claude), classification.QuotaLimited, noon)
	for range 4 {
		at := c.OpenedAt.Add(time.Second)
		c, _, _ = c.Open(spent("b", at, at, failure(classification.QuotaLimited, at)), pace(at))
	}
	require.Equal(t, c.OpenedAt.Add(time.Hour), c.Until)
	at := c.OpenedAt.Add(time.Second)
	c, _, _ = c.Open(spent("b", at, at, resetAt(failure(classification.QuotaLimited, at), at.Add(10*time.Minute))), pace(at))
	assert.Equal(t, at.Add(10*time.Minute+30*time.Second), c.Until)
}

// A probe counts by its name, not by when it began.
func TestAProbeOfTheSameInstantCounts(t *testing.T) {
	t.Parallel()
	c := opened(accountKey(claude), classification.AuthRequired, noon)
	c, _, _ = c.ForceHalfOpen("ann", noon)
	c, _, _ = c.TakeProbe("probe", "host", lease, noon)
	require.True(t, c.Holds("probe"))
	assert.False(t, third(c.Succeeded("other", noon, noon)))
	assert.True(t, third(c.Succeeded("probe", noon, noon)))
}

func TestAStaleFailureChangesNothing(t *testing.T) {
	t.Parallel()
	key := providerKey(claude)
	open := opened(key, classification.ProviderOverloaded, noon)
	closed, _, _ := open.Succeeded("x", noon.Add(time.Second), noon.Add(time.Minute))
	now := noon.Add(time.Hour)
	for name, c := range map[string]struct {
		circuit routing.Circuit
		began   time.Time
		changes bool
	}{
		"open, began before":     {open, noon.Add(-time.Second), false},
		"open, began with it":    {open, noon, false},
		"open, began after":      {open, noon.Add(time.Microsecond), true},
		"closed, began before":   {closed, noon.Add(time.Minute - 1), false},
		"closed, began with it":  {closed, noon.Add(time.Minute), true},
		"never opened":           {routing.NewCircuit(key), noon, true},
		"closed, unknown start":  {closed, time.Time{}, false},
		"being probed, by other": {probed(open), now, false},
	} {
		got, e, changed := c.circuit.Open(spent("late", c.began, now, failure(classification.AuthRequired, now)), pace(now))
		assert.Equal(t, c.changes, changed, name)
		if !c.changes {
			assert.Equal(t, c.circuit, got, name)
			assert.Equal(t, routing.Event{}, e, name)
		}
	}
}

func probed(c routing.Circuit) routing.Circuit {
	c, _, _ = c.TakeProbe("probe", "host", lease, c.Until)
	return c
}

func TestOneProbeAndItsHolderOnly(t *testing.T) {
	t.Parallel()
	open := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	_, _, early := open.TakeProbe("a", "host", lease, open.Until.Add(-time.Nanosecond))
	assert.False(t, early)
	c := probed(open)
	require.Equal(t, routing.Probe{RunID: "probe", HostID: "host", LeaseExpiresAt: open.Until.Add(lease)}, c.Probe)
	now := open.Until.Add(time.Second)
	_, _, second := c.TakeProbe("b", "host", lease, now)
	assert.False(t, second)
	_, _, again := c.TakeProbe("probe", "host", lease, now)
	assert.False(t, again)
	for name, changed := range map[string]bool{
		"succeeded": third(c.ProbeSucceeded("b", now)), "failed": third(c.ProbeFailed(spent("b", now, now, failure(classification.ProviderOverloaded, now)), pace(now))),
		"unclear": third(c.ProbeUnclear("b", pace(now))), "released": third(c.ReleaseProbe("b", now)), "renewed": third(c.RenewProbe("b", lease, now)),
		"lost": third(c.ProbeLost(now)), "forced": third(c.ForceHalfOpen("ann", now)), "began before": third(c.Succeeded("b", noon, now)),
		"nobody": third(c.ProbeSucceeded("", now)),
	} {
		assert.False(t, changed, name)
	}
	renewed, e, changed := c.RenewProbe("probe", lease, now)
	require.True(t, changed)
	assert.Equal(t, routing.Event{}, e)
	assert.False(t, third(renewed.ProbeLost(open.Until.Add(lease))), "renewed")
	assert.False(t, third(renewed.RenewProbe("probe", lease, now)), "nothing gained")
}

func third(_ routing.Circuit, _ routing.Event, changed bool) bool { return changed }

func TestALostProbeIsDueAtOnceForTheNext(t *testing.T) {
	t.Parallel()
	c := probed(opened(providerKey(claude), classification.ProviderOverloaded, noon))
	over := c.Probe.LeaseExpiresAt
	taken, _, changed := c.TakeProbe("next", "other", lease, over)
	require.True(t, changed, "without a reconciler too")
	assert.True(t, taken.Holds("next"))
	lost, e, changed := c.ProbeLost(over)
	require.True(t, changed)
	assert.Equal(t, routing.EventProbeLost, e.Kind)
	assert.Equal(t, 1, lost.Openings, "it is no failure")
	assert.Equal(t, routing.StepProbe, lost.NextStep(over).Kind)
	assert.True(t, lost.Owned())
	assert.False(t, third(taken.ProbeSucceeded("probe", over)), "the lost one is too late")
}

func TestWhatAPersonDoesIsNamed(t *testing.T) {
	t.Parallel()
	c := opened(accountKey(claude), classification.AuthRequired, noon)
	later := noon.Add(time.Hour)
	assert.False(t, third(c.ForceHalfOpen("", later)))
	assert.False(t, third(c.ResetBy("", later)))
	half, e, changed := c.ForceHalfOpen("ann", later)
	require.True(t, changed)
	assert.Equal(t, routing.EventHalfOpened, e.Kind)
	assert.Equal(t, "ann", e.By)
	assert.True(t, half.Owned())
	assert.False(t, third(half.ForceHalfOpen("bob", later)), "it is already")
	assert.Equal(t, routing.StepProbe, half.NextStep(later).Kind)
	taken, _, changed := half.TakeProbe("probe", "host", lease, later)
	require.True(t, changed)
	back, _, _ := taken.ReleaseProbe("probe", later)
	assert.True(t, back.Owned())
	assert.Equal(t, routing.StepProbe, back.NextStep(later).Kind, "what a person fixed stays fixed until it is tried")
	shut, e, changed := back.ResetBy("bob", later)
	require.True(t, changed)
	assert.Equal(t, routing.Event{Kind: routing.EventReset, Key: c.Key, From: routing.Open, To: routing.Closed, By: "bob", Version: shut.Version, OccurredAt: later}, e)
	assert.False(t, third(shut.ResetBy("bob", later)))
	assert.False(t, third(shut.ForceHalfOpen("bob", later)))
}
