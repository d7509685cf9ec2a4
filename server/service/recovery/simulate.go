package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

const (
	defaultAttempts = 200
	maxAttempts     = 1000
)

// SimulatePolicy implements API. It reads, and writes nothing.
func (s *Service) SimulatePolicy(ctx context.Context, in work.SimulatePolicy) (work.Simulated, error) {
	if err := s.checkSimulation(in); err != nil {
		return work.Simulated{}, err
	}
	if len(in.Cases) > 0 {
		return work.Simulated{Decisions: in.Simulate(s.casesOf(in.Cases), s.settings)}, nil
	}
	limit := min(in.MaxAttempts, maxAttempts)
	if limit <= 0 {
		limit = defaultAttempts
	}
	attempts, err := s.store.ListAttempts(ctx, work.AttemptFilter{
		WorkspaceID: in.WorkspaceID, DecidedAfter: in.DecidedAfter, DecidedBefore: in.DecidedBefore, Code: in.Code, Limit: limit + 1,
	})
	if err != nil {
		return work.Simulated{}, err
	}
	more := len(attempts) > limit
	return work.Simulated{Decisions: in.Simulate(attempts[:min(len(attempts), limit)], s.settings), More: more}, nil
}

func (s *Service) checkSimulation(in work.SimulatePolicy) error {
	switch {
	case in.Choice != nil && in.Classes == nil:
		return s.checkPolicy(*in.Choice)
	case in.Classes != nil && in.Choice == nil:
		return under("classes", in.Classes.Validate(s.settings.Policy))
	}
	return fault.Invalid("policy", "must be a preset or the policies of the classes")
}

// casesOf makes each case the first failure of a prompt of its own.
func (s *Service) casesOf(cases []evidence.Envelope) []work.Attempt {
	out := make([]work.Attempt, 0, len(cases))
	for _, c := range cases {
		envelope := s.prepare(c)
		facts := callersFacts(envelope)
		out = append(out, work.Attempt{
			Classification: s.classifier.Classify(envelope, false), Facts: facts, Jitter: s.jitter(), DecidedAt: s.now(),
		})
	}
	return out
}

// callersFacts are the facts of evidence whose caller answers for what belongs
// together.
func callersFacts(envelope evidence.Envelope) recovery.Facts {
	const session, generation = "caller", 1
	envelope.SessionID, envelope.Generation = session, generation
	facts := recovery.FactsOf(envelope, recovery.SessionRef{ID: session, Generation: generation})
	facts.Mode = recovery.ModePolicy
	return facts
}
