package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// ReportFailure implements API. It classifies before the transaction, on the
// evidence as it came, and stores it redacted.
func (s *Service) ReportFailure(ctx context.Context, in work.ReportFailure) (work.Settled, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "ReportFailure", in)
	if err != nil {
		return work.Settled{}, err
	}
	if err := s.checkObserved(in.Envelope); err != nil {
		return work.Settled{}, err
	}
	envelope := s.prepare(in.Envelope)
	envelope.WorkspaceID, envelope.RunID = in.WorkspaceID, in.RunID
	result := s.classifier.Classify(envelope, false)
	redacted := evidence.RedactEnvelope(envelope)
	settled, err := s.store.FailRun(ctx, r, in.Lease, work.Failure{
		Token: in.Token, Envelope: redacted, Result: result, NativeSessionID: in.NativeSessionID, CostUSD: in.CostUSD,
		ErrorMessage: work.ErrorMessage(redacted, result, s.settings.ErrorMessageBytes),
		Jitter:       s.jitter(), Settings: s.settings,
	})
	if err != nil {
		return work.Settled{}, err
	}
	s.settled(settled)
	return settled, nil
}

// The bounds of what a caller may date evidence: a host that was off for weeks
// may report late, and a clock may be in another zone. Every stated time is
// resolved against it.
const (
	observedBefore = 40 * 24 * time.Hour
	observedAfter  = 24 * time.Hour
)

// checkObserved refuses a date that no failure reported now can have.
func (s *Service) checkObserved(e evidence.Envelope) error {
	now := s.now()
	if at := e.ObservedAt; !at.IsZero() && (at.Before(now.Add(-observedBefore)) || at.After(now.Add(observedAfter))) {
		return fault.Invalid("envelope.observed_at", "must be at most 40 days ago and at most 1 day ahead")
	}
	return nil
}

// prepare bounds evidence and dates it.
func (s *Service) prepare(e evidence.Envelope) evidence.Envelope {
	if e.ObservedAt.IsZero() {
		e.ObservedAt = s.now().UTC()
	}
	return evidence.Bounded(e)
}

// ReportSuccess implements API.
func (s *Service) ReportSuccess(ctx context.Context, in work.ReportSuccess) (work.Settled, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "ReportSuccess", in)
	if err != nil {
		return work.Settled{}, err
	}
	settled, err := s.store.SucceedRun(ctx, r, in.Lease, work.Success{
		Token: in.Token, Effects: in.Effects, NativeSessionID: in.NativeSessionID, CostUSD: in.CostUSD, Settings: s.settings,
	})
	if err != nil {
		return work.Settled{}, err
	}
	s.settled(settled)
	return settled, nil
}

func (s *Service) settled(settled work.Settled) {
	s.signs.seen()
	s.wake(settled.Run.WorkspaceID, settled.Wakeup.ID)
}
