package classification

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Hint is one stated deadline, with where it was stated.
type Hint struct {
	At     time.Time // UTC instant
	Source string    // field or words it came from, as `header retry-after` or `resets 4pm (Europe/London)`
}

// HintRejection is a stated time that was not taken, and why.
type HintRejection struct {
	Text   string
	Reason string // past, unparsable, negative, too_far, no_zone, day_only, inexact, own_retry_timer
}

// Result is what an envelope was classified as.
type Result struct {
	Code             Code
	Class            Class
	Confidence       Confidence
	Throttle         Throttle
	Scope            Scope
	RuleID           string // "" when no rule matched
	CatalogueVersion string
	CatalogueDigest  string
	// RetryAfter counts from ObservedAt; 0 with RetryAfterSet false means none was stated.
	RetryAfter    time.Duration
	RetryAfterSet bool
	// ResetAt is the stated instant, zero if none was: a stated wait is RetryAfter alone.
	ResetAt        time.Time
	HintSource     string
	HintRejections []HintRejection
	// AgentRetrying: the evidence shows the agent's own retry in flight, not a failure.
	AgentRetrying bool
	// AgentRetryAfter is the agent's own timer, 0 if unknown.
	AgentRetryAfter time.Duration
	// ConflictsWith names the second rule when two rules of different codes tie.
	ConflictsWith string
	SafeExcerpt   string // at most 500 bytes, redacted
	Provider      string
	Model         string
	Phase         evidence.Phase
	OccurredAt    time.Time
	// Explain is set only on request.
	Explain *Explanation
}

// Explanation shows how a result came about.
type Explanation struct {
	Signals    []evidence.Signal // as seen after normalisation, redacted
	Candidates []Candidate
}

// Candidate is one rule that was looked at.
type Candidate struct {
	RuleID  string
	Code    Code
	Won     bool
	Signal  int    // index of the signal it matched
	Matched string // the literal, field or pattern that matched, redacted
	Lost    string // why it lost, "" for the winner
}

// HintAt is the instant that was stated, directly or as a wait; zero if neither.
func (r Result) HintAt() time.Time {
	if r.ResetAt.IsZero() && r.RetryAfterSet {
		return r.OccurredAt.Add(r.RetryAfter).UTC()
	}
	return r.ResetAt
}
