package work

import (
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Retry makes a waiting wakeup due now because a person says so, also past a
// stated reset and past the run that it waits for. A wakeup that is queued is
// due already: nothing changes. One that runs or has ended is refused with
// STALE_VERSION and its snapshot: somebody was faster.
func Retry(l Locked, in RetryNow) (Change, error) {
	if in.ExpectedVersion != 0 && in.ExpectedVersion != l.Wakeup.Version {
		return Change{}, l.refusal(fault.ReasonStaleVersion)
	}
	effect := recovery.Interrupted(l.situation(), recovery.InterruptRetryNow)
	if effect.Refused != "" {
		return Change{}, l.refusal(effect.Refused)
	}
	d := draftOf(l)
	switch {
	case effect.To != "":
		d.retryNow(effect.To)
	case !l.Wakeup.DueAt.After(l.Now):
		return Change{}, nil
	default:
		d.wakeup().DueAt = l.Now
		d.emit(wakeupUpdated(*d.wakeup()))
	}
	d.personDecides(in.By)
	d.emit(personActed(UserRetryNow, in.By, *d.wakeup()))
	return d.done()
}

func (l Locked) situation() recovery.Situation {
	return recovery.SituationOf(l.Wakeup.Status, l.Run.State)
}

func (d *draft) retryNow(to recovery.WakeupStatus) {
	w := d.wakeup()
	if w.Status == recovery.WakeupParked {
		// As at a claim: a wake from park begins a new route cycle.
		w.Progress = w.Progress.NextCycle()
	}
	d.setWakeup(to, "")
	w.DueAt, w.WaitsForRunID = d.locked.Now, ""
}

// personDecides gives the last decision the receipt of the person who set its
// deadline anew. The run keeps the decision as it was made.
func (d *draft) personDecides(by string) {
	w := d.wakeup()
	if w.LastDecision == nil {
		return
	}
	decision := *w.LastDecision
	decision.RetryAt = w.DueAt
	decision.Receipt = recovery.Receipt{Kind: recovery.ReceiptPerson, Source: by}
	w.LastDecision = &decision
}
