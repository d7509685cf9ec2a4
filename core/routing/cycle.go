package routing

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Cycle is a route cycle: from a new prompt or a wake until success, stop or
// park. Each candidate is tried once in it. It is never changed in place.
type Cycle struct {
	Number     int   `json:"number"`     // from 1 in each generation
	Generation int64 `json:"generation"` // of the session's prompt
	// Excluded are the candidates that are out, in the order in which they left.
	Excluded []Exclusion `json:"excluded,omitempty"`
	// Current is the profile in use, "" before one is chosen and after it left.
	// It is an id, not a place in the list, which may be edited meanwhile.
	Current string `json:"current,omitempty"`
}

// Exclusion is one candidate that is out for the cycle, and why.
type Exclusion struct {
	ProfileID string              `json:"profile_id"`
	Code      classification.Code `json:"code,omitempty"`
	Reason    ExclusionReason     `json:"reason"`
	RunID     string              `json:"run_id,omitempty"` // its last run in the cycle
	// NotBefore is a stated deadline that outlives the cycle; zero if there is none.
	NotBefore time.Time        `json:"not_before,omitzero"`
	Receipt   recovery.Receipt `json:"receipt,omitzero"`
}

// ExclusionReason is why a candidate left a cycle.
type ExclusionReason string

// The exclusion reasons.
const (
	ExcludedByPolicy  ExclusionReason = "policy"       // its policy had nothing left to do
	ExcludedByCircuit ExclusionReason = "circuit_open" // what it waited for got a circuit meanwhile
	ExcludedByPerson  ExclusionReason = "person"       // a person skipped it
)

// ExclusionReasons lists every exclusion reason.
func ExclusionReasons() []ExclusionReason {
	return []ExclusionReason{ExcludedByPolicy, ExcludedByCircuit, ExcludedByPerson}
}

// BeginCycle is the first cycle of a new prompt: all candidates, from the first.
func BeginCycle(generation int64) Cycle { return Cycle{Number: 1, Generation: generation} }

// Has says that the candidate is out, and why.
func (c Cycle) Has(profileID string) (Exclusion, bool) {
	for _, x := range c.Excluded {
		if x.ProfileID == profileID {
			return x, true
		}
	}
	return Exclusion{}, false
}

// Exclude takes a candidate out for the rest of the cycle. The first exclusion
// of a candidate stays, with the later of two stated deadlines.
func (c Cycle) Exclude(x Exclusion) Cycle {
	c.Excluded = slices.Clone(c.Excluded)
	if c.Current == x.ProfileID {
		c.Current = ""
	}
	for i, earlier := range c.Excluded {
		if earlier.ProfileID != x.ProfileID {
			continue
		}
		if x.NotBefore.After(earlier.NotBefore) {
			c.Excluded[i].NotBefore, c.Excluded[i].Receipt = x.NotBefore, x.Receipt
		}
		return c
	}
	c.Excluded = append(c.Excluded, x)
	return c
}

// ExcludeFailed is Exclude for the candidate of a failed run.
func (c Cycle) ExcludeFailed(candidate Candidate, f Failure, p Pace) Cycle {
	x := Exclusion{ProfileID: candidate.ProfileID, Code: f.Result.Code, Reason: ExcludedByPolicy, RunID: f.RunID}
	if stated := f.stated(p); !stated.IsZero() {
		x.NotBefore = stated
		x.Receipt = recovery.Receipt{Kind: recovery.ReceiptStated, Source: f.Decision.HintSource}
	}
	return c.Exclude(x)
}

// Use makes a candidate the one in use.
func (c Cycle) Use(profileID string) Cycle {
	c.Current = profileID
	return c
}

// Next is the cycle after a wake from park: from the first candidate again. What
// was stated still holds: who may not be asked before an instant stays out.
func (c Cycle) Next(now time.Time) Cycle {
	next := Cycle{Number: c.Number + 1, Generation: c.Generation}
	for _, x := range c.Excluded {
		if x.NotBefore.After(now) {
			next.Excluded = append(next.Excluded, x)
		}
	}
	return next
}

// Anew is Next for a person who asked for it, and so sets aside what was stated.
func (c Cycle) Anew() Cycle {
	return Cycle{Number: c.Number + 1, Generation: c.Generation}
}
