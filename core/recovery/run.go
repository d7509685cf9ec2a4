package recovery

import "slices"

// RunStatus is the state of a run: how far its one delivery has come.
type RunStatus string

// The run states. The zero value means that there is no run yet.
const (
	RunNone      RunStatus = ""
	RunClaimed   RunStatus = "claimed"   // leased, nothing was sent
	RunSending   RunStatus = "sending"   // the first byte may have left
	RunDelivered RunStatus = "delivered" // the agent has the prompt
	RunSettled   RunStatus = "settled"   // the outcome is known
	RunLost      RunStatus = "lost"      // the lease ended first; never launched again
)

// RunStatuses lists every run state.
func RunStatuses() []RunStatus {
	return []RunStatus{RunClaimed, RunSending, RunDelivered, RunSettled, RunLost}
}

var runTransitions = map[RunStatus][]RunStatus{
	RunClaimed:   {RunSending, RunSettled},
	RunSending:   {RunDelivered, RunSettled, RunLost},
	RunDelivered: {RunSettled, RunLost},
	RunLost:      {RunSettled},
}

// CanBecome says whether the transition is legal. No state becomes itself.
func (s RunStatus) CanBecome(to RunStatus) bool {
	return slices.Contains(runTransitions[s], to)
}

// Live says that the run holds a lease.
func (s RunStatus) Live() bool {
	return s == RunClaimed || s == RunSending || s == RunDelivered
}

// RunOutcome is how a run ended.
type RunOutcome string

// The outcomes.
const (
	OutcomeNone      RunOutcome = ""
	OutcomeSucceeded RunOutcome = "succeeded"
	OutcomeFailed    RunOutcome = "failed"
	OutcomeNotSent   RunOutcome = "not_sent"  // the prompt is known not to have been delivered
	OutcomeAmbiguous RunOutcome = "ambiguous" // it may have been; only of a lost run
	OutcomeCancelled RunOutcome = "cancelled" // a person stopped it
)

// RunOutcomes lists every outcome.
func RunOutcomes() []RunOutcome {
	return []RunOutcome{OutcomeSucceeded, OutcomeFailed, OutcomeNotSent, OutcomeAmbiguous, OutcomeCancelled}
}

// Legal says whether wakeup, its newest run and the session may be in these
// states together. session is that of a session whose newest wakeup this is.
func Legal(session SessionStatus, wakeup WakeupStatus, run RunStatus) bool {
	switch wakeup {
	case WakeupQueued, WakeupScheduledRetry, WakeupParked:
		return session == SessionIdle && (run == RunSettled || run == RunNone && wakeup != WakeupScheduledRetry)
	case WakeupRunning:
		switch run {
		case RunClaimed, RunSending:
			return session == SessionStarting
		case RunDelivered:
			return session == SessionRunning || session == SessionWaitingForInput
		case RunLost:
			return session == SessionRunning || session == SessionWaitingForInput
		default:
			return false
		}
	case WakeupCompleted:
		return session == SessionIdle && run == RunSettled
	case WakeupFailed:
		// A person may have marked it fixed: the session is idle, the wakeup stays as it ended.
		return (session == SessionFailed || session == SessionIdle || session == SessionStopped) && !run.Live()
	case WakeupTimedOut:
		return (session == SessionFailed || session == SessionIdle || session == SessionStopped) && run == RunSettled
	case WakeupCancelled:
		return (session == SessionStopped || session == SessionIdle || session == SessionFailed) && !run.Live()
	}
	return false
}
