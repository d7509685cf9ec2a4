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

var trio = []routing.Candidate{claude, codex, unbound}

func out(id string) routing.Exclusion {
	return routing.Exclusion{ProfileID: id, Code: classification.ProviderOverloaded, Reason: routing.ExcludedByPolicy, RunID: "run-" + id}
}

func reasons(s routing.Selection) map[string]routing.RejectionReason {
	m := map[string]routing.RejectionReason{}
	for _, r := range s.Rejected {
		m[r.ProfileID] = r.Reason
	}
	return m
}

func TestTheFirstCandidateThatMayBeUsed(t *testing.T) {
	t.Parallel()
	overloaded := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	login := opened(accountKey(codex), classification.AuthRequired, noon)
	begun := routing.BeginCycle(3)
	for name, c := range map[string]struct {
		circuits map[routing.Key]routing.Circuit
		cycle    routing.Cycle
		at       time.Duration
		index    int
		rejected map[string]routing.RejectionReason
	}{
		"nothing is known":    {nil, begun, 0, 0, map[string]routing.RejectionReason{}},
		"a circuit":           {circuits(overloaded), begun, 0, 1, map[string]routing.RejectionReason{"p-claude": routing.RejectedCircuit}},
		"a circuit that ends": {circuits(overloaded), begun, 2 * time.Minute, 0, map[string]routing.RejectionReason{}},
		"a person":            {circuits(overloaded, login), begun, 0, 2, map[string]routing.RejectionReason{"p-claude": routing.RejectedCircuit, "p-codex": routing.RejectedPerson}},
		"a probe":             {circuits(probed(overloaded)), begun, 2 * time.Minute, 1, map[string]routing.RejectionReason{"p-claude": routing.RejectedProbe}},
		"had its turn":        {nil, begun.Exclude(out("p-claude")), 0, 1, map[string]routing.RejectionReason{"p-claude": routing.RejectedExcluded}},
		"one in use":          {nil, begun.Use("p-codex"), 0, 1, map[string]routing.RejectionReason{}},
		"one that is gone":    {nil, begun.Use("p-deleted"), 0, 0, map[string]routing.RejectionReason{}},
		"in use, had its turn": {
			nil, begun.Use("p-codex").Exclude(out("p-codex")).Exclude(out("p-claude")), 0, 2,
			map[string]routing.RejectionReason{"p-claude": routing.RejectedExcluded, "p-codex": routing.RejectedExcluded},
		},
	} {
		s := routing.Select(trio, c.circuits, c.cycle, pace(noon.Add(c.at)))
		require.Equal(t, c.index, s.Index, name)
		assert.Equal(t, c.rejected, reasons(s), name)
		assert.Equal(t, trio[s.Index].ProfileID, s.Cycle.Current, name)
		assert.True(t, s.Park.IsZero() && s.Hold.IsZero(), name)
	}
	s := routing.Select(trio, circuits(overloaded), begun, pace(noon.Add(2*time.Minute)))
	assert.Equal(t, []routing.Key{providerKey(claude)}, s.Probes)
	assert.Equal(t, routing.RejectedCircuit, routing.Select(trio, circuits(overloaded), begun, pace(noon)).Rejected[0].Reason)
}

func TestACandidateInUseLeavesForACircuitButWaitsForAProbe(t *testing.T) {
	t.Parallel()
	using := routing.BeginCycle(3).Use("p-claude")
	overloaded := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	s := routing.Select(trio, circuits(overloaded), using, pace(noon))
	require.Equal(t, 1, s.Index)
	x, left := s.Cycle.Has("p-claude")
	require.True(t, left, "else two candidates could take turns for ever")
	assert.Equal(t, routing.Exclusion{ProfileID: "p-claude", Code: classification.ProviderOverloaded, Reason: routing.ExcludedByCircuit}, x)

	half := probed(overloaded)
	s = routing.Select(trio, circuits(half), using, pace(half.UpdatedAt))
	assert.Equal(t, -1, s.Index)
	assert.Equal(t, routing.Deadline{At: half.Probe.LeaseExpiresAt, Receipt: recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: routing.ProbeLeaseSource}}, s.Hold)
	assert.Equal(t, using, s.Cycle, "nothing is used up")
	assert.True(t, s.Park.IsZero())
}

func TestTheStrictestCircuitDecides(t *testing.T) {
	t.Parallel()
	now := noon.Add(time.Minute)
	short := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	long, _, _ := routing.NewCircuit(accountKey(claude)).Open(spent("a", noon, noon, resetAt(failure(classification.QuotaLimited, noon), noon.Add(time.Hour))), pace(noon))
	login := opened(claude.KeyAt(classification.ScopeModel), classification.ModelUnavailable, noon)
	s := routing.Select([]routing.Candidate{claude}, circuits(short, long), routing.BeginCycle(1), pace(now))
	require.Len(t, s.Rejected, 1)
	assert.Equal(t, long.Key, s.Rejected[0].Key)
	assert.Equal(t, noon.Add(time.Hour+30*time.Second), s.Park.Until)
	assert.Equal(t, recovery.ReceiptStated, s.Park.Receipt.Kind)
	s = routing.Select([]routing.Candidate{claude}, circuits(short, long, login), routing.BeginCycle(1), pace(now))
	assert.Equal(t, login.Key, s.Rejected[0].Key)
	assert.True(t, s.Park.Until.IsZero())
	// In whatever order they are asked.
	account, capacity := opened(accountKey(claude), classification.AuthRequired, noon), opened(claude.KeyAt(classification.ScopeModel), classification.ModelCapacity, noon)
	s = routing.Select([]routing.Candidate{claude}, circuits(account, capacity), routing.BeginCycle(1), pace(now))
	assert.Equal(t, account.Key, s.Rejected[0].Key)
	assert.True(t, s.Park.Until.IsZero())
}

func TestWhatAParkWaitsFor(t *testing.T) {
	t.Parallel()
	overloaded := opened(providerKey(claude), classification.ProviderOverloaded, noon)
	login := opened(accountKey(codex), classification.AuthRequired, noon)
	quota, _, _ := routing.NewCircuit(providerKey(unbound)).Open(spent("a", noon, noon, retryAfter(failure(classification.ProviderOverloaded, noon), time.Minute+30*time.Second)), pace(noon))
	capacity, person := recovery.ParkProviderCapacity, recovery.ParkProviderActionRequired
	for name, c := range map[string]struct {
		candidates []routing.Candidate
		cycle      routing.Cycle
		want       routing.Park
	}{
		"the earliest": {[]routing.Candidate{claude, unbound}, routing.BeginCycle(1), routing.Park{
			Reasons: []recovery.ParkReason{capacity}, Until: quota.Until, Receipt: quota.Receipt, ProfileID: "p-unbound",
		}},
		"a person": {[]routing.Candidate{codex}, routing.BeginCycle(1), routing.Park{
			Reasons: []recovery.ParkReason{person}, Remedies: []recovery.Remedy{recovery.RemedyLogIn},
		}},
		"both": {[]routing.Candidate{codex, claude, codex}, routing.BeginCycle(1), routing.Park{
			Reasons: []recovery.ParkReason{capacity, person}, Until: overloaded.Until, Receipt: overloaded.Receipt, ProfileID: "p-claude", Remedies: []recovery.Remedy{recovery.RemedyLogIn},
		}},
		"excluded, and what was stated has passed": {[]routing.Candidate{{ProfileID: "p-free"}}, routing.BeginCycle(1).Exclude(routing.Exclusion{ProfileID: "p-free", NotBefore: noon.Add(-time.Second)}), routing.Park{
			Reasons: []recovery.ParkReason{capacity}, Until: noon.Add(2 * time.Minute), Receipt: recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: routing.LadderSource}, ProfileID: "p-free",
		}},
		"the one in use is gone": {[]routing.Candidate{claude}, routing.BeginCycle(1).Use("p-deleted"), routing.Park{
			Reasons: []recovery.ParkReason{capacity}, Until: overloaded.Until, Receipt: overloaded.Receipt, ProfileID: "p-claude",
		}},
		"nobody is there": {nil, routing.BeginCycle(1), routing.Park{
			Reasons: []recovery.ParkReason{person}, Remedies: []recovery.Remedy{recovery.RemedyFixInput},
		}},
		"excluded, by its circuit": {[]routing.Candidate{claude}, routing.BeginCycle(1).Exclude(out("p-claude")), routing.Park{
			Reasons: []recovery.ParkReason{capacity}, Until: overloaded.Until, Receipt: overloaded.Receipt, ProfileID: "p-claude",
		}},
		"excluded without a circuit, third cycle": {[]routing.Candidate{{ProfileID: "p-free"}}, routing.Cycle{Number: 3}.Exclude(out("p-free")), routing.Park{
			Reasons: []recovery.ParkReason{capacity}, Until: noon.Add(10 * time.Minute), Receipt: recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: routing.LadderSource}, ProfileID: "p-free",
		}},
	} {
		s := routing.Select(c.candidates, circuits(overloaded, login, quota), c.cycle, pace(noon))
		assert.Equal(t, -1, s.Index, name)
		assert.Equal(t, c.want, s.Park, name)
		assert.True(t, s.Park.Owned(), name)
		assert.Empty(t, s.Cycle.Current, name)
		assert.Len(t, s.Rejected, len(c.candidates), name)
	}
	assert.False(t, routing.Park{}.Owned())
	assert.Equal(t, recovery.ParkReason(""), routing.Park{}.Reason())
}

func TestWhatWasStatedOutlivesTheCycle(t *testing.T) {
	t.Parallel()
	reset := noon.Add(4 * time.Hour)
	f := spent("run", noon, noon, resetAt(failure(classification.QuotaLimited, noon), reset))
	c := routing.BeginCycle(7).Use("p-claude").ExcludeFailed(claude, f, pace(noon))
	assert.Empty(t, c.Current)
	require.Equal(t, reset.Add(30*time.Second), c.Excluded[0].NotBefore)
	early := c.Exclude(out("p-codex")).Next(noon.Add(time.Hour))
	assert.Equal(t, routing.Cycle{Number: 2, Generation: 7, Excluded: c.Excluded}, early, "only what had its turn is back")
	s := routing.Select([]routing.Candidate{claude}, nil, early, pace(noon.Add(time.Hour)))
	assert.Equal(t, reset.Add(30*time.Second), s.Park.Until, "though no circuit says so")
	assert.Empty(t, c.Next(reset.Add(30*time.Second)).Excluded)
	assert.Equal(t, routing.Cycle{Number: 2, Generation: 7}, c.Anew(), "a person sets it aside")
	again := c.Exclude(routing.Exclusion{ProfileID: "p-claude", Reason: routing.ExcludedByPerson})
	assert.Equal(t, c.Excluded, again.Excluded, "the first exclusion stays")
	assert.Len(t, c.Excluded, 1, "and nothing is changed in place")
}

func TestACycleIsNeverChangedInPlace(t *testing.T) {
	t.Parallel()
	base := routing.BeginCycle(1).Exclude(out("a")).Exclude(out("b")).Exclude(out("c"))
	left, right := base.Exclude(out("d")), base.Exclude(out("e"))
	assert.Equal(t, "d", left.Excluded[3].ProfileID)
	assert.Equal(t, "e", right.Excluded[3].ProfileID)
	later := out("a")
	later.NotBefore, later.Receipt = noon, recovery.Receipt{Kind: recovery.ReceiptStated}
	held := base.Exclude(later)
	assert.True(t, base.Excluded[0].NotBefore.IsZero())
	assert.Equal(t, noon, held.Excluded[0].NotBefore)
	assert.Equal(t, recovery.ReceiptStated, held.Excluded[0].Receipt.Kind)
	assert.Equal(t, "run-a", held.Excluded[0].RunID)
	assert.Equal(t, held, held.Exclude(out("a")), "the later of two deadlines stays")
}

func TestWhoIsLeft(t *testing.T) {
	t.Parallel()
	all := []routing.Candidate{claude, sonnet, codex, unbound}
	none := routing.BeginCycle(1)
	assert.Equal(t, 3, routing.Left(all, nil, none, "p-claude", noon))
	assert.Equal(t, 2, routing.Left(all, nil, none.Exclude(out("p-codex")), "p-claude", noon))
	overloaded := circuits(opened(providerKey(claude), classification.ProviderOverloaded, noon))
	assert.Equal(t, 2, routing.Left(all, overloaded, none, "p-claude", noon), "the other model of the provider is not")
	assert.Equal(t, 4, routing.Left(all, overloaded, none, "", noon.Add(2*time.Minute)))
}
