// Package evidence holds what is known of one failure: a bounded, ordered list
// of signals, tied to one session and prompt generation. It is pure: the same
// input gives the same envelope on every machine.
package evidence

import "time"

// Limits of an envelope. Longer input is cut keeping head and tail, and the cut is recorded.
const (
	MaxSignals       = 64       // signals; the first 8 and the last 56 stay
	MaxTextBytes     = 16 << 10 // bytes of one text, after normalising
	MaxEnvelopeBytes = 64 << 10 // bytes of all texts together
)

// Phase says how far the prompt had come when it failed.
type Phase string

// The phases.
const (
	PhaseUnknown    Phase = ""
	PhaseLaunch     Phase = "launch"      // before the prompt was accepted
	PhasePreOutput  Phase = "pre_output"  // accepted, nothing came back
	PhasePostOutput Phase = "post_output" // something came back
)

// Effect is three-valued knowledge of one kind of effect. Unknown counts as
// Seen wherever a decision is made. Effects only rise: None < Unknown < Seen.
type Effect string

// The effect values. The zero value is Unknown: silence proves nothing.
const (
	EffectUnknown Effect = ""
	EffectNone    Effect = "none" // the channel proves that there was none
	EffectSeen    Effect = "seen"
)

// Safe reports whether the effect is proved absent.
func (e Effect) Safe() bool { return e == EffectNone }

// Delivery says whether the prompt is known to have reached the agent.
type Delivery string

// The delivery values.
const (
	DeliveryAcknowledged Delivery = "acknowledged" // the worker knows the outcome of the delivery
	DeliveryAmbiguous    Delivery = "ambiguous"    // it may have happened
)

// Effects are the effect flags of one run.
type Effects struct {
	AssistantOutput Effect
	ToolActivity    Effect
	PartialResult   Effect
	Delivery        Delivery // zero counts as acknowledged
}

// NoEffects is the state in which a prompt may be repeated: all flags proved none.
func NoEffects() Effects {
	return Effects{AssistantOutput: EffectNone, ToolActivity: EffectNone, PartialResult: EffectNone, Delivery: DeliveryAcknowledged}
}

// Kind says which channel a signal came through.
type Kind string

// The channels.
const (
	KindHTTP        Kind = "http"         // a provider's HTTP response
	KindACPError    Kind = "acp_error"    // a JSON-RPC error
	KindACPUpdate   Kind = "acp_update"   // a session update
	KindACPResult   Kind = "acp_result"   // the prompt's result (stop reason)
	KindStderr      Kind = "stderr"       // the managed stderr of the agent process
	KindStdout      Kind = "stdout"       // plain text on stdout of a process that then failed
	KindResultEvent Kind = "result_event" // a machine-readable event of the CLI
	KindProcessExit Kind = "process_exit"
)

// Signal is one piece of evidence. Only the fields of its Kind are set.
type Signal struct {
	Kind Kind
	// Text is the message, body or chunk as printed (http body, acp message,
	// update text, stderr, stdout, result text).
	Text string
	// Data is the structured part as JSON (acp_error data, acp_update, result_event), empty if none.
	Data string
	// Status is the HTTP status (http, or the api_error_status of a result event), 0 if none.
	Status int
	// Headers are the response's selected headers, names in lower case.
	Headers map[string]string
	// Code is the JSON-RPC code of an acp_error.
	Code int
	// Event is the type of an update, result event or stop reason, as "turn.failed" or "end_turn".
	Event string
	// ExitCode of a process, nil if it died by a signal or did not start.
	ExitCode *int
	// ExitSignal is the name of the signal that ended a process, as "SIGKILL".
	ExitSignal string
	// EndedBy says who ended the process: "", "supervisor" or "user".
	EndedBy string
	// InFlight marks a report of the agent's own retry: not a failure.
	InFlight bool
	// Prose marks model text, tool output or quoted material: never a failure channel.
	Prose bool
	// CutBytes were removed from the middle of Text.
	CutBytes int
	// Foreign marks a signal of another session, generation or background request.
	Foreign bool
}

// Envelope is the evidence of one failure.
type Envelope struct {
	WorkspaceID  string
	SessionID    string
	RunID        string
	Generation   int64
	AgentKind    string // "claude", "codex", …; "" is unknown
	AgentVersion string
	Provider     string // safe label, as "anthropic"
	Model        string // safe label
	Phase        Phase
	Effects      Effects
	ObservedAt   time.Time // UTC
	// HostZone is the IANA zone of the agent's host, "" if unknown: only with
	// it may a clock time without a zone become an instant.
	HostZone string
	Signals  []Signal
	// DroppedSignals were removed to keep MaxSignals.
	DroppedSignals int
}
