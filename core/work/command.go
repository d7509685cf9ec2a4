package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Request makes a call idempotent for 24 hours.
type Request struct {
	WorkspaceID string
	ID          string // "" is not idempotent
	BodyHash    []byte // of the method and all that the caller asked for
}

// BeginPrompt asks for a new prompt: a new session, or the next generation of one.
type BeginPrompt struct {
	WorkspaceID string
	RequestID   string // "" is not idempotent
	SessionID   string // "" is a new session
	Profile     Profile
	Supervisor  Supervisor
	Delivery    Delivery // "" is the caller's
	Prompt      string   // only when workers deliver; kept verbatim
	Send        SendKind // what the first run sends; "" is the prompt
}

// Begun is the answer to BeginPrompt.
type Begun struct {
	Session Session
	Wakeup  Wakeup
}

// ClaimWakeups asks for runs of wakeups by id.
type ClaimWakeups struct {
	WorkspaceID string
	WakeupIDs   []string // at most 100; none is whatever is due of what workers deliver
	MaxClaims   int      // without ids: 1 to 100, 1 if 0
	Supervisor  Supervisor
	TakeOver    bool          // from another supervisor on the same host
	Wait        time.Duration // how long one may take to become due: 0 to 30 s
}

// Claims is the answer to ClaimWakeups.
type Claims struct {
	Claims    []Claim
	NextDueAt time.Time // the earliest of the asked, if none was due; else zero
}

// Lease names a run and proves its ownership.
type Lease struct {
	WorkspaceID string
	RunID       string
	Token       string
}

// Sending is the answer to BeginSend.
type Sending struct {
	Run        Run
	SendWithin time.Duration // the first byte must leave within this time
}

// MarkDelivered says that the agent has the prompt.
type MarkDelivered struct {
	Lease
	NativeSessionID string // "" is unknown
}

// RecordProgress says what a run is known to have done.
type RecordProgress struct {
	Lease
	Effects         evidence.Effects
	NativeSessionID string // "" is unknown
}

// HeartbeatRun renews a lease.
type HeartbeatRun struct {
	Lease
	Wait time.Duration // how long to hold the answer until a stop is asked for: 0 to 30 s
}

// Renewed is the answer to HeartbeatRun.
type Renewed struct {
	LeaseExpiresAt time.Time
	Lease          time.Duration // from now on
	StopRequested  bool          // the child is to be ended
}

// ReportFailure settles a run as failed.
type ReportFailure struct {
	Lease
	RequestID       string // "" is not idempotent
	Envelope        evidence.Envelope
	NativeSessionID string // "" is unknown
	CostUSD         float64
}

// ReportSuccess settles a run as succeeded.
type ReportSuccess struct {
	Lease
	RequestID       string // "" is not idempotent
	Effects         evidence.Effects
	NativeSessionID string // "" is unknown
	CostUSD         float64
}

// Settled is the answer to a report; the run holds its classification and decision.
type Settled struct {
	Run    Run
	Wakeup Wakeup
	// Replayed says that it is the first answer once more: nothing happened now.
	Replayed bool `json:"-"`
}

// CancelWait ends a wait.
type CancelWait struct {
	WorkspaceID     string
	WakeupID        string
	ExpectedVersion int64  // any if 0
	RequestID       string // "" is not idempotent
	By              string // the person, for the audit
}

// RetryNow makes a waiting wakeup due now.
type RetryNow struct {
	WorkspaceID     string
	WakeupID        string
	ExpectedVersion int64  // any if 0
	RequestID       string // "" is not idempotent
	By              string // the person, for the receipt
}

// StopRun ends a run.
type StopRun struct {
	WorkspaceID     string
	RunID           string
	ExpectedVersion int64  // of the run; any if 0
	RequestID       string // "" is not idempotent
	By              string // the person, for the audit
}

// Stopped is the answer to StopRun.
type Stopped struct {
	Run    Run
	Wakeup Wakeup
}

// GoOn continues a session: ResumeSession and StartFresh.
type GoOn struct {
	WorkspaceID        string
	SessionID          string
	ExpectedGeneration int64  // any if 0
	RequestID          string // "" is not idempotent
	Fresh              bool   // in a new session of the agent
	By                 string // the person, for the audit
}

// ListRecoveries asks for sessions that wait or need a person, the latest
// change first.
type ListRecoveries struct {
	WorkspaceID string
	PageSize    int // 1 to 1000; 50 if 0
	PageToken   string
	Attention   Attention // both if ""
}

// RecoveryPage is one page of ListRecoveries.
type RecoveryPage struct {
	Recoveries    []SessionRecovery
	NextPageToken string // "" at the end
}

// ListWakeups asks for wakeups, newest first.
type ListWakeups struct {
	WorkspaceID string
	PageSize    int // 1 to 1000; 50 if 0
	PageToken   string
	Statuses    []recovery.WakeupStatus // all if empty
	SessionID   string                  // all if ""
	Code        string                  // of the last failure; all if ""
}

// WakeupPage is one page of ListWakeups.
type WakeupPage struct {
	Wakeups       []Wakeup
	NextPageToken string // "" at the end
}

// ListRuns asks for runs, newest first.
type ListRuns struct {
	WorkspaceID string
	PageSize    int // 1 to 1000; 50 if 0
	PageToken   string
	WakeupID    string               // all if ""
	States      []recovery.RunStatus // all if empty
}

// RunPage is one page of ListRuns.
type RunPage struct {
	Runs          []Run
	NextPageToken string // "" at the end
}

// ListEvents asks for events in their order.
type ListEvents struct {
	WorkspaceID string
	Cursor      string // only events after it; from the oldest kept if ""
	PageSize    int    // 1 to 1000; 100 if 0
}

// EventPage is one page of ListEvents.
type EventPage struct {
	Events     []Event
	NextCursor string
}

// WatchEvents asks for a stream of events.
type WatchEvents struct {
	WorkspaceID string
	Cursor      string   // only events after it; from now on if ""
	Types       []string // all if empty
}

// Watched is one message of a stream: an event, or a sign of life if Event is nil.
type Watched struct {
	Event      *Event
	Cursor     string    // everything up to here has been sent
	ServerTime time.Time // of a sign of life
}
