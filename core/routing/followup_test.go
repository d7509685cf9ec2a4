package routing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// failed is a run of the first candidate that is given, with what is around it.
func failed(r classification.Result, retries int, stored map[routing.Key]routing.Circuit, candidates ...routing.Candidate) routing.FailedRun {
	facts := calm(recovery.Unattended(settings))
	facts.Progress.Transient.Retries = retries
	return routing.FailedRun{
		RunID: "run", StartedAt: r.OccurredAt.Add(-time.Second), Candidate: candidates[0], Candidates: candidates, Circuits: stored,
		Cycle: routing.BeginCycle(3).Use(candidates[0].ProfileID), Facts: facts, Result: r,
	}
}

func TestTheShortPhaseChangesNothingButTheTime(t *testing.T) {
	t.Parallel()
	for retries := range 3 {
		out := routing.Follow(failed(failure(classification.ProviderOverloaded, noon), retries, nil, claude, codex), pace(noon))
		assert.Equal(t, recovery.ActionRetry, out.Decision.Action)
		assert.Empty(t, out.Changes)
		assert.Equal(t, routing.BeginCycle(3).Use("p-claude"), out.Cycle)
		assert.Equal(t, -1, out.Next.Index)
		assert.True(t, out.Next.Park.IsZero())
		assert.Equal(t, retries+1, out.Progress.Transient.Retries)
	}
}

func TestExhaustionOpensTheCircuitAndFallsThrough(t *testing.T) {
	t.Parallel()
	out := routing.Follow(failed(failure(classification.ProviderOverloaded, noon), 3, nil, claude, sonnet, codex), pace(noon))
	assert.Equal(t, recovery.ActionNextCandidate, out.Decision.Action)
	require.Len(t, out.Changes, 1)
	assert.Equal(t, "provider/anthropic", out.Changes[0].Circuit.Key.String())
	assert.Equal(t, 2, out.Next.Index, "the other model of the provider is as closed as the first")
	assert.Equal(t, map[string]routing.RejectionReason{"p-claude": routing.RejectedExcluded, "p-sonnet": routing.RejectedCircuit}, reasons(out.Next))
	assert.Equal(t, "p-codex", out.Cycle.Current)
	assert.Equal(t, recovery.Progress{}, out.Progress)
}

// The failure itself may close the way to all others: then the decision says
// park, not a next candidate that nobody is.
func TestTheDecisionKnowsWhoIsLeft(t *testing.T) {
	t.Parallel()
	out := routing.Follow(failed(failure(classification.ProviderOverloaded, noon), 3, nil, claude, sonnet), pace(noon))
	assert.Equal(t, recovery.ActionPark, out.Decision.Action)
	assert.Equal(t, recovery.ParkProviderCapacity, out.Next.Park.Reason())
	assert.Equal(t, out.Decision.RetryAt, out.Next.Park.Until)

	// One that needs a person beside one that comes back by itself: both are shown.
	overloaded := circuits(opened(providerKey(codex), classification.ProviderOverloaded, noon))
	out = routing.Follow(failed(failure(classification.AuthRequired, noon), 0, overloaded, claude, codex), pace(noon))
	assert.Equal(t, recovery.ParkProviderActionRequired, out.Decision.ParkReason)
	assert.True(t, out.Next.Park.Mixed())
	assert.Equal(t, noon.Add(2*time.Minute), out.Next.Park.Until)
	assert.Equal(t, []recovery.Remedy{recovery.RemedyLogIn}, out.Next.Park.Remedies)
}

func TestAQuotaWithAResetWakesAtResetAndMargin(t *testing.T) {
	t.Parallel()
	reset := noon.Add(3 * time.Hour)
	out := routing.Follow(failed(resetAt(failure(classification.QuotaLimited, noon), reset), 0, nil, claude), pace(noon))
	assert.Equal(t, reset.Add(30*time.Second), out.Next.Park.Until)
	assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptStated, Source: "field resets_at"}, out.Next.Park.Receipt)
}

func TestALostTransportDegradesNobody(t *testing.T) {
	t.Parallel()
	for retries := range 4 {
		r := failed(failure(classification.AgentTransportLost, noon), retries, nil, claude, codex)
		r.Facts.Phase = "launch"
		out := routing.Follow(r, pace(noon))
		assert.Equal(t, retries < 3, out.Decision.Action == recovery.ActionRetry, "%d", retries)
		assert.Equal(t, retries == 3, out.Decision.Action == recovery.ActionStop, "%d", retries)
		assert.Empty(t, out.Changes)
		assert.Empty(t, out.Cycle.Excluded)
	}
}

func TestAParkForConsentTakesNoTurn(t *testing.T) {
	t.Parallel()
	r := failed(failure(classification.ProviderOverloaded, noon), 0, nil, claude, codex)
	r.Facts.RecoveryOff = true
	out := routing.Follow(r, pace(noon))
	assert.Equal(t, recovery.ParkRecoveryOff, out.Decision.ParkReason)
	assert.Equal(t, r.Cycle, out.Cycle)
	assert.True(t, out.Next.Park.IsZero())
	assert.Empty(t, out.Changes)
}

// 200 sessions of one provider that stays down: one probe a deadline in all, no
// short phase of it, and the ladder; then it is back, and all are released.
func TestOneProbeADeadlineForAll(t *testing.T) {
	t.Parallel()
	open := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	stored, key := circuits(open), open.Key
	waiting := parked(200, open.Until, recovery.ParkProviderCapacity, claude, sonnet)
	for i, minutes := range []int{5, 10, 20, 60, 60} {
		now := stored[key].Until
		launches := 0
		for _, w := range waiting {
			s := routing.Select(w.Candidates, stored, w.Cycle.Next(now), pace(now))
			if s.Index < 0 {
				assert.Equal(t, recovery.ParkProviderCapacity, s.Park.Reason())
				continue
			}
			launches++
			require.Equal(t, []routing.Key{key}, s.Probes)
			stored[key], _, _ = stored[key].TakeProbe("run", "host", lease, now)
		}
		require.Equal(t, 1, launches, "deadline %d", i)
		r := failed(failure(classification.ProviderOverloaded, now), 0, stored, claude, sonnet)
		out := routing.Follow(r, pace(now))
		assert.Equal(t, recovery.ActionPark, out.Decision.Action, "no short phase: %v", out.Decision.Because)
		stored = routing.Apply(stored, out.Changes)
		assert.Equal(t, now.Add(time.Duration(minutes)*time.Minute), stored[key].Until)
		assert.Equal(t, stored[key].Until, out.Next.Park.Until, fmt.Sprint(i))
		assert.Equal(t, stored[key].Until, out.Decision.RetryAt, "the ladder belongs to the circuit")
		for j := range waiting {
			waiting[j].DueAt = stored[key].Until
		}
	}
	now := stored[key].Until
	stored[key], _, _ = stored[key].TakeProbe("back", "host", lease, now)
	stored = routing.Apply(stored, routing.AfterSuccess(stored, claude, "back", now, now.Add(time.Second)))
	wakes := routing.Wakes(waiting, key, stored, pace(now.Add(time.Second)))
	require.Len(t, wakes, 200)
	for i, w := range wakes {
		assert.True(t, w.Released && !w.Probes)
		assert.Equal(t, recovery.Published(now.Add(time.Second+recovery.ReleaseAfter(2, i))), w.At)
	}
}

func TestTwoHundredThatFailTogetherOpenOneCircuitOnce(t *testing.T) {
	t.Parallel()
	stored, changes := map[routing.Key]routing.Circuit{}, 0
	for range 200 {
		out := routing.Follow(failed(failure(classification.QuotaLimited, noon), 0, stored, claude, codex), pace(noon))
		changes += len(out.Changes)
		stored = routing.Apply(stored, out.Changes)
		assert.Equal(t, recovery.ActionNextCandidate, out.Decision.Action)
		assert.Equal(t, 1, out.Next.Index)
	}
	assert.Equal(t, 1, changes, "a circuit row is written only when it changes")
	assert.Equal(t, 1, stored[accountKey(claude)].Openings)
}
