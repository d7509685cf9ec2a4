package work

import (
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// BeginSend grants the one send of a run.
func BeginSend(l Locked, token string, s recovery.Settings) (Change, error) {
	return advance(l, token, recovery.EventBeginSend, s, (*draft).leaveNativeSession)
}

// Deliver says that the agent has the prompt. A second report changes nothing
// but the lease.
func Deliver(l Locked, in MarkDelivered, s recovery.Settings) (Change, error) {
	return advance(l, in.Token, recovery.EventMarkDelivered, s, func(d *draft) { d.learnNativeSession(in.NativeSessionID) })
}

// Progress raises what the run is known to have done. It counts as a sign of
// life, and is refused where a heartbeat is. A run that was granted no send can
// have done nothing: were that believed, its end would arm the bare prompt
// again after the effects that it told of.
func Progress(l Locked, in RecordProgress, s recovery.Settings) (Change, error) {
	if l.Run.State == recovery.RunClaimed && RaiseEffects(l.Run.Effects, in.Effects) != l.Run.Effects {
		return Change{}, l.notSent(in.Token, s)
	}
	return advance(l, in.Token, recovery.EventHeartbeat, s, func(d *draft) {
		d.run().Effects = RaiseEffects(l.Run.Effects, in.Effects)
		d.learnNativeSession(in.NativeSessionID)
	})
}

// notSent refuses the holder of a run that was not granted its send; whoever
// does not hold it hears that first.
func (l Locked) notSent(token string, s recovery.Settings) error {
	if step := recovery.Advance(l.fence(token, s), recovery.EventHeartbeat, s); step.Refused != "" {
		return l.refusal(step.Refused)
	}
	return l.refusal(fault.ReasonRunNotSent)
}

// Heartbeat says why a lease was not renewed; the renewal itself needs no
// transition.
func Heartbeat(l Locked, token string, s recovery.Settings) (Change, error) {
	return advance(l, token, recovery.EventHeartbeat, s, nil)
}

// Expire is the reconciler's step on a run whose lease or grace has passed.
// When there is nothing to do any more, as after a heartbeat that came first,
// the change is empty.
func Expire(l Locked, s recovery.Settings) (Change, error) {
	event, at := recovery.EventLeaseExpired, l.Run.LeaseExpiresAt
	if l.Run.State == recovery.RunLost {
		event, at = recovery.EventGraceEnded, l.Run.GraceEndsAt
	}
	if at.IsZero() || at.After(l.Now) {
		return Change{}, nil
	}
	step := recovery.Advance(l.fence("", s), event, s)
	if step.Refused != "" {
		return Change{}, nil
	}
	d := draftOf(l)
	d.run().GraceEndsAt = noTime
	d.take(step, s)
	return d.done()
}

// advance takes the step of an event that the run's owner reports.
func advance(l Locked, token string, event recovery.RunEvent, s recovery.Settings, also func(*draft)) (Change, error) {
	step := recovery.Advance(l.fence(token, s), event, s)
	if step.Refused != "" {
		return Change{}, l.refusal(step.Refused)
	}
	d := draftOf(l)
	d.change.ReleasePerSecond = s.ReleasePerSecond
	if also != nil {
		also(d)
	}
	d.take(step, s)
	return d.done()
}

// take applies a step that needs no decision.
func (d *draft) take(step recovery.Step, s recovery.Settings) {
	r := d.run()
	if step.Outcome != recovery.OutcomeNone {
		r.Outcome = step.Outcome
	}
	if step.Run != "" {
		d.setRun(step.Run)
	}
	if step.RenewLease {
		r.LeaseExpiresAt, r.HeartbeatAt = d.locked.Now.Add(s.Lease), d.locked.Now
	}
	if step.StartGrace {
		r.GraceEndsAt = d.locked.Now.Add(s.LostGrace)
	}
	switch {
	case step.StopReason != recovery.StopNone:
		d.stopForPerson(step.StopReason)
	case step.Wakeup == recovery.WakeupQueued:
		d.setWakeup(step.Wakeup, "")
		d.wakeup().DueAt = d.locked.Now
	case step.Wakeup != "":
		d.setWakeup(step.Wakeup, d.endReason(step.Wakeup))
	case step.Run != "":
		d.followSession()
	}
}

func (d *draft) endReason(w recovery.WakeupStatus) string {
	switch {
	case w == recovery.WakeupCompleted:
		return StatusSucceeded
	case w == recovery.WakeupCancelled && d.locked.stopRequested():
		return StatusStopped
	case w == recovery.WakeupCancelled:
		return StatusSuperseded
	}
	return ""
}

// stopForPerson fails the wakeup where no report led to a decision: the
// decision is what the state machine says.
func (d *draft) stopForPerson(reason recovery.StopReason) {
	decision := recovery.Decision{
		Action: recovery.ActionStop, Reason: recovery.Reason(reason),
		Because:  []string{"run=" + string(d.locked.Run.State), "gate=" + string(reason)},
		Remedy:   recovery.CauseOf(classification.Unclassified).Remedy,
		Progress: d.locked.Wakeup.Progress,
	}
	d.change.Report = &Report{Decision: &decision}
	d.run().Decision = &decision
	w := d.wakeup()
	w.LastDecision = &decision
	d.setWakeup(recovery.WakeupFailed, string(reason))
	d.emit(recoveryUpdated(w.ID, d.locked.Run.ID, *d.change.Report))
}

// learnNativeSession keeps the agent's own name of the conversation.
func (d *draft) learnNativeSession(id string) {
	if id == "" {
		return
	}
	if d.locked.Run.NativeSessionID != id {
		d.run().NativeSessionID = id
	}
	if d.locked.Wakeup.NativeSessionID != id {
		d.wakeup().NativeSessionID = id
	}
	if d.locked.Session.NativeSessionID != id && d.locked.Wakeup.Generation == d.locked.Session.Generation {
		s := d.session()
		s.NativeSessionID, s.Replied = id, false
	}
}
