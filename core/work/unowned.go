package work

import "github.com/recourse-dev/recourse/core/recovery"

// nobodyOwns keeps a decision that no wakeup follows any more from promising
// an attempt: a person has stopped the run, or the wakeup has ended while the
// report was on its way.
func (d *draft) nobodyOwns(decision *recovery.Decision) {
	if decision.Action == recovery.ActionStop {
		return
	}
	decision.Because = append(decision.Because, d.whyUnowned(), "action="+string(recovery.ActionStop))
	decision.Action, decision.Reason = recovery.ActionStop, recovery.Reason(recovery.StopAmbiguousDelivery)
	if d.locked.stopRequested() {
		decision.Reason = recovery.Reason(StatusStopped)
	}
	decision.RetryAt, decision.Receipt, decision.ParkReason = noTime, recovery.Receipt{}, ""
	decision.Boundary, decision.BoundaryReceipt, decision.SendContinue = recovery.BoundaryNone, recovery.Receipt{}, false
}

func (d *draft) whyUnowned() string {
	if d.locked.stopRequested() {
		return "wakeup=" + StatusStopped
	}
	return "wakeup=ended"
}

// keepFailure shows a failure that leads to nothing with its wakeup.
func (d *draft) keepFailure(report *Report, errorMessage string) {
	w := d.wakeup()
	w.LastClassification, w.LastDecision, w.ErrorMessage = report.Classification, report.Decision, errorMessage
}
