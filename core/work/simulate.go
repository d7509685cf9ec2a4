package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// SimulatePolicy asks what failures would have met under another policy.
type SimulatePolicy struct {
	WorkspaceID string
	// One of the two: a prompt's own choice, or the policies of a candidate.
	Choice  *PolicyChoice
	Classes *recovery.ClassPolicies
	// Cases are evidence to replay, each as the first failure of its prompt;
	// stored attempts if there are none.
	Cases          []evidence.Envelope
	DecidedAfter   time.Time // of stored attempts, that instant included; all if zero
	DecidedBefore  time.Time // of stored attempts; all if zero
	Code           string    // of stored attempts; all if ""
	MaxAttempts    int       // stored attempts, the newest: 1 to 1000, 200 if 0
	CandidatesLeft int       // other candidates that could take over
}

// Attempt is one stored decision and all that it was made from.
type Attempt struct {
	RunID          string // "" of a case
	Classification classification.Result
	Decided        *recovery.Decision // as stored; nil of a case
	Facts          recovery.Facts
	Jitter         float64
	DecidedAt      time.Time
}

// AttemptFilter narrows a list of attempts; a zero field narrows nothing.
type AttemptFilter struct {
	WorkspaceID   string
	DecidedAfter  time.Time // included
	DecidedBefore time.Time
	Code          string
	Limit         int
}

// SimulatedDecision is what one failure would have met.
type SimulatedDecision struct {
	Attempt
	Simulated recovery.Decision
}

// Changed says that the failure would have met another fate than it did.
func (d SimulatedDecision) Changed() bool {
	return d.Decided != nil && d.Decided.Action != d.Simulated.Action
}

// Simulated is the answer to SimulatePolicy.
type Simulated struct {
	Decisions []SimulatedDecision // in the order of the cases, or the newest attempt first
	More      bool                // older attempts match that were left out
}

// Simulate replays attempts against the policy that is asked about, with the
// function that decides. Everything else stays as it was then: facts, clock,
// jitter, and what a person had declared.
func (in SimulatePolicy) Simulate(attempts []Attempt, s recovery.Settings) []SimulatedDecision {
	out := make([]SimulatedDecision, 0, len(attempts))
	for _, a := range attempts {
		facts := in.Apply(a.Facts, s)
		out = append(out, SimulatedDecision{Attempt: a, Simulated: recovery.Decide(facts, a.Classification, s, a.DecidedAt, a.Jitter)})
	}
	return out
}

// Apply puts the policy that is asked about into f.
func (in SimulatePolicy) Apply(f recovery.Facts, s recovery.Settings) recovery.Facts {
	if in.Classes != nil {
		f.Context, f.Policy = recovery.ContextDynamic, *in.Classes
	}
	if in.Choice != nil {
		f = in.Choice.Facts(f, s)
	}
	f.Route.CandidatesLeft = in.CandidatesLeft
	return f
}

// Totals count how many failures would have met each fate.
type Totals struct {
	Failures, Waited, Retried, Switched, Parked, Stopped, Changed int
}

// Totals counts the decisions.
func (s Simulated) Totals() Totals {
	var t Totals
	counts := map[recovery.Action]*int{
		recovery.ActionWait: &t.Waited, recovery.ActionRetry: &t.Retried, recovery.ActionNextCandidate: &t.Switched,
		recovery.ActionPark: &t.Parked, recovery.ActionStop: &t.Stopped,
	}
	for _, d := range s.Decisions {
		t.Failures++
		*counts[d.Simulated.Action]++
		if d.Changed() {
			t.Changed++
		}
	}
	return t
}
