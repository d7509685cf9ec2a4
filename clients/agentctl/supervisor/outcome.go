package supervisor

import (
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// outcome is how one attempt ended.
type outcome struct {
	succeeded bool
	code      int // as a shell would give it
	exit      evidence.Exit
	state     dialect.State
	envelope  evidence.Envelope
	// lostLease: somebody else owns the run; nothing is reported.
	lostLease error
}

// session is the agent's own session if this command line can resume it.
func (o outcome) session(plan adapter.Plan) string {
	if !plan.Resumable() {
		return ""
	}
	return o.state.NativeSessionID
}

func (s *Supervisor) outcomeOf(exit evidence.Exit, o *observer) outcome {
	state := o.finish(exit)
	out := outcome{
		exit: exit, code: child.Code(exit), state: state,
		succeeded: o.succeeded(s.Plan.Structured(), exit, state),
	}
	if !out.succeeded {
		out.envelope = s.envelopeOf(state)
	}
	return out
}

// spawnFailed is the outcome of an attempt whose process did not start.
func (s *Supervisor) spawnFailed(err error) outcome {
	o := newObserver(s.Plan, s.Out, s.Err)
	exit := evidence.Exit{Code: -1, SpawnError: err.Error()}
	out := s.outcomeOf(exit, o)
	out.envelope.Phase, out.envelope.Effects = evidence.PhaseLaunch, evidence.NoEffects()
	return out
}

// envelopeOf makes the evidence of a failure, bounded and redacted: only this
// leaves the process or reaches the journal.
func (s *Supervisor) envelopeOf(state dialect.State) evidence.Envelope {
	e := evidence.Envelope{
		AgentKind:      s.Plan.Kind,
		AgentVersion:   state.AgentVersion,
		Provider:       state.Provider,
		Model:          state.Model,
		Phase:          state.Phase,
		Effects:        state.Effects,
		ObservedAt:     s.Clock.Now().UTC().Truncate(time.Millisecond),
		HostZone:       s.HostZone,
		Signals:        state.Signals,
		DroppedSignals: state.Dropped,
	}
	if e.AgentVersion == "" && s.Version != nil && s.resumable(state.NativeSessionID) != "" {
		// Only whether its own resume is proven depends on it.
		e.AgentVersion = s.Version()
	}
	if e.Effects.Delivery == "" {
		e.Effects.Delivery = evidence.DeliveryAcknowledged
	}
	return evidence.RedactEnvelope(evidence.Bounded(e))
}
