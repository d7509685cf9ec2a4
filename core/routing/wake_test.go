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

func parked(n int, due time.Time, reason recovery.ParkReason, candidates ...routing.Candidate) []routing.Parked {
	var all []routing.Parked
	for i := range n {
		all = append(all, routing.Parked{
			WakeupID: fmt.Sprintf("w%d", i), Candidates: candidates, DueAt: due, Reasons: []recovery.ParkReason{reason},
			Cycle: routing.BeginCycle(1).Exclude(out(candidates[0].ProfileID)),
		})
	}
	return all
}

func TestAClosedCircuitReleasesAtTheReleaseRate(t *testing.T) {
	t.Parallel()
	open := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	closed, _, _ := open.Succeeded("run", noon.Add(time.Second), noon.Add(time.Minute))
	now := closed.UpdatedAt
	wakes := routing.Wakes(parked(200, open.Until, recovery.ParkProviderCapacity, claude, sonnet), closed.Key, circuits(closed), pace(now))
	require.Len(t, wakes, 200)
	seconds := map[int]int{}
	for i, w := range wakes {
		assert.True(t, w.Released && !w.Probes)
		assert.Equal(t, fmt.Sprintf("w%d", i), w.WakeupID)
		assert.Equal(t, routing.ReleaseSource, w.Receipt.Source)
		seconds[int(w.At.Sub(now)/time.Second)]++
	}
	assert.Equal(t, map[int]int{0: 2, 1: 4, 2: 8, 3: 16, 4: 32, 5: 64, 6: 74}, seconds)
}

func TestAFixedCircuitReleasesOneProbeAndTellsTheRestUntilWhen(t *testing.T) {
	t.Parallel()
	login := opened(accountKey(claude), classification.AuthRequired, noon)
	now := noon.Add(time.Hour)
	half, _, _ := login.ForceHalfOpen("ann", now)
	wakes := routing.Wakes(parked(200, time.Time{}, recovery.ParkProviderActionRequired, claude), half.Key, circuits(half), pace(now))
	require.Len(t, wakes, 200)
	assert.Equal(t, routing.Wake{
		WakeupID: "w0", Released: true, At: now, Probes: true,
		Receipt: recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: routing.ReleaseSource},
	}, wakes[0])
	for _, w := range wakes[1:] {
		assert.False(t, w.Released)
		assert.Equal(t, now.Add(settings.Lease), w.At)
		assert.True(t, w.Park.Owned())
	}
	assert.Equal(t, routing.HalfOpen, half.State)
	assert.Empty(t, half.Probe, "a plan takes no probe")
}

func TestOnlyWhatConcernsAWakeupMovesIt(t *testing.T) {
	t.Parallel()
	open := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	waiting := parked(1, open.Until, recovery.ParkProviderCapacity, claude)
	assert.Empty(t, routing.Wakes(waiting, providerKey(codex), circuits(open), pace(noon)), "another resource")
	assert.Empty(t, routing.Wakes(waiting, open.Key, circuits(open), pace(noon)), "it waits for just that")
	login, _, _ := open.Open(spent("b", noon.Add(time.Second), noon.Add(time.Second), failure(classification.AuthRequired, noon)), pace(noon.Add(time.Second)))
	wakes := routing.Wakes(waiting, open.Key, circuits(login), pace(noon.Add(time.Second)))
	require.Len(t, wakes, 1)
	assert.True(t, wakes[0].At.IsZero() && !wakes[0].Released && wakes[0].Park.Owned(), "a person must act now: %+v", wakes[0])

	other := opened(accountKey(codex), classification.AuthRequired, noon)
	mixed := routing.Wakes(parked(1, open.Until, recovery.ParkProviderCapacity, claude, codex), other.Key, circuits(open, other), pace(noon))
	require.Len(t, mixed, 1, "the same instant, and a person could help")
	assert.True(t, mixed[0].Park.Mixed())
	assert.Equal(t, open.Until, mixed[0].At)
}
