package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// EventKind is what happened to a circuit.
type EventKind string

// The event kinds. The zero value is none.
const (
	EventOpened     EventKind = "opened"      // a failure opened it, or gave fresh evidence against it
	EventReopened   EventKind = "reopened"    // its probe failed: the next step of the ladder
	EventProbeTaken EventKind = "probe_taken" // one run finds out
	EventProbeLost  EventKind = "probe_lost"  // the probe ended without an answer: due at once
	EventClosed     EventKind = "closed"      // a run succeeded
	EventHalfOpened EventKind = "half_opened" // a person says that it is fixed
	EventReset      EventKind = "reset"       // a person closed it
)

// EventKinds lists every event kind.
func EventKinds() []EventKind {
	return []EventKind{EventOpened, EventReopened, EventProbeTaken, EventProbeLost, EventClosed, EventHalfOpened, EventReset}
}

// Event is one change of a circuit, for streams and for the audit.
type Event struct {
	Kind       EventKind
	Key        Key
	From, To   State
	Code       classification.Code // what is held against the resource, "" when closed
	Until      time.Time
	Receipt    recovery.Receipt
	Remedy     recovery.Remedy
	Openings   int
	RunID      string // the run behind it, "" if it was a person or the end of a lease
	By         string // the person behind it, "" if nobody
	Version    int64  // the circuit's version after it
	OccurredAt time.Time
}

// event tells how a circuit became what it is now.
func event(kind EventKind, from, to Circuit, runID, by string) Event {
	state := from.State
	if from.closed() {
		state = Closed
	}
	return Event{
		Kind: kind, Key: to.Key, From: state, To: to.State, Code: to.Code,
		Until: to.Until, Receipt: to.Receipt, Remedy: to.Remedy, Openings: to.Openings,
		RunID: runID, By: by, Version: to.Version, OccurredAt: to.UpdatedAt,
	}
}
