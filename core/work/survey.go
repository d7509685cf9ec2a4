package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Survey is what a reconciler needs to know before it expires anything.
type Survey struct {
	Watched         int       // runs with a lease or a grace that will end
	NextDeadlineAt  time.Time // the first of them; zero if none is watched
	LastHeartbeatAt time.Time // the last sign of life of any; now if none is watched
	Now             time.Time // by the clock that rules leases
}

// RunRef names a run.
type RunRef struct {
	WorkspaceID string
	RunID       string
}

// Head is how far a workspace's events are numbered.
type Head struct {
	LastSeq   int64 // 0 before the first
	OldestSeq int64 // of the oldest that is kept; LastSeq+1 if none is
}

// WakeupFilter narrows a list; a zero field narrows nothing.
type WakeupFilter struct {
	WorkspaceID string
	BeforeID    string // only older ones
	SessionID   string
	Statuses    []string
	Code        string
	Limit       int
}

// RunFilter narrows a list; a zero field narrows nothing.
type RunFilter struct {
	WorkspaceID string
	BeforeID    string // only older ones
	WakeupID    string
	States      []string
	Limit       int
}

// QueueDepth is how much work is open in all workspaces.
type QueueDepth struct {
	Open map[recovery.WakeupStatus]int64 // by status; what has ended is not counted
	// Overdue is how long the first has been due that waits for a worker, 0 if
	// none is late.
	Overdue time.Duration
}
