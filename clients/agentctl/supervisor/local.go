package supervisor

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Local decides on this host with the functions that the server uses. The
// journal is what remembers.
type Local struct {
	Classifier *classification.Classifier
	Settings   recovery.Settings
	Clock      Clock
	Jitter     func() float64 // draws from [0,1)
	NewID      func() string
	Entry      *journal.Entry
}

// Claim waits until the announced instant.
func (l *Local) Claim(ctx context.Context, due time.Time) (Run, error) {
	if err := sleepUntil(ctx, l.Clock, due); err != nil {
		return Run{}, err
	}
	state := l.Entry.State()
	run := Run{ID: l.NewID()}
	if state.Runs == 0 || state.Phase == journal.PhaseQueued && state.Decided.Kind == "" {
		// Nothing of it was ever sent: it is what it was to begin with.
		run.Continue, run.Session, run.Fresh = state.Prompt.Session != "", state.Prompt.Session, state.Prompt.Fresh
		return run, nil
	}
	if decisionOf(state.Decided).SendContinue {
		run.Continue, run.Session = true, state.Session
	}
	run.Fresh = !run.Continue && state.Send == journal.SendFresh // the bare prompt never follows it
	return run, nil
}

// BeginSend needs nobody's consent: the journal's own record comes next.
func (l *Local) BeginSend(context.Context, Run) (time.Duration, error) { return 0, nil }

// Delivered is in the journal already.
func (l *Local) Delivered(context.Context, Run, string) error { return nil }

// Progress is in the journal already.
func (l *Local) Progress(context.Context, Run, evidence.Effects, string) error { return nil }

// Heartbeat is not needed: the lock of the journal ends with this process.
func (l *Local) Heartbeat(context.Context, Run) (Beat, error) { return Beat{}, nil }

// Fail classifies and decides.
func (l *Local) Fail(_ context.Context, run Run, report Report) (Verdict, error) {
	state := l.Entry.State()
	envelope := report.Envelope
	envelope.SessionID, envelope.Generation = state.Prompt.SessionID, state.Prompt.Generation
	result := l.Classifier.Classify(envelope, classification.Options{})
	facts := l.facts(state, envelope, report.Session)
	facts.Continued = run.Continue || run.Fresh
	decision := recovery.Decide(facts, result, l.Settings, l.Clock.Now(), l.Jitter())
	verdict := Verdict{
		Classification: wire.Classification(result), Decision: wire.Decision(decision), Progress: &decision.Progress,
	}
	if decision.Action == recovery.ActionPark {
		// A wake from park begins a new route cycle; no time that was waited is forgotten.
		next := decision.Progress.NextCycle()
		verdict.Progress, verdict.Parks = &next, state.Decided.Parks+1
	}
	return verdict, nil
}

func (l *Local) facts(state journal.State, envelope evidence.Envelope, session string) recovery.Facts {
	facts := recovery.FactsOf(envelope, recovery.SessionRef{ID: state.Prompt.SessionID, Generation: state.Prompt.Generation})
	facts.Mode, facts.Context = recovery.ModePolicy, recovery.ContextInteractive
	facts.Agent.SessionKnown = session != ""
	facts.Progress = state.Progress()
	policy := state.Prompt.Policy
	if policy.Wait {
		facts.Context, facts.Policy = recovery.ContextDynamic, recovery.Patient(l.Settings, policy.MaxWait)
		facts.Route.CircuitOpenings = state.Decided.Parks
	}
	if policy.ReplaySafe {
		facts.ReplaySafeBy = "--replay-safe"
	}
	return facts
}

// Succeed is in the journal already.
func (l *Local) Succeed(context.Context, Run, Report) error { return nil }

// CancelWait is in the journal already.
func (l *Local) CancelWait(context.Context) error { return nil }

// Offset is nothing: it is the same clock.
func (l *Local) Offset() time.Duration { return 0 }
