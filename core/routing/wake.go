package routing

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Parked is one wakeup that is parked because no candidate was left.
type Parked struct {
	WakeupID   string
	Candidates []Candidate
	Cycle      Cycle                 // that ended with the park
	DueAt      time.Time             // when it wakes by itself, zero if a person must act
	Reasons    []recovery.ParkReason // of the park
}

// Wake is one parked wakeup whose wait a circuit has changed.
type Wake struct {
	WakeupID string
	// Released says that it may go on at At; else that is its new deadline, zero
	// if a person must act, and Park says why.
	Released bool
	At       time.Time
	Receipt  recovery.Receipt
	// Probes says that its launch will probe: no other is released for that.
	Probes bool
	Park   Park
}

// planned stands for the run that a released wakeup will have, where the wakes
// after it must see that a probe is given away.
const planned = "planned:"

// Wakes says what a change of the circuit of a key does to the wakeups that are
// parked, in their order. Those with a candidate that may be used go on at the
// release rate, one of them as the probe where there has to be one; the others
// are listed if they wait for something else now. circuits are as they are
// after the change. It changes nothing: a claim selects anew.
func Wakes(parked []Parked, changed Key, circuits map[Key]Circuit, p Pace) []Wake {
	var wakes []Wake
	plan := Apply(circuits, nil)
	released := 0
	for _, w := range parked {
		if !w.concerns(changed) {
			continue
		}
		s := Select(w.Candidates, plan, w.Cycle.Next(p.Now), p)
		if s.Index < 0 {
			if !s.Park.Until.Equal(w.DueAt) || !slices.Equal(s.Park.Reasons, w.Reasons) {
				wakes = append(wakes, Wake{WakeupID: w.WakeupID, At: s.Park.Until, Receipt: s.Park.Receipt, Park: s.Park})
			}
			continue
		}
		for _, key := range s.Probes {
			plan[key], _, _ = at(plan, key).TakeProbe(planned+w.WakeupID, "", p.Settings.Lease, p.Now)
		}
		due := recovery.Published(p.Now.Add(recovery.ReleaseAfter(p.Settings.ReleasePerSecond, released)))
		receipt := recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: ReleaseSource}
		wakes = append(wakes, Wake{WakeupID: w.WakeupID, Released: true, At: due, Receipt: receipt, Probes: len(s.Probes) > 0})
		released++
	}
	return wakes
}

// ReleaseSource names the release rate after a recovery in receipts.
const ReleaseSource = "release@1"

func (w Parked) concerns(key Key) bool {
	return slices.ContainsFunc(w.Candidates, func(c Candidate) bool { return slices.Contains(c.Keys(), key) })
}
