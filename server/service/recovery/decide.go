package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// DecideInput is one failure of a caller that keeps its own state.
type DecideInput struct {
	WorkspaceID     string
	Envelope        evidence.Envelope
	Policy          work.PolicyChoice
	RetriesUsed     int    // 0 at the first failure
	WaitsUsed       int    // waits for a stated reset
	NativeSessionID string // "" if the agent's session cannot be resumed
}

// Decided is the answer to Decide.
type Decided struct {
	Classification      classification.Result
	Decision            recovery.Decision
	ContinueInstruction string // "" unless the decision says continue
}

// Decide implements API: the functions of ReportFailure, without a transaction.
// The caller's own count of retries and waits stands for the stored one.
func (s *Service) Decide(_ context.Context, in DecideInput) (Decided, error) {
	if err := s.checkPolicy(in.Policy); err != nil {
		return Decided{}, err
	}
	if err := s.checkObserved(in.Envelope); err != nil {
		return Decided{}, err
	}
	envelope := s.prepare(in.Envelope)
	result := s.classifier.Classify(envelope, false)
	facts := callersFacts(envelope)
	facts.Agent.SessionKnown = in.NativeSessionID != ""
	facts.Progress = progressOf(result.Class, in.RetriesUsed, in.WaitsUsed)
	facts = in.Policy.Facts(facts, s.settings)
	decided := Decided{
		Classification: result,
		Decision:       recovery.Decide(facts, result, s.settings, s.now(), s.jitter()),
	}
	if decided.Decision.SendContinue {
		decided.ContinueInstruction = recovery.ContinueInstruction
	}
	return decided, nil
}

// progressOf puts the caller's counts into the class that failed.
func progressOf(class classification.Class, retries, waits int) recovery.Progress {
	used := recovery.ClassProgress{Retries: retries, Waited: waits > 0}
	if class == classification.ClassHard {
		return recovery.Progress{Hard: used}
	}
	return recovery.Progress{Transient: used}
}
