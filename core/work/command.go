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
}

// Begun is the answer to BeginPrompt.
type Begun struct {
	Session Session
	Wakeup  Wakeup
}

// ClaimWakeups asks for runs of wakeups by id.
type ClaimWakeups struct {
	WorkspaceID string
	WakeupIDs   []string // 1 to 100
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

// Renewed is the answer to HeartbeatRun.
type Renewed struct {
	LeaseExpiresAt time.Time
	Lease          time.Duration // from now on
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
}

// CancelWait ends a wait.
type CancelWait struct {
	WorkspaceID     string
	WakeupID        string
	ExpectedVersion int64  // any if 0
	RequestID       string // "" is not idempotent
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
