package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Profile is the inline snapshot of how a prompt is run. It holds no prompt,
// credential or environment.
type Profile struct {
	AgentKind    string            `json:"agent_kind"`
	AgentVersion string            `json:"agent_version"`
	Provider     string            `json:"provider"`
	Model        string            `json:"model"`
	ArgvShape    []string          `json:"argv_shape"`
	Labels       map[string]string `json:"labels"`
	Policy       PolicyChoice      `json:"policy"`
}

// The policy presets of an inline profile.
const (
	PresetInteractive = "interactive" // short retries; never waits for a reset
	PresetPatient     = "patient"     // as a dynamic profile of one candidate; waits for a stated reset
)

// PolicyChoice is the policy of one prompt.
type PolicyChoice struct {
	Preset     string        `json:"preset"`   // "" is interactive
	MaxWait    time.Duration `json:"max_wait"` // patient only; 0 is the preset's default
	ReplaySafe bool          `json:"replay_safe"`
	// Consent bounds what goes on by itself; the zero value bounds nothing.
	Consent recovery.Consent `json:"consent,omitzero"`
}

// ReplaySafeBy is the person named by a declaration that has no account behind
// it: whoever started the command.
const ReplaySafeBy = "caller"

// Facts puts what the choice says into f: context, policies and the
// declaration that the command may be repeated.
func (c PolicyChoice) Facts(f recovery.Facts, s recovery.Settings) recovery.Facts {
	f.Context, f.Consent = recovery.ContextInteractive, c.Consent
	if c.Preset == PresetPatient {
		f.Context = recovery.ContextDynamic
		f.Policy = recovery.Patient(s, c.MaxWait)
	}
	if c.ReplaySafe {
		f.ReplaySafeBy = ReplaySafeBy
	}
	return f
}

// Ref names the policy in stored decisions, as "interactive@1".
func (c PolicyChoice) Ref(s recovery.Settings) string {
	if c.Preset == PresetPatient {
		return recovery.Patient(s, c.MaxWait).Ref()
	}
	return recovery.InteractivePolicy
}
