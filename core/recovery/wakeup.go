package recovery

import (
	"slices"
	"time"
)

// WakeupStatus is the state of a wakeup, the durable queue row.
type WakeupStatus string

// The wakeup states.
const (
	WakeupQueued         WakeupStatus = "queued"
	WakeupRunning        WakeupStatus = "running"
	WakeupScheduledRetry WakeupStatus = "scheduled_retry"
	WakeupParked         WakeupStatus = "parked"
	WakeupCompleted      WakeupStatus = "completed"
	WakeupFailed         WakeupStatus = "failed"
	WakeupTimedOut       WakeupStatus = "timed_out"
	WakeupCancelled      WakeupStatus = "cancelled"
)

// WakeupStatuses lists every wakeup state.
func WakeupStatuses() []WakeupStatus {
	return []WakeupStatus{
		WakeupQueued, WakeupRunning, WakeupScheduledRetry, WakeupParked,
		WakeupCompleted, WakeupFailed, WakeupTimedOut, WakeupCancelled,
	}
}

var wakeupTransitions = map[WakeupStatus][]WakeupStatus{
	WakeupQueued:  {WakeupRunning, WakeupParked, WakeupCancelled},
	WakeupRunning: {WakeupQueued, WakeupScheduledRetry, WakeupParked, WakeupCompleted, WakeupFailed, WakeupTimedOut, WakeupCancelled},
	// A due retry is claimed as it is; Retry now makes it due as a queued one.
	WakeupScheduledRetry: {WakeupRunning, WakeupQueued, WakeupParked, WakeupFailed, WakeupCancelled},
	WakeupParked:         {WakeupRunning, WakeupQueued, WakeupFailed, WakeupCancelled},
	// failed → completed only by the late settle of a lost run.
	WakeupFailed: {WakeupCompleted},
}

// CanBecome says whether the transition is legal. No state becomes itself.
func (s WakeupStatus) CanBecome(to WakeupStatus) bool {
	return slices.Contains(wakeupTransitions[s], to)
}

// Ended says that nothing more happens to the wakeup by itself.
func (s WakeupStatus) Ended() bool {
	return s == WakeupCompleted || s == WakeupFailed || s == WakeupTimedOut || s == WakeupCancelled
}

// Waiting says that the wakeup waits for an instant or a person.
func (s WakeupStatus) Waiting() bool {
	return s == WakeupScheduledRetry || s == WakeupParked
}

// Claimable says that the wakeup may become running once it is due.
func (s WakeupStatus) Claimable() bool { return s.CanBecome(WakeupRunning) }

// WakeupAfter is the state that a decision puts a running wakeup into.
func WakeupAfter(d Decision) WakeupStatus {
	switch d.Action {
	case ActionRetry, ActionWait:
		return WakeupScheduledRetry
	case ActionNextCandidate:
		return WakeupQueued
	case ActionPark:
		return WakeupParked
	default:
		if d.Reason == Reason(StopTimedOut) {
			return WakeupTimedOut
		}
		return WakeupFailed
	}
}

// Hold is what keeps an unfinished wakeup from being stuck.
type Hold struct {
	Wakeup         WakeupStatus
	Run            RunStatus // of the newest run, "" if none
	DueAt          time.Time // of a queued, scheduled or parked wakeup
	LeaseExpiresAt time.Time // of a live run
	GraceEndsAt    time.Time // of a lost run
	ParkReason     ParkReason
	Reason         Reason // of a failed wakeup
	Remedy         Remedy
}

// Owned says that the state has a deadline, or names what a person must do.
// A row for which it is false would be stuck for ever.
func (h Hold) Owned() bool {
	switch h.Wakeup {
	case WakeupQueued, WakeupScheduledRetry:
		return !h.DueAt.IsZero()
	case WakeupParked:
		if h.ParkReason.Timed() {
			return !h.DueAt.IsZero()
		}
		return h.ParkReason != "" && h.Remedy != ""
	case WakeupRunning:
		if h.Run == RunLost {
			return !h.GraceEndsAt.IsZero()
		}
		return h.Run.Live() && !h.LeaseExpiresAt.IsZero()
	case WakeupFailed, WakeupTimedOut:
		return h.Reason != "" && h.Remedy != ""
	default:
		return h.Wakeup.Ended()
	}
}
