package recovery

import "github.com/recourse-dev/recourse/core/fault"

// Interrupt is what a person, or a newer generation, does to a wakeup.
type Interrupt string

// The interrupts.
const (
	InterruptNewPrompt     Interrupt = "new_prompt"
	InterruptProfileChange Interrupt = "profile_change" // of model or profile
	InterruptCancelWait    Interrupt = "cancel_wait"
	InterruptStop          Interrupt = "stop"
	InterruptStartFresh    Interrupt = "start_fresh"
	InterruptRetryNow      Interrupt = "retry_now"
	InterruptSuperseded    Interrupt = "superseded" // a later generation exists
)

// Interrupts lists every interrupt.
func Interrupts() []Interrupt {
	return []Interrupt{
		InterruptNewPrompt, InterruptProfileChange, InterruptCancelWait, InterruptStop,
		InterruptStartFresh, InterruptRetryNow, InterruptSuperseded,
	}
}

// Effect is what an interrupt does to the wakeup it meets.
type Effect struct {
	Refused fault.Reason // why nothing changes, "" otherwise
	To      WakeupStatus // "" leaves the wakeup as it is
	// NextGeneration makes everything older stale, timers included.
	NextGeneration bool
	// CarryPayload takes the wakeup's payloads into the one that replaces it.
	CarryPayload bool
	// Coalesce appends the new payload to this wakeup instead of making one.
	Coalesce bool
	// RequestStop tells the run's holder to end the child; the wakeup is
	// cancelled when the run has settled.
	RequestStop bool
}

// Situation is how far a wakeup has come when it is interrupted.
type Situation string

// The situations.
const (
	SituationFresh   Situation = "fresh"   // queued, never claimed
	SituationRearmed Situation = "rearmed" // queued again after a run
	SituationWaiting Situation = "waiting" // scheduled_retry or parked
	SituationRunning Situation = "running"
	SituationLost    Situation = "lost" // running, but its run is lost
	SituationEnded   Situation = "ended"
)

// Situations lists every situation.
func Situations() []Situation {
	return []Situation{SituationFresh, SituationRearmed, SituationWaiting, SituationRunning, SituationLost, SituationEnded}
}

// SituationOf tells the situation of a wakeup by its state and its newest run's.
func SituationOf(wakeup WakeupStatus, run RunStatus) Situation {
	switch {
	case wakeup.Ended():
		return SituationEnded
	case wakeup.Waiting():
		return SituationWaiting
	case wakeup == WakeupRunning && run == RunLost:
		return SituationLost
	case wakeup == WakeupRunning:
		return SituationRunning
	case run == RunNone:
		return SituationFresh
	}
	return SituationRearmed
}

var (
	unchanged  = Effect{}
	cancelled  = Effect{To: WakeupCancelled}
	replaced   = Effect{To: WakeupCancelled, NextGeneration: true, CarryPayload: true}
	superseded = Effect{To: WakeupCancelled, NextGeneration: true}
	busy       = Effect{Refused: fault.ReasonSessionBusy}
	tooLate    = Effect{Refused: fault.ReasonStaleVersion}
)

// interruptTable has a row for each situation and a cell for each interrupt.
var interruptTable = map[Situation]map[Interrupt]Effect{
	SituationFresh: {
		InterruptNewPrompt: {Coalesce: true}, InterruptProfileChange: unchanged, InterruptCancelWait: cancelled, InterruptStop: cancelled,
		InterruptStartFresh: replaced, InterruptRetryNow: unchanged, InterruptSuperseded: cancelled,
	},
	SituationRearmed: {
		InterruptNewPrompt: replaced, InterruptProfileChange: cancelled, InterruptCancelWait: cancelled, InterruptStop: cancelled,
		InterruptStartFresh: replaced, InterruptRetryNow: unchanged, InterruptSuperseded: cancelled,
	},
	SituationWaiting: {
		InterruptNewPrompt: replaced, InterruptProfileChange: cancelled, InterruptCancelWait: cancelled, InterruptStop: cancelled,
		InterruptStartFresh: replaced, InterruptRetryNow: {To: WakeupQueued}, InterruptSuperseded: cancelled,
	},
	SituationRunning: {
		InterruptNewPrompt: busy, InterruptProfileChange: busy, InterruptCancelWait: tooLate, InterruptStop: {RequestStop: true},
		InterruptStartFresh: busy, InterruptRetryNow: tooLate, InterruptSuperseded: {RequestStop: true},
	},
	// The lease and the grace to kill the child have passed: a person may go
	// on. The prompt was delivered, so its payload is not carried over.
	SituationLost: {
		InterruptNewPrompt: superseded, InterruptProfileChange: cancelled, InterruptCancelWait: tooLate, InterruptStop: cancelled,
		InterruptStartFresh: superseded, InterruptRetryNow: tooLate, InterruptSuperseded: cancelled,
	},
	SituationEnded: {
		InterruptNewPrompt: {NextGeneration: true}, InterruptProfileChange: unchanged, InterruptCancelWait: tooLate, InterruptStop: unchanged,
		InterruptStartFresh: {NextGeneration: true}, InterruptRetryNow: tooLate, InterruptSuperseded: unchanged,
	},
}

// Interrupted gives what an interrupt does in a situation.
func Interrupted(s Situation, i Interrupt) Effect {
	effect, ok := interruptTable[s][i]
	if !ok {
		return Effect{Refused: fault.ReasonInternal}
	}
	return effect
}
