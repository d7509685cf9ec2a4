package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// UserAction is what a person may do about a session.
type UserAction string

// The user actions.
const (
	UserRetryNow      UserAction = "retry_now"
	UserCancelWait    UserAction = "cancel_wait"
	UserStopRun       UserAction = "stop_run"
	UserResumeSession UserAction = "resume_session"
	UserStartFresh    UserAction = "start_fresh"
)

// SessionRecovery is what goes on about a session: its newest wakeup, that
// wakeup's newest run, and what a person may do now.
type SessionRecovery struct {
	Session Session
	Wakeup  Wakeup
	Run     Run // zero if there was none
	Actions []UserAction
	Now     time.Time // by the clock that rules
}

// RetryAt is the exact instant of the next attempt, zero if there is none.
func (r SessionRecovery) RetryAt() time.Time {
	if r.Wakeup.Status.Waiting() || r.Wakeup.Status == recovery.WakeupQueued {
		return r.Wakeup.DueAt
	}
	return time.Time{}
}

// RecoveryFilter narrows a list of recoveries; a zero field narrows nothing.
type RecoveryFilter struct {
	WorkspaceID string
	Attention   Attention
	BeforeAt    time.Time // with BeforeID: only what changed before that wakeup did
	BeforeID    string
	Limit       int
}
