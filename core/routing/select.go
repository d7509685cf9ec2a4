package routing

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Selection is who runs the prompt now, or what it waits for. Exactly one of
// Index, Hold and Park says so.
type Selection struct {
	Index  int   // the chosen candidate, -1 if none
	Probes []Key // circuits whose probe the launch takes, in the transaction of the claim
	// Rejected are the candidates that come before the chosen one or, if none is
	// chosen, all, in their order.
	Rejected []Rejection
	// Hold: the candidate in use waits for another run's probe; nothing is used up.
	Hold Deadline
	// Park: no candidate is left in this cycle.
	Park Park
	// Cycle is the route cycle with what this choice adds to it.
	Cycle Cycle
}

// Deadline is an instant, and where it comes from. The zero value is none.
type Deadline struct {
	At      time.Time
	Receipt recovery.Receipt
}

// IsZero says that there is no deadline.
func (d Deadline) IsZero() bool { return d.At.IsZero() }

// Select chooses the candidate for the next run: the one in use, else the first
// that is not excluded and whose circuits are closed or may be probed by it. A
// candidate in use that a circuit holds back leaves the cycle if another is
// there: what has left is not tried again. circuits holds those that are
// stored; a missing one is closed. It changes nothing, so that it serves a
// preview as well as a claim.
func Select(candidates []Candidate, circuits map[Key]Circuit, cycle Cycle, p Pace) Selection {
	s := Selection{Index: -1, Cycle: cycle}
	current := slices.IndexFunc(candidates, func(c Candidate) bool { return c.ProfileID == cycle.Current && cycle.Current != "" })
	if current >= 0 {
		if done := s.stay(candidates[current], current, circuits, p); done {
			return s
		}
	}
	for i, c := range candidates {
		v := judge(c, circuits, p.Now)
		x, out := s.Cycle.Has(c.ProfileID)
		switch {
		case out:
			s.Rejected = append(s.Rejected, excluded(c, x, v, s.Cycle, p))
		case v.free:
			s.Index, s.Probes, s.Cycle = i, v.probes, s.Cycle.Use(c.ProfileID)
			return s
		default:
			s.Rejected = append(s.Rejected, v.rejected)
		}
	}
	s.Cycle = s.Cycle.Use("")
	s.Park = parkFor(s.Rejected)
	return s
}

// stay keeps the candidate in use if it can be, or waits for the probe of
// another run; else that candidate leaves the cycle.
func (s *Selection) stay(c Candidate, index int, circuits map[Key]Circuit, p Pace) bool {
	_, out := s.Cycle.Has(c.ProfileID)
	v := judge(c, circuits, p.Now)
	switch {
	case out:
		return false
	case v.free:
		s.Index, s.Probes = index, v.probes
		return true
	case v.rejected.Reason == RejectedProbe:
		s.Rejected = []Rejection{v.rejected}
		s.Hold = Deadline{At: v.rejected.Until, Receipt: v.rejected.Receipt}
		return true
	}
	s.Cycle = s.Cycle.Exclude(Exclusion{ProfileID: c.ProfileID, Code: v.rejected.Code, Reason: ExcludedByCircuit})
	return false
}

// Left is how many candidates of the cycle could be launched now, without the
// one that is named: what [recovery.Route] asks for.
func Left(candidates []Candidate, circuits map[Key]Circuit, cycle Cycle, without string, now time.Time) int {
	left := 0
	for _, c := range candidates {
		if _, out := cycle.Has(c.ProfileID); out || c.ProfileID == without {
			continue
		}
		if judge(c, circuits, now).free {
			left++
		}
	}
	return left
}
