package routing

import "time"

// Change is a circuit that has to be written, and the event that tells of it.
type Change struct {
	Circuit Circuit
	Event   Event
}

// AfterFailure is what a failed run of the candidate does to its circuits: the
// indicted one opens, and a probe that the run holds is answered. circuits
// holds those that are stored; a missing one is closed.
func AfterFailure(circuits map[Key]Circuit, c Candidate, f Failure, p Pace) []Change {
	indicted, opens := Indicts(c, f, p)
	var changes []Change
	for _, key := range c.Keys() {
		circuit := at(circuits, key)
		switch {
		case circuit.Holds(f.RunID):
			changes = appendChange(changes)(circuit.probed(c, f, p))
		case opens && key == indicted:
			changes = appendChange(changes)(circuit.Open(f, p))
		}
	}
	return changes
}

// probed is what the failure of a probe says: against this resource, or of
// nobody knows what, or nothing, because it failed for another reason. There
// is no short phase: one launch a deadline finds out.
func (c Circuit) probed(of Candidate, f Failure, p Pace) (Circuit, Event, bool) {
	key, blamed := f.blames(of)
	switch {
	case blamed && key == c.Key:
		return c.ProbeFailed(f, p)
	case f.unclear():
		return c.ProbeUnclear(f.RunID, p)
	}
	return c.ReleaseProbe(f.RunID, p.Now)
}

// AfterSuccess is what a run of the candidate that succeeded does to its
// circuits: it proves every one of them.
func AfterSuccess(circuits map[Key]Circuit, c Candidate, runID string, startedAt, now time.Time) []Change {
	var changes []Change
	for _, key := range c.Keys() {
		changes = appendChange(changes)(at(circuits, key).Succeeded(runID, startedAt, now))
	}
	return changes
}

// AfterNothing is for a run that ended without an answer, as when it was never
// sent, was stopped or is lost: the probes that it holds go to the next claimer.
func AfterNothing(circuits map[Key]Circuit, c Candidate, runID string, now time.Time) []Change {
	var changes []Change
	for _, key := range c.Keys() {
		changes = appendChange(changes)(at(circuits, key).ReleaseProbe(runID, now))
	}
	return changes
}

// Apply gives the circuits as they are after the changes; it writes to neither.
func Apply(circuits map[Key]Circuit, changes []Change) map[Key]Circuit {
	next := make(map[Key]Circuit, len(circuits)+len(changes))
	for key, circuit := range circuits {
		next[key] = circuit
	}
	for _, change := range changes {
		next[change.Circuit.Key] = change.Circuit
	}
	return next
}

func at(circuits map[Key]Circuit, key Key) Circuit {
	if circuit, ok := circuits[key]; ok {
		return circuit
	}
	return NewCircuit(key)
}

func appendChange(changes []Change) func(Circuit, Event, bool) []Change {
	return func(c Circuit, e Event, changed bool) []Change {
		if !changed {
			return changes
		}
		return append(changes, Change{Circuit: c, Event: e})
	}
}
