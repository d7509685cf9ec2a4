package journal

import (
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Prompt is what a wakeup needs to be run, and run again. It is written once.
type Prompt struct {
	Format   int    `json:"format"` // of this file, now 1
	WakeupID string `json:"wakeup_id"`
	// Server and Workspace name who owns the wakeup; Server is "" when the
	// journal itself does.
	Server     string `json:"server,omitempty"`
	Workspace  string `json:"workspace,omitempty"`
	SessionID  string `json:"session_id"`
	Generation int64  `json:"generation"`
	HostID     string `json:"host_id"`

	Argv      []string `json:"argv"`
	Cwd       string   `json:"cwd"`
	AgentKind string   `json:"agent_kind,omitempty"`
	Verbatim  bool     `json:"verbatim,omitempty"` // the command line is never adapted
	Policy    Policy   `json:"policy"`

	// Continues is the wakeup that a person went on with by this one.
	Continues string `json:"continues,omitempty"`
	// Session is the agent's own session that the first run resumes; "" sends the prompt.
	Session string `json:"session,omitempty"`
	// Fresh says that the first run begins a new session of the agent with the
	// fresh instruction before the prompt.
	Fresh bool `json:"fresh,omitempty"`
	// NotBefore is a stated reset that the first run waits for.
	NotBefore time.Time `json:"not_before,omitzero"`

	CreatedAt time.Time `json:"created_at"`
}

// Policy is what the person who began the prompt opted in to.
type Policy struct {
	Wait       bool          `json:"wait,omitempty"`
	MaxWait    time.Duration `json:"max_wait_ns,omitempty"` // 0 is the default of the patient policy
	ReplaySafe bool          `json:"replay_safe,omitempty"`
}

// Kind says what a record is.
type Kind string

// The kinds, in the order in which a run meets them.
const (
	KindOwned     Kind = "owned"     // a supervisor has taken the wakeup
	KindClaimed   Kind = "claimed"   // a run with its lease
	KindSending   Kind = "sending"   // acknowledged; the process may start from now on
	KindNotSent   Kind = "not_sent"  // the process could not be started
	KindDelivered Kind = "delivered" // the process has started
	KindSession   Kind = "session"   // the agent has named its own session
	KindEnded     Kind = "ended"     // the process has ended; not yet reported
	KindDecided   Kind = "decided"   // the failure was reported, and this follows
	KindCompleted Kind = "completed"
	KindCancelled Kind = "cancelled"
	KindContinued Kind = "continued" // a person went on with another wakeup
)

// What a run sends.
const (
	SendPrompt   = "prompt"
	SendContinue = "continue"
	SendFresh    = "fresh"
)

// Record is one line of the log. Only the fields of its kind are set.
type Record struct {
	Kind Kind      `json:"kind"`
	At   time.Time `json:"at"`

	SupervisorID string `json:"supervisor_id,omitempty"` // owned
	PID          int    `json:"pid,omitempty"`           // owned: the supervisor; delivered: the child

	RunID      string `json:"run_id,omitempty"` // claimed
	LeaseToken string `json:"lease_token,omitempty"`
	Send       string `json:"send,omitempty"` // SendPrompt, SendContinue or SendFresh

	Session string `json:"session,omitempty"` // the agent's own

	RequestID string          `json:"request_id,omitempty"` // ended: of the report, the same however often it is sent
	Succeeded bool            `json:"succeeded,omitempty"`
	ExitCode  int             `json:"exit_code,omitempty"` // what the child's end means for our own
	Report    json.RawMessage `json:"report,omitempty"`    // ended: EvidenceEnvelope as proto JSON, redacted
	CostUSD   float64         `json:"cost_usd,omitempty"`

	Classification json.RawMessage    `json:"classification,omitempty"` // decided: proto JSON
	Decision       json.RawMessage    `json:"decision,omitempty"`       // decided: proto JSON
	Progress       *recovery.Progress `json:"progress,omitempty"`       // decided, without a server
	Parks          int                `json:"parks,omitempty"`          // decided, without a server: parks in a row

	By string `json:"by,omitempty"` // continued: the other wakeup; cancelled: who
}
