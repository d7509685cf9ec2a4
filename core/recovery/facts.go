package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Facts are what is known about the failed run besides its classification.
// Every zero value is the careful one: it stops.
type Facts struct {
	// CurrentGeneration is the session's prompt generation now,
	// EvidenceGeneration the one that the evidence belongs to.
	CurrentGeneration  int64
	EvidenceGeneration int64
	// Correlated says that the evidence belongs to the session's foreground prompt.
	Correlated bool
	Phase      evidence.Phase
	Effects    evidence.Effects
	// Continued says that the failed run was sent ContinueInstruction or
	// FreshInstruction: an earlier run of the prompt had effects, whatever this
	// one shows, so the bare prompt is not to be sent again.
	Continued bool
	// TimedOut says that max_run_duration ended the run.
	TimedOut bool
	Agent    Agent
	// ReplaySafeBy names the person who declared the command repeatable, "" if nobody did.
	ReplaySafeBy string
	Mode         Mode
	Context      Context
	// Policy is the selected candidate's; only a dynamic profile has one.
	Policy ClassPolicies
	// Unattended says that no person watches the run: a worker delivers it, and
	// can start a fresh native session with FreshInstruction.
	Unattended bool
	// NotSent says that no byte of what the run was to send has left.
	NotSent  bool
	Progress Progress
	Route    Route
	// Owner is who owns the short phase, if it is another run.
	Owner Owner
	// RecoveryOff is the workspace's Off switch.
	RecoveryOff bool
	Consent     Consent
	Usage       Usage
}

// Mode is a workspace's recovery mode.
type Mode string

// The recovery modes. Anything else counts as terminal.
const (
	ModePolicy   Mode = "policy"
	ModeTerminal Mode = "terminal"
)

// Context selects the policy: it follows from the kind of profile.
type Context string

// The contexts. Anything else stops.
const (
	ContextInteractive Context = "interactive" // a concrete profile
	ContextDynamic     Context = "dynamic"     // a candidate of a dynamic profile
)

// Agent is what decides whether the agent's own resume may be used.
type Agent struct {
	Kind    string // "claude", "codex", …; "" is unknown
	Version string // as the CLI prints it, "" is unknown
	// SessionKnown says that the agent itself named its native session; an id
	// that was only proposed to it does not count.
	SessionKnown bool
	// SessionMissing says that the agent answered that it has no such session.
	SessionMissing bool
	// EarlierReply says that an earlier turn of the native session had a reply.
	EarlierReply bool
}

// Progress counts what one candidate has used in the current route cycle (a
// concrete profile: in the current generation). Counters are per class and
// only rise; a wait never gives budget back.
type Progress struct {
	Transient ClassProgress `json:"transient"`
	Hard      ClassProgress `json:"hard"`
	// Runtime counts the tries after the worker's host could not start the agent.
	Runtime int `json:"runtime,omitempty"`
	// Parks and WaitedTotal count over all cycles of the prompt: how often it
	// was parked, and the time that waits for a reset and parks have taken.
	Parks       int           `json:"parks,omitempty"`
	WaitedTotal time.Duration `json:"waited_total_ns,omitempty"`
}

// NextCycle is the progress with which a prompt leaves a park: each candidate
// may be tried anew, but no time that was waited is forgotten.
func (p Progress) NextCycle() Progress {
	return Progress{Parks: p.Parks, WaitedTotal: p.WaitedTotal}
}

// ClassProgress is Progress for one class.
type ClassProgress struct {
	Retries int  `json:"retries"` // automatic retries already decided
	Waited  bool `json:"waited"`  // the one wait for a reset is used
}

// Route is what the evaluator must know of the profile around the candidate.
type Route struct {
	CandidatesLeft  int // eligible candidates not yet tried in this cycle
	CircuitOpenings int // how often the indicted circuit has opened in a row; picks the step of the ladder
}

// SessionRef is the live side of a fence.
type SessionRef struct {
	ID         string
	Generation int64
}

// FactsOf takes from an envelope what it proves. Mode, context, policy,
// progress and the person's declaration are the caller's to fill in.
func FactsOf(e evidence.Envelope, s SessionRef) Facts {
	return Facts{
		CurrentGeneration:  s.Generation,
		EvidenceGeneration: e.Generation,
		Correlated:         s.ID != "" && e.SessionID == s.ID && hasForeground(e.Signals),
		Phase:              e.Phase,
		Effects:            e.Effects,
		Agent:              Agent{Kind: e.AgentKind, Version: e.AgentVersion},
	}
}

// hasForeground is false for no signals at all: silence is no evidence.
func hasForeground(signals []evidence.Signal) bool {
	for _, s := range signals {
		if !s.Foreign {
			return true
		}
	}
	return false
}
