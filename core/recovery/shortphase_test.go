package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestLaunchesAfterARecoveryDoubleEachSecond(t *testing.T) {
	t.Parallel()
	perSecond := map[int]int{}
	last := time.Duration(-1)
	for n := range 14 {
		at := recovery.ReleaseAfter(2, n)
		require.Greater(t, at, last, "one after the other")
		perSecond[int(at/time.Second)]++
		last = at
	}
	require.Equal(t, map[int]int{0: 2, 1: 4, 2: 8}, perSecond)
	require.Zero(t, recovery.ReleaseAfter(0, 0))
	require.Positive(t, recovery.ReleaseAfter(0, 5), "a rate of nothing would hold them for ever: it counts as 1")
	require.Less(t, recovery.ReleaseAfter(2, 1<<40), time.Duration(1<<62))
}

func shortPhaseFacts(owner recovery.Owner) recovery.Facts {
	return recovery.Facts{
		CurrentGeneration: 1, EvidenceGeneration: 1, Correlated: true, Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(),
		Mode: recovery.ModePolicy, Context: recovery.ContextDynamic, Policy: recovery.Patient(recovery.Defaults(), 0), Owner: owner,
		Progress: recovery.Progress{Transient: recovery.ClassProgress{Retries: 1}},
	}
}

func TestAnotherRunsShortPhaseCostsNothing(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	s := recovery.Defaults()
	overloaded := classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High}
	hinted := overloaded
	hinted.RetryAfter, hinted.RetryAfterSet, hinted.HintSource, hinted.OccurredAt = 50*time.Second, true, "retry-after", now
	quota := classification.Result{Code: classification.QuotaLimited, Class: classification.ClassHard, Confidence: classification.High, ResetAt: now.Add(time.Hour), HintSource: "reset", OccurredAt: now}
	lost := classification.Result{Code: classification.AgentTransportLost, Class: classification.ClassTransient, Confidence: classification.High}
	soon := recovery.Owner{RunID: "owner", RetryAt: now.Add(10 * time.Second)}
	for name, c := range map[string]struct {
		owner  recovery.Owner
		result classification.Result
		launch bool
		waits  bool
		at     time.Time // zero is its own
	}{
		"nobody owns it":              {result: overloaded},
		"the owner waits":             {owner: soon, result: overloaded, waits: true, at: now.Add(10*time.Second + 500*time.Millisecond)},
		"the owner runs":              {owner: recovery.Owner{RunID: "owner", RetryAt: now.Add(-time.Second)}, result: overloaded, waits: true, at: now.Add(s.Lease)},
		"never before its own hint":   {owner: soon, result: hinted, waits: true, at: now.Add(50 * time.Second)},
		"a quota is no short phase":   {owner: soon, result: quota},
		"a lost transport is nobodys": {owner: soon, result: lost, launch: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := shortPhaseFacts(c.owner)
			if c.launch {
				f.Phase = evidence.PhaseLaunch
			}
			d := recovery.Decide(f, c.result, s, now, 0.5)
			require.True(t, d.Automatic(), "%+v", d)
			require.True(t, d.Owned())
			require.Equal(t, c.waits, d.WaitsForOwner)
			if !c.waits {
				require.NotEqual(t, f.Progress, d.Progress, "it spends its own")
				return
			}
			require.Equal(t, f.Progress, d.Progress, "nothing is spent")
			require.Zero(t, d.Ordinal)
			require.Equal(t, c.at, d.RetryAt)
			require.NotEqual(t, recovery.ActionNextCandidate, d.Action)
		})
	}
}

func TestAUsedBudgetIsNotSharedAway(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	f := shortPhaseFacts(recovery.Owner{RunID: "owner", RetryAt: now.Add(time.Second)})
	f.Progress.Transient.Retries = recovery.Defaults().UnattendedRetries
	d := recovery.Decide(f, classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High}, recovery.Defaults(), now, 0)
	require.False(t, d.WaitsForOwner)
	require.Equal(t, recovery.ActionPark, d.Action)
}
