package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// FailedRun is one failed run of a dynamic profile, with what is stored around it.
type FailedRun struct {
	RunID      string
	StartedAt  time.Time // when the run was claimed
	Candidate  Candidate // that it ran under
	Candidates []Candidate
	Circuits   map[Key]Circuit // of all candidates; a missing one is closed
	Cycle      Cycle
	// Facts are the run's; Route is filled in here.
	Facts  recovery.Facts
	Result classification.Result
}

// FollowUp is all that follows from it.
type FollowUp struct {
	Decision recovery.Decision
	Changes  []Change // circuits to write
	Cycle    Cycle
	// Next is the choice for the next candidate, or the park, by the circuits
	// as they are after Changes. Index is -1 and Park zero where the decision
	// needs no choice: the same candidate again, or a person.
	Next Selection
	// Progress is what the next decision starts from: that of the candidate that
	// failed, or, after it left, only what counts for the whole prompt.
	Progress recovery.Progress
}

// Follow decides on a failed run: the policy, the circuits, the cycle and the
// next candidate, in one step.
func Follow(r FailedRun, p Pace) FollowUp {
	f := Failure{RunID: r.RunID, StartedAt: r.StartedAt, Result: r.Result, Context: r.Facts.Context}
	facts := r.route(f, p)
	f.Decision = recovery.Decide(facts, r.Result, p.Settings, p.Now, p.Jitter)
	out := FollowUp{Decision: f.Decision, Changes: AfterFailure(r.Circuits, r.Candidate, f, p), Cycle: r.Cycle, Progress: f.Decision.Progress}
	out.Next = Selection{Index: -1, Cycle: r.Cycle}
	switch {
	case f.Decision.Action == recovery.ActionRetry || f.Decision.Action == recovery.ActionWait:
		out.Cycle = r.Cycle.Use(r.Candidate.ProfileID)
		out.Next.Cycle = out.Cycle
	case f.leaves():
		cycle := r.Cycle.ExcludeFailed(r.Candidate, f, p)
		out.Next = Select(r.Candidates, Apply(r.Circuits, out.Changes), cycle, p)
		out.Cycle = out.Next.Cycle
		out.Progress = f.Decision.Progress.NextCycle()
	}
	return out
}

// leaves says that the candidate is out of the cycle by the decision. A park for
// what a person consented to takes nothing back: the candidate has its turn left.
func (f Failure) leaves() bool {
	d := f.Decision
	return d.Action == recovery.ActionNextCandidate ||
		d.Action == recovery.ActionPark && (d.ParkReason == recovery.ParkProviderCapacity || d.ParkReason == recovery.ParkProviderActionRequired)
}

// route fills in what the policy has to know around the candidate. Who is left
// is counted as if the policy were exhausted: the same failure that makes this
// candidate leave may close the way to others.
func (r FailedRun) route(f Failure, p Pace) recovery.Facts {
	facts := r.Facts
	key, indicted := keyOf(r.Candidate, r.Result)
	circuit := at(r.Circuits, key)
	if indicted {
		facts.Route.CircuitOpenings = circuit.Openings
	}
	if indicted && circuit.Holds(r.RunID) {
		facts = AsProbe(facts)
	}
	facts.Route.CandidatesLeft = 0
	f.Decision = recovery.Decide(facts, r.Result, p.Settings, p.Now, p.Jitter)
	after := Apply(r.Circuits, AfterFailure(r.Circuits, r.Candidate, f, p))
	facts.Route.CandidatesLeft = Left(r.Candidates, after, r.Cycle, r.Candidate.ProfileID, p.Now)
	return facts
}

// AsProbe are the facts of a run that was a probe of what it failed on: the
// retries of its policy are spent, so that there is one launch a deadline.
func AsProbe(f recovery.Facts) recovery.Facts {
	f.Progress.Transient.Retries = max(f.Progress.Transient.Retries, f.Policy.Transient.Retry.MaxRetries)
	f.Progress.Hard.Retries = max(f.Progress.Hard.Retries, f.Policy.Hard.Retry.MaxRetries)
	return f
}
