package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// LadderSource names the schedule of circuits without a stated reset in
// receipts, as parks do.
const LadderSource = "ladder@1"

// Open is for a failure that indicts the circuit's resource. It changes nothing
// if the run began before the last opening or closing, or while a probe is to
// find out. Fresh evidence against an open circuit is one more opening.
func (c Circuit) Open(f Failure, p Pace) (Circuit, Event, bool) {
	if c.State == HalfOpen || c.stale(f.StartedAt) {
		return c, Event{}, false
	}
	next := c.opened(f, p)
	return next, event(EventOpened, c, next, f.RunID, ""), true
}

// opened holds the failure against the resource until its deadline.
func (c Circuit) opened(f Failure, p Pace) Circuit {
	next := c.reopened(f.RunID, p)
	next.Code, next.Class = f.Result.Code, f.Result.Class
	next.Remedy = recovery.CauseOf(f.Result.Code).Remedy
	if resourceOf(f.Result.Code).Person {
		next.Until, next.Receipt = time.Time{}, recovery.Receipt{}
		return next
	}
	if stated := f.stated(p); c.takes(stated, next.Until, p) {
		next.Until = stated
		next.Receipt = recovery.Receipt{Kind: recovery.ReceiptStated, Source: f.Decision.HintSource}
	}
	// Nothing but a person shortens what was stated.
	if c.State == Open && c.Receipt.Kind == recovery.ReceiptStated && c.Until.After(next.Until) {
		next.Until, next.Receipt = c.Until, c.Receipt
	}
	return next
}

// takes says that a stated deadline goes before the step of the ladder. One of
// seconds is believed once: a provider that stays down and keeps saying so
// would be asked every few seconds.
func (c Circuit) takes(stated, step time.Time, p Pace) bool {
	if stated.IsZero() {
		return false
	}
	return stated.After(step) || c.Openings == 0 || stated.Sub(p.Now) > p.Settings.ShortThrottle+p.Settings.ResetMargin
}

// reopened puts the circuit on the next step of the ladder.
func (c Circuit) reopened(runID string, p Pace) Circuit {
	next := c.changed(Open, p.Now)
	next.OpenedAt, next.LastRunID, next.Probe = next.UpdatedAt, runID, Probe{}
	next.Until, next.Receipt = p.step(c.Openings)
	next.Openings++
	return next
}

// step is the end of the n-th step of the ladder from now, from 0.
func (p Pace) step(n int) (time.Time, recovery.Receipt) {
	wait := recovery.Jittered(recovery.Rung(p.Settings.Ladder, n), p.Settings.JitterFraction, p.Jitter)
	return recovery.Published(p.Now.Add(wait)), recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: LadderSource}
}
