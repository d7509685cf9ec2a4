package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// RejectionReason is why a candidate is not chosen.
type RejectionReason string

// The rejection reasons.
const (
	RejectedExcluded RejectionReason = "excluded_in_cycle" // it had its turn in this cycle
	RejectedCircuit  RejectionReason = "circuit_open"      // a resource of it is not to be used before Until
	RejectedProbe    RejectionReason = "probe_in_flight"   // another run finds out about a resource of it
	RejectedPerson   RejectionReason = "action_required"   // a person must act on a resource of it
)

// RejectionReasons lists every rejection reason.
func RejectionReasons() []RejectionReason {
	return []RejectionReason{RejectedExcluded, RejectedCircuit, RejectedProbe, RejectedPerson}
}

// Rejection is one candidate that is not chosen now, and until when.
type Rejection struct {
	ProfileID string
	Reason    RejectionReason
	Key       Key                 // of the circuit that decides, zero if none does
	Code      classification.Code // what is held against it
	// Until is when it may be tried; zero: a person must act first.
	Until   time.Time
	Receipt recovery.Receipt
	Remedy  recovery.Remedy // what the person must do
}

// verdict is what its circuits say of one candidate: the keys to probe, or why not.
type verdict struct {
	free     bool
	probes   []Key
	rejected Rejection
}

// judge asks every circuit that could hold the candidate. The strictest
// decides: a person before a deadline, the latest deadline before the others.
func judge(c Candidate, circuits map[Key]Circuit, now time.Time) verdict {
	v := verdict{free: true, rejected: Rejection{ProfileID: c.ProfileID}}
	for _, key := range c.Keys() {
		circuit := at(circuits, key)
		step := circuit.NextStep(now)
		switch step.Kind {
		case StepGo:
		case StepProbe:
			v.probes = append(v.probes, key)
		case StepPerson:
			v.hold(circuit, step, RejectedPerson)
		case StepWaitForProbe:
			v.hold(circuit, step, RejectedProbe)
		default:
			v.hold(circuit, step, RejectedCircuit)
		}
	}
	return v
}

func (v *verdict) hold(c Circuit, s Step, reason RejectionReason) {
	was := v.rejected
	stricter := v.free || s.Until.IsZero() && !was.Until.IsZero() || !was.Until.IsZero() && s.Until.After(was.Until)
	v.free = false
	if !stricter {
		return
	}
	v.rejected = Rejection{
		ProfileID: was.ProfileID, Reason: reason, Key: c.Key, Code: c.Code,
		Until: s.Until, Receipt: s.Receipt, Remedy: s.Remedy,
	}
}

// excluded is why a candidate that had its turn waits, and for what: its
// circuits, what was stated, else a step of the ladder, which rises with the cycles.
func excluded(c Candidate, x Exclusion, v verdict, cycle Cycle, p Pace) Rejection {
	r := v.rejected
	r.ProfileID, r.Reason = c.ProfileID, RejectedExcluded
	if r.Code == "" {
		r.Code = x.Code
	}
	if !v.free && r.Until.IsZero() {
		return r
	}
	if x.NotBefore.After(r.Until) {
		r.Until, r.Receipt = x.NotBefore, x.Receipt
	}
	if !r.Until.After(p.Now) {
		r.Until, r.Receipt = p.step(cycle.Number - 1)
	}
	return r
}
