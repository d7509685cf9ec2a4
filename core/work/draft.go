package work

import (
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// draft collects one transition's change and refuses what the state machines
// do not allow, so that a wrong rule fails loudly instead of being stored.
type draft struct {
	locked Locked
	change Change
	err    error
}

func draftOf(l Locked) *draft { return &draft{locked: l} }

func (d *draft) done() (Change, error) {
	if d.err != nil {
		return Change{}, d.err
	}
	return d.change, nil
}

func (d *draft) illegal(what, from, to string) {
	if d.err == nil {
		d.err = fault.New(fault.Internal, fault.ReasonInternal, "a %s cannot go from %q to %q", what, from, to)
	}
}

// session gives the session to change; version and instant are set once.
func (d *draft) session() *Session {
	if d.change.Session == nil {
		s := d.locked.Session
		s.Version++
		s.UpdatedAt = d.locked.Now
		d.change.Session = &s
	}
	return d.change.Session
}

func (d *draft) wakeup() *Wakeup {
	if d.change.Wakeup == nil {
		w := d.locked.Wakeup
		w.Version++
		w.UpdatedAt = d.locked.Now
		d.change.Wakeup = &w
	}
	return d.change.Wakeup
}

func (d *draft) run() *Run {
	if d.change.Run == nil {
		r := d.locked.Run
		r.Version++
		d.change.Run = &r
	}
	return d.change.Run
}

// setRun moves the run and keeps lease, grace and instants in step with it.
func (d *draft) setRun(to recovery.RunStatus) {
	r := d.run()
	if !r.State.CanBecome(to) {
		d.illegal("run", string(r.State), string(to))
	}
	r.State = to
	switch to {
	case recovery.RunSending:
		r.SendingAt = d.locked.Now
	case recovery.RunDelivered:
		r.DeliveredAt = d.locked.Now
	case recovery.RunSettled:
		r.SettledAt = d.locked.Now
	}
	if !to.Live() {
		r.LeaseExpiresAt = noTime
		r.GraceEndsAt = noTime
	}
}

// setWakeup moves the wakeup, then lets the session follow.
func (d *draft) setWakeup(to recovery.WakeupStatus, reason string) {
	w := d.wakeup()
	if !w.Status.CanBecome(to) {
		d.illegal("wakeup", string(w.Status), string(to))
	}
	w.Status, w.StatusReason = to, ""
	w.DueAt, w.Attention, w.WaitsForRunID = noTime, AttentionNone, ""
	if to.Ended() {
		w.StatusReason, w.EndedAt = reason, d.locked.Now
	}
	if to == recovery.WakeupFailed || to == recovery.WakeupTimedOut {
		w.Attention = AttentionPerson
	}
	d.emit(wakeupUpdated(*w))
	d.followSession()
}

// followSession gives the session the state of its newest wakeup and run. An
// older generation's wakeup no longer speaks for the session.
func (d *draft) followSession() {
	w, r := d.locked.Wakeup, d.locked.Run
	if d.change.Wakeup != nil {
		w = *d.change.Wakeup
	}
	if d.change.Run != nil {
		r = *d.change.Run
	}
	if w.Generation != d.locked.Session.Generation {
		return
	}
	to := recovery.SessionFor(w.Status, r.State, w.StatusReason == StatusStopped)
	from := d.locked.Session.State
	if d.change.Session != nil {
		from = d.change.Session.State
	}
	if from == to {
		return
	}
	if !from.CanBecome(to) {
		d.illegal("session", string(from), string(to))
	}
	s := d.session()
	s.State = to
	if d.change.Wakeup != nil {
		d.change.Wakeup.SessionState = to
	}
	d.emit(sessionUpdated(*s, w.ErrorMessage))
}

func (d *draft) emit(e Event) { d.change.Events = append(d.change.Events, e) }
