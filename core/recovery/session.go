package recovery

import "slices"

// SessionStatus is the state of a session.
type SessionStatus string

// The session states. Live ones are starting, running and waiting_for_input.
const (
	SessionIdle            SessionStatus = "idle"
	SessionStarting        SessionStatus = "starting" // a run is claimed, its prompt is not yet delivered
	SessionRunning         SessionStatus = "running"
	SessionWaitingForInput SessionStatus = "waiting_for_input"
	SessionFailed          SessionStatus = "failed" // a person resumes it, marks it fixed or starts fresh
	SessionStopped         SessionStatus = "stopped"
)

// SessionStatuses lists every session state.
func SessionStatuses() []SessionStatus {
	return []SessionStatus{SessionIdle, SessionStarting, SessionRunning, SessionWaitingForInput, SessionFailed, SessionStopped}
}

var sessionTransitions = map[SessionStatus][]SessionStatus{
	// idle → failed: what waits fails without running, as by a reconciler.
	SessionIdle:            {SessionStarting, SessionFailed, SessionStopped},
	SessionStarting:        {SessionIdle, SessionRunning, SessionFailed, SessionStopped},
	SessionRunning:         {SessionIdle, SessionWaitingForInput, SessionFailed, SessionStopped},
	SessionWaitingForInput: {SessionIdle, SessionRunning, SessionFailed, SessionStopped},
	SessionFailed:          {SessionIdle, SessionStopped},
	SessionStopped:         {SessionIdle},
}

// CanBecome says whether the transition is legal. No state becomes itself.
func (s SessionStatus) CanBecome(to SessionStatus) bool {
	return slices.Contains(sessionTransitions[s], to)
}

// Live says that a run may be working in the session.
func (s SessionStatus) Live() bool {
	return s == SessionStarting || s == SessionRunning || s == SessionWaitingForInput
}

// SessionFor is the state of a session whose newest wakeup and run are in
// these states; run is RunNone before the first claim. stopped says that a
// person stopped the work, rather than cancelled one wait. A session that waits
// for input is the caller's to tell apart from a running one.
func SessionFor(wakeup WakeupStatus, run RunStatus, stopped bool) SessionStatus {
	switch wakeup {
	case WakeupRunning:
		if run == RunClaimed || run == RunSending {
			return SessionStarting
		}
		return SessionRunning
	case WakeupFailed, WakeupTimedOut:
		return SessionFailed
	case WakeupCancelled:
		if stopped {
			return SessionStopped
		}
		return SessionIdle
	default:
		return SessionIdle
	}
}
