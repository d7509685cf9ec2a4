package journal

import (
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Phase is how far a wakeup has come, as far as this host knows.
type Phase string

// The phases.
const (
	PhaseQueued    Phase = "queued"    // nothing was sent
	PhaseSending   Phase = "sending"   // the process may have started
	PhaseDelivered Phase = "delivered" // the process has started
	PhaseEnded     Phase = "ended"     // it has ended, and nobody was told yet
	PhaseWaiting   Phase = "waiting"   // the next attempt has a time
	PhaseStopped   Phase = "stopped"   // a person must act
	PhaseCompleted Phase = "completed"
	PhaseCancelled Phase = "cancelled"
	PhaseContinued Phase = "continued" // a person went on with another wakeup
)

// Ended says that nothing more happens to the wakeup.
func (p Phase) Ended() bool {
	return p == PhaseStopped || p == PhaseCompleted || p == PhaseCancelled || p == PhaseContinued
}

// State is what the records of one wakeup add up to.
type State struct {
	Prompt       Prompt
	Phase        Phase
	SupervisorID string
	PID          int // of the supervisor that took it last
	ChildPID     int
	Runs         int
	RunID        string
	LeaseToken   string
	Send         string
	Session      string // the agent's own, once it has named it
	Last         Record // the last "ended" record
	Decided      Record // the last "decided" record
	RetryAt      time.Time
	By           string
	UpdatedAt    time.Time
	History      []Record
	// StdinBytes were recorded; StdinWhole says that they are all there were.
	StdinBytes int64
	StdinWhole bool
}

// apply takes one record.
func (s *State) apply(r Record) {
	s.History = append(s.History, r)
	s.UpdatedAt = r.At
	switch r.Kind {
	case KindOwned:
		s.SupervisorID, s.PID = r.SupervisorID, r.PID
	case KindClaimed:
		s.Runs++
		s.RunID, s.LeaseToken, s.Send = r.RunID, r.LeaseToken, r.Send
		s.Phase, s.ChildPID = PhaseQueued, 0
	case KindSending:
		s.Phase = PhaseSending
	case KindNotSent:
		s.Phase = PhaseQueued
	case KindDelivered:
		s.Phase, s.ChildPID = PhaseDelivered, r.PID
	case KindSession:
		s.Session = r.Session
	case KindEnded:
		s.Phase, s.Last = PhaseEnded, r
	case KindDecided:
		s.decide(r)
	case KindCompleted:
		s.Phase = PhaseCompleted
	case KindCancelled:
		s.Phase, s.By = PhaseCancelled, r.By
	case KindContinued:
		s.Phase, s.By = PhaseContinued, r.By
	}
}

func (s *State) decide(r Record) {
	s.Decided, s.LeaseToken = r, ""
	s.Phase, s.RetryAt = PhaseStopped, time.Time{}
	var d struct {
		RetryAt time.Time `json:"retryAt"`
	}
	if json.Unmarshal(r.Decision, &d) == nil && !d.RetryAt.IsZero() {
		s.Phase, s.RetryAt = PhaseWaiting, d.RetryAt
	}
}

// Progress is what the policy has used so far, without a server.
func (s *State) Progress() recovery.Progress {
	if s.Decided.Progress == nil {
		return recovery.Progress{}
	}
	return *s.Decided.Progress
}
