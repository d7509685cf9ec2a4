package work

import (
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// StatusStopped is the reason of a wakeup whose run a person stopped.
const StatusStopped = "stopped"

// Stop ends a run. What was not sent ends at once, and so does what nobody
// owns any more; the owner of a run that was sent is asked to end its child,
// and the wakeup is cancelled when it has reported. A second request changes
// nothing.
func Stop(l Locked, in StopRun) (Change, error) {
	if l.Run.State == recovery.RunSettled {
		return Change{}, l.refusal(fault.ReasonRunAlreadySettled)
	}
	if in.ExpectedVersion != 0 && in.ExpectedVersion != l.Run.Version || !l.isNewestRun() {
		return Change{}, l.refusal(fault.ReasonStaleVersion)
	}
	if !l.Run.StopRequestedAt.IsZero() && l.Run.State.Live() {
		return Change{}, nil
	}
	effect := recovery.Interrupted(l.situation(), recovery.InterruptStop)
	d := draftOf(l)
	switch {
	case effect.Refused != "":
		return Change{}, l.refusal(effect.Refused)
	case effect.RequestStop && l.Run.State == recovery.RunClaimed:
		d.run().Outcome = recovery.OutcomeCancelled
		d.run().StopRequestedAt = l.Now
		d.setRun(recovery.RunSettled)
		d.setWakeup(recovery.WakeupCancelled, StatusStopped)
	case effect.RequestStop:
		d.run().StopRequestedAt = l.Now
	case effect.To != "":
		d.run().StopRequestedAt = l.Now
		d.run().GraceEndsAt = noTime
		d.setWakeup(effect.To, StatusStopped)
	default:
		return Change{}, l.refusal(fault.ReasonStaleVersion)
	}
	d.emit(personActed(UserStopRun, in.By, l.Wakeup))
	return d.done()
}

// isNewestRun is false for a run that its wakeup has left behind.
func (l Locked) isNewestRun() bool { return l.Run.ID == l.Wakeup.LastRunID }

// stopRequested is true once somebody asked the run's owner to end it.
func (l Locked) stopRequested() bool { return !l.Run.StopRequestedAt.IsZero() }
