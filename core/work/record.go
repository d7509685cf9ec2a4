// Package work holds the durable path: the records of sessions, wakeups, runs
// and events, the commands that callers give, and the pure transitions that
// turn locked records and a command into the records that follow. Which step
// may follow which is core/recovery's to say.
package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Supervisor is who runs an agent process.
type Supervisor struct {
	ID     string // one supervisor process
	HostID string // the host's stable id
}

// Session is one logical conversation.
type Session struct {
	WorkspaceID     string
	ID              string
	State           recovery.SessionStatus
	Generation      int64
	NativeSessionID string
	Replied         bool  // the native session has had a reply
	Version         int64 // +1 at each transition
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Attention says what a waiting or failed wakeup needs.
type Attention string

// The attentions.
const (
	AttentionNone     Attention = ""
	AttentionDeadline Attention = "deadline"
	AttentionPerson   Attention = "person"
)

// SendKind is what a run sends to the agent.
type SendKind string

// The send kinds.
const (
	SendPrompt   SendKind = "prompt"   // the prompt itself
	SendContinue SendKind = "continue" // recovery.ContinueInstruction, into the agent's own session
	SendFresh    SendKind = "fresh"    // recovery.FreshInstruction and the prompt, into a new session of the agent
)

// Delivery says who delivers a wakeup's prompt.
type Delivery string

// The deliveries.
const (
	DeliveryCaller Delivery = "caller" // whoever began it, by claiming it by id
	DeliveryWorker Delivery = "worker" // any worker, by claiming what is due; the server keeps the prompt
)

// Wakeup is one request to deliver one prompt to one session.
type Wakeup struct {
	WorkspaceID        string
	ID                 string
	SessionID          string
	Generation         int64
	Status             recovery.WakeupStatus
	StatusReason       string    // why it ended as it did, "" while it lives
	Source             string    // as "user_prompt"
	DueAt              time.Time // zero when not waiting
	Attention          Attention
	RunCount           int
	Progress           recovery.Progress // what the route cycle has used
	LastRunID          string
	LastClassification *classification.Result
	LastDecision       *recovery.Decision
	ErrorMessage       string // the last failure as printed, redacted
	Profile            Profile
	Supervisor         Supervisor
	NextSend           SendKind
	NativeSessionID    string
	Version            int64 // +1 at each transition
	CreatedAt          time.Time
	UpdatedAt          time.Time
	EndedAt            time.Time // zero while it lives
	SessionState       recovery.SessionStatus
	Delivery           Delivery
	WaitsForRunID      string // the run that owns the retries of its provider and model, "" if none does
}

// RetryCount is how many retries the route cycle has used, of both classes.
func (w Wakeup) RetryCount() int {
	return w.Progress.Transient.Retries + w.Progress.Hard.Retries
}

// Run is one execution of a wakeup under one profile.
type Run struct {
	WorkspaceID     string
	ID              string
	WakeupID        string
	SessionID       string
	Generation      int64
	Ordinal         int // which run of its wakeup, from 1
	State           recovery.RunStatus
	Outcome         recovery.RunOutcome
	Send            SendKind
	Supervisor      Supervisor
	LeaseExpiresAt  time.Time // zero unless claimed, sending or delivered
	GraceEndsAt     time.Time // when a lost run becomes a person's; zero unless lost and not yet asked
	HeartbeatAt     time.Time // the owner's last sign of life
	ClaimedAt       time.Time
	SendingAt       time.Time
	DeliveredAt     time.Time
	SettledAt       time.Time
	Effects         evidence.Effects
	NativeSessionID string
	Evidence        *evidence.Envelope // redacted; nil in lists
	Classification  *classification.Result
	Decision        *recovery.Decision
	Profile         Profile
	CostUSD         float64
	Late            bool      // settled after a person had acted or a newer prompt had begun
	StopRequestedAt time.Time // when its owner was asked to end it; zero if not
	Version         int64     // +1 at each transition
}

// Claim is a claimed wakeup with the run that the claim made.
type Claim struct {
	Wakeup     Wakeup
	Run        Run
	LeaseToken string    // proves ownership in every later call; never logged
	Payload    string    // what to send, when workers deliver; "" when the caller has it
	DueAt      time.Time // when the wakeup was due
}

// Event is one thing that happened in a workspace.
type Event struct {
	WorkspaceID string
	ID          string
	Seq         int64 // position in the workspace's stream, from 1, without gaps; 0 while unnumbered
	Type        string
	OccurredAt  time.Time
	Payload     map[string]any // snake_case keys, JSON values
}

// The event types.
const (
	EventWakeupUpdated   = "office.wakeup.updated"
	EventSessionUpdated  = "office.task.session.updated"
	EventRecoveryUpdated = "recovery.updated"
)
