package corpus

import (
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// envelopeOf builds the envelope of a case from its labels and its state. What
// the case states about itself outranks what its signals let one guess.
func envelopeOf(w wireCase, c Case) evidence.Envelope {
	kind := dialect.Kind(w.Agent)
	if kind == "api" || kind == "other" || kind == "unknown" {
		kind = ""
	}
	e := evidence.Envelope{
		AgentKind:      kind,
		AgentVersion:   firstOf(w.AgentVersion, c.state.AgentVersion),
		Provider:       firstOf(w.Provider, c.state.Provider),
		Model:          firstOf(w.Model, c.state.Model),
		Phase:          c.Phase,
		Effects:        c.state.Effects,
		ObservedAt:     c.Now,
		HostZone:       w.LocalTZ,
		Signals:        c.state.Signals,
		DroppedSignals: c.state.Dropped,
	}
	if e.Phase == evidence.PhaseUnknown {
		e.Phase = c.state.Phase
	}
	e.Bound()
	return e
}
