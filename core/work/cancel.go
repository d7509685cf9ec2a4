package work

import (
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Cancel ends a wait. A wakeup that runs or has ended is refused with
// STALE_VERSION and its snapshot: somebody was faster.
func Cancel(l Locked, in CancelWait) (Change, error) {
	if in.ExpectedVersion != 0 && in.ExpectedVersion != l.Wakeup.Version {
		return Change{}, l.refusal(fault.ReasonStaleVersion)
	}
	effect := recovery.Interrupted(recovery.SituationOf(l.Wakeup.Status, l.Run.State), recovery.InterruptCancelWait)
	if effect.Refused != "" {
		return Change{}, l.refusal(effect.Refused)
	}
	d := draftOf(l)
	d.setWakeup(effect.To, StatusCancelled)
	d.emit(personActed(UserCancelWait, in.By, *d.wakeup()))
	return d.done()
}
