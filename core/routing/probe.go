package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// TakeProbe makes the launch of a run the probe, for as long as the lease
// holds. It changes nothing unless NextStep says that a probe may be taken:
// there is never more than one.
func (c Circuit) TakeProbe(runID, hostID string, lease time.Duration, now time.Time) (Circuit, Event, bool) {
	if runID == "" || lease <= 0 || c.NextStep(now).Kind != StepProbe {
		return c, Event{}, false
	}
	next := c.changed(HalfOpen, now)
	next.Probe = Probe{RunID: runID, HostID: hostID, LeaseExpiresAt: now.UTC().Add(lease)}
	next.LastRunID = runID
	return next, event(EventProbeTaken, c, next, runID, ""), true
}

// RenewProbe keeps the probe of a run that is still working. It is no news, so
// the event is the zero value.
func (c Circuit) RenewProbe(runID string, lease time.Duration, now time.Time) (Circuit, Event, bool) {
	until := now.UTC().Add(lease)
	if !c.Holds(runID) || !until.After(c.Probe.LeaseExpiresAt) {
		return c, Event{}, false
	}
	next := c.changed(HalfOpen, now)
	next.Probe.LeaseExpiresAt = until
	return next, Event{}, true
}

// ProbeSucceeded closes the circuit; only the run that holds the probe does.
func (c Circuit) ProbeSucceeded(runID string, now time.Time) (Circuit, Event, bool) {
	if !c.Holds(runID) {
		return c, Event{}, false
	}
	next := c.reset(runID, now)
	return next, event(EventClosed, c, next, runID, ""), true
}

// Succeeded closes the circuit if the run that succeeded is its probe, or began
// after it had opened.
func (c Circuit) Succeeded(runID string, startedAt, now time.Time) (Circuit, Event, bool) {
	if c.closed() || !c.Holds(runID) && c.stale(startedAt) {
		return c, Event{}, false
	}
	next := c.reset(runID, now)
	return next, event(EventClosed, c, next, runID, ""), true
}

// ProbeFailed opens the circuit for the next step of the ladder, or until what
// the failure states; only the run that holds the probe does.
func (c Circuit) ProbeFailed(f Failure, p Pace) (Circuit, Event, bool) {
	if !c.Holds(f.RunID) {
		return c, Event{}, false
	}
	next := c.opened(f, p)
	return next, event(EventReopened, c, next, f.RunID, ""), true
}

// ProbeUnclear is for a probe whose failure nobody can name. What is held
// against the resource stays; to be due at once would send all that waits into it.
func (c Circuit) ProbeUnclear(runID string, p Pace) (Circuit, Event, bool) {
	if !c.Holds(runID) {
		return c, Event{}, false
	}
	next := c.reopened(runID, p)
	return next, event(EventReopened, c, next, runID, ""), true
}

// ProbeLost gives back a probe whose lease is over: the next claimer may take it.
func (c Circuit) ProbeLost(now time.Time) (Circuit, Event, bool) {
	if c.State != HalfOpen || c.Probe.RunID == "" || c.Probe.Live(now) {
		return c, Event{}, false
	}
	next := c.givenBack(now)
	return next, event(EventProbeLost, c, next, "", ""), true
}

// ReleaseProbe gives back the probe of a run that ended without an answer, as
// when it was never sent or a person stopped it.
func (c Circuit) ReleaseProbe(runID string, now time.Time) (Circuit, Event, bool) {
	if !c.Holds(runID) {
		return c, Event{}, false
	}
	next := c.givenBack(now)
	return next, event(EventProbeLost, c, next, runID, ""), true
}

// givenBack leaves the deadline where it was, which has passed.
func (c Circuit) givenBack(now time.Time) Circuit {
	next := c.changed(Open, now)
	next.Probe = Probe{}
	return next
}

// ResetBy closes the circuit because a named person says so. Without a name it
// changes nothing: a reset is audited.
func (c Circuit) ResetBy(person string, now time.Time) (Circuit, Event, bool) {
	if person == "" || c.closed() {
		return c, Event{}, false
	}
	next := c.reset("", now)
	return next, event(EventReset, c, next, "", person), true
}

// ForceHalfOpen is for a named person who marked the cause as fixed: the next
// claim probes, whatever the deadline was. It leaves a live probe alone.
func (c Circuit) ForceHalfOpen(person string, now time.Time) (Circuit, Event, bool) {
	if person == "" || c.closed() || c.State == HalfOpen && (c.Probe.RunID == "" || c.Probe.Live(now)) {
		return c, Event{}, false
	}
	next := c.changed(HalfOpen, now)
	next.Probe = Probe{}
	next.Until = next.UpdatedAt
	if next.OpenedAt.After(next.Until) {
		next.Until = next.OpenedAt // the clock was set back
	}
	next.Receipt = recovery.Receipt{Kind: recovery.ReceiptPerson, Source: person}
	return next, event(EventHalfOpened, c, next, "", person), true
}

// reset forgets everything that was held against the resource.
func (c Circuit) reset(runID string, now time.Time) Circuit {
	next := NewCircuit(c.Key)
	next.Version, next.LastRunID = c.Version, c.LastRunID
	if runID != "" {
		next.LastRunID = runID
	}
	return next.changed(Closed, now)
}
