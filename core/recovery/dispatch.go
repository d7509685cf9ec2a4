package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// RunEvent is what can happen to a run on the durable path.
type RunEvent string

// The run events. The first six come from the holder of the lease, the last
// two from a reconciler.
const (
	EventHeartbeat     RunEvent = "heartbeat"
	EventBeginSend     RunEvent = "begin_send"
	EventMarkDelivered RunEvent = "mark_delivered"
	EventNotSent       RunEvent = "not_sent" // exec failed: no byte has left
	EventReportSuccess RunEvent = "report_success"
	EventReportFailure RunEvent = "report_failure"
	EventLeaseExpired  RunEvent = "lease_expired"
	EventGraceEnded    RunEvent = "grace_ended" // Settings.LostGrace has passed since the run was lost
)

// RunEvents lists every run event.
func RunEvents() []RunEvent {
	return []RunEvent{
		EventHeartbeat, EventBeginSend, EventMarkDelivered, EventNotSent,
		EventReportSuccess, EventReportFailure, EventLeaseExpired, EventGraceEnded,
	}
}

// Step is what an event does to a run and its wakeup.
type Step struct {
	// Refused is why nothing changes, "" when the step is taken.
	Refused fault.Reason
	// Run and Wakeup are the states afterwards; "" leaves a state as it is.
	Run    RunStatus
	Wakeup WakeupStatus
	// ByDecision says that Wakeup follows from Decide and WakeupAfter.
	ByDecision bool
	Outcome    RunOutcome
	// RenewLease says that the lease is extended.
	RenewLease bool
	// StartGrace says that the time until a person is asked begins now.
	StartGrace bool
	// StopReason is why the wakeup fails; only where no decision says so.
	StopReason StopReason
	// LateEvidence says that the report is kept and changes nothing else.
	LateEvidence bool
}

func refuse(reason fault.Reason) Step { return Step{Refused: reason} }

var (
	renewed      = Step{RenewLease: true}
	notSentYet   = refuse(fault.ReasonRunNotSent)
	settledOnce  = refuse(fault.ReasonRunAlreadySettled)
	leaseGone    = refuse(fault.ReasonStaleLease)
	runMovedOn   = refuse(fault.ReasonStaleVersion)
	released     = Step{Run: RunSettled, Wakeup: WakeupQueued, Outcome: OutcomeNotSent}
	succeeded    = Step{Run: RunSettled, Wakeup: WakeupCompleted, Outcome: OutcomeSucceeded}
	failedRun    = Step{Run: RunSettled, ByDecision: true, Outcome: OutcomeFailed}
	maybeSent    = Step{Run: RunLost, Wakeup: WakeupFailed, Outcome: OutcomeAmbiguous, StopReason: StopAmbiguousDelivery}
	lostInFlight = Step{Run: RunLost, StartGrace: true}
	askPerson    = Step{Wakeup: WakeupFailed, StopReason: StopAmbiguousDelivery}
	lateNotSent  = Step{Run: RunSettled, Wakeup: WakeupFailed, Outcome: OutcomeNotSent, StopReason: StopAmbiguousDelivery}
)

// dispatchTable has a row for each run state and a cell for each event.
var dispatchTable = map[RunStatus]map[RunEvent]Step{
	RunClaimed: {
		EventHeartbeat: renewed, EventBeginSend: {Run: RunSending, RenewLease: true}, EventMarkDelivered: notSentYet, EventNotSent: released,
		// A launch that fails before sending is a failure like any other.
		EventReportSuccess: notSentYet, EventReportFailure: failedRun, EventLeaseExpired: released, EventGraceEnded: runMovedOn,
	},
	RunSending: {
		// A second BeginSend is answered by its request id, never granted again.
		EventHeartbeat: renewed, EventBeginSend: runMovedOn, EventMarkDelivered: {Run: RunDelivered, RenewLease: true}, EventNotSent: released,
		EventReportSuccess: succeeded, EventReportFailure: failedRun, EventLeaseExpired: maybeSent, EventGraceEnded: runMovedOn,
	},
	RunDelivered: {
		EventHeartbeat: renewed, EventBeginSend: runMovedOn, EventMarkDelivered: renewed, EventNotSent: runMovedOn,
		EventReportSuccess: succeeded, EventReportFailure: failedRun, EventLeaseExpired: lostInFlight, EventGraceEnded: runMovedOn,
	},
	RunSettled: {
		EventHeartbeat: settledOnce, EventBeginSend: settledOnce, EventMarkDelivered: settledOnce, EventNotSent: settledOnce,
		EventReportSuccess: settledOnce, EventReportFailure: settledOnce, EventLeaseExpired: runMovedOn, EventGraceEnded: runMovedOn,
	},
	RunLost: {
		EventHeartbeat: leaseGone, EventBeginSend: leaseGone, EventMarkDelivered: leaseGone, EventNotSent: lateNotSent,
		EventReportSuccess: succeeded, EventReportFailure: failedRun, EventLeaseExpired: runMovedOn, EventGraceEnded: askPerson,
	},
}

// RunFacts are the fences around an event of a run.
type RunFacts struct {
	Run    RunStatus
	Wakeup WakeupStatus
	// TokenMatches says that the caller named the run's lease token. A
	// reconciler has none and needs none.
	TokenMatches bool
	// GenerationCurrent says that no newer prompt generation exists.
	GenerationCurrent bool
	// PersonActed says that a person has dealt with the lost run.
	PersonActed bool
	// StopRequested says that a person asked to stop the run.
	StopRequested bool
	// LeaseRemaining is the lease time left by the clock that rules leases.
	LeaseRemaining time.Duration
}

// Advance gives what an event does. It never grants a second delivery: a run
// is sent at most once, and only what is known not to have been sent re-arms
// its wakeup.
func Advance(f RunFacts, event RunEvent, s Settings) Step {
	step, ok := dispatchTable[f.Run][event]
	if !ok {
		return refuse(fault.ReasonInternal)
	}
	if reason := fence(f, event, s); reason != "" {
		return refuse(reason)
	}
	if step.Refused != "" {
		return step
	}
	if late := f.Run == RunLost && isReport(event); late && (f.PersonActed || !f.GenerationCurrent) {
		return Step{LateEvidence: true}
	}
	if step.StartGrace && f.StopRequested && f.Wakeup == WakeupRunning {
		// Nobody waits for what a person has stopped.
		return Step{Run: step.Run, Wakeup: WakeupCancelled}
	}
	return settleWakeup(step, f)
}

func fence(f RunFacts, event RunEvent, s Settings) fault.Reason {
	switch event {
	case EventLeaseExpired:
		if f.Run.Live() && f.LeaseRemaining > 0 {
			// A heartbeat was faster than the reconciler.
			return fault.ReasonStaleVersion
		}
		return ""
	case EventGraceEnded:
		return ""
	default:
		return holderFence(f, event, s)
	}
}

// holderFence is for what only the holder of the lease may say.
func holderFence(f RunFacts, event RunEvent, s Settings) fault.Reason {
	if !f.TokenMatches {
		return fault.ReasonStaleLease
	}
	if event != EventBeginSend || f.Run != RunClaimed {
		return ""
	}
	return beginSendFence(f, s)
}

// beginSendFence lists what must hold before the first byte leaves.
func beginSendFence(f RunFacts, s Settings) fault.Reason {
	switch {
	case !f.GenerationCurrent:
		return fault.ReasonStaleGeneration
	case f.StopRequested || f.Wakeup != WakeupRunning || f.LeaseRemaining < s.SendMargin:
		// Less than the margin is as good as no lease: the prompt could still
		// be on its way when another holder is granted one.
		return fault.ReasonStaleLease
	}
	return ""
}

func isReport(e RunEvent) bool {
	return e == EventReportSuccess || e == EventReportFailure || e == EventNotSent
}

// settleWakeup fits the wakeup's side of a step to where the wakeup is now.
func settleWakeup(step Step, f RunFacts) Step {
	if step.Wakeup == "" && !step.ByDecision {
		return step
	}
	lateSuccess := f.Run == RunLost && f.Wakeup == WakeupFailed && step.Wakeup == WakeupCompleted
	switch {
	case f.Wakeup != WakeupRunning && !lateSuccess:
		// It has ended already, or belongs to a newer run: only the run settles.
		step.Wakeup, step.ByDecision, step.StopReason = "", false, StopNone
	case f.StopRequested && step.Wakeup != WakeupCompleted, !f.GenerationCurrent && step.Wakeup != WakeupCompleted:
		// Nothing of a stopped or superseded prompt is tried again.
		step.Wakeup, step.ByDecision, step.StopReason = WakeupCancelled, false, StopNone
		if f.StopRequested && step.Outcome == OutcomeFailed {
			step.Outcome = OutcomeCancelled
		}
	}
	return step
}
