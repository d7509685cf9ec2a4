package supervisor

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/evidence"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Resume goes on with a wakeup that another process left behind: an outcome
// that nobody heard of is reported first, then it waits for the next run.
func (s *Supervisor) Resume(ctx context.Context) (Result, error) {
	state := s.Entry.State()
	switch state.Phase {
	case journal.PhaseEnded:
		return s.reportLeftover(ctx, state)
	case journal.PhaseWaiting:
		verdict := verdictOf(state)
		due, _ := s.follows(verdict)
		result := Result{Code: state.Last.ExitCode, Verdict: verdict}
		if end := s.mayGoOn(ctx, verdict, leftover(state), due); end != "" {
			result.End = end
			return result, nil
		}
		return s.Run(ctx, due)
	}
	return s.Run(ctx, state.Prompt.NotBefore)
}

// reportLeftover sends the report that the journal has, under its own request id.
func (s *Supervisor) reportLeftover(ctx context.Context, state journal.State) (Result, error) {
	run := Run{ID: state.RunID, Token: state.LeaseToken, Continue: state.Send == journal.SendContinue, Fresh: state.Send == journal.SendFresh, Session: state.Session}
	out := leftover(state)
	result := Result{Code: state.Last.ExitCode, End: EndSucceeded}
	report := Report{RequestID: state.Last.RequestID, Envelope: out.envelope, Session: state.Last.Session, CostUSD: state.Last.CostUSD}
	if state.Last.Succeeded {
		if err := s.settle(ctx, func(ctx context.Context) error { return s.Ledger.Succeed(ctx, run, report) }); err != nil && !notOurs(err) {
			return result, err
		}
		return result, s.record(journal.Record{Kind: journal.KindCompleted})
	}
	verdict, err := s.report(ctx, run, report)
	if err != nil {
		return result, err
	}
	result.Verdict = verdict
	due, next := s.follows(verdict)
	if !next {
		result.End = s.tellEnd(verdict, out)
		return result, nil
	}
	if end := s.mayGoOn(ctx, verdict, out, due); end != "" {
		result.End = end
		return result, nil
	}
	return s.Run(ctx, due)
}

// leftover is the outcome that the journal has.
func leftover(state journal.State) outcome {
	return outcome{succeeded: state.Last.Succeeded, code: state.Last.ExitCode, envelope: envelopeBack(state.Last)}
}

func envelopeBack(r journal.Record) evidence.Envelope {
	var report v1.EvidenceEnvelope
	if len(r.Report) == 0 || wire.Parse(r.Report, &report) != nil {
		return evidence.Envelope{ObservedAt: r.At.Truncate(time.Millisecond)}
	}
	return wire.EnvelopeBack(&report)
}

func verdictOf(state journal.State) Verdict {
	v := Verdict{Classification: &v1.Classification{}, Decision: &v1.Decision{}}
	// Both were written by this program; what cannot be read stays empty and stops.
	_ = wire.Parse(state.Decided.Classification, v.Classification)
	_ = wire.Parse(state.Decided.Decision, v.Decision)
	return v
}
