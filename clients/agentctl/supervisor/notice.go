package supervisor

import (
	"time"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// NoticeKind says what a supervisor has to tell.
type NoticeKind string

// The notices.
const (
	NoticeOwnRetry     NoticeKind = "own_retry"      // the agent retries by itself; nothing is done
	NoticeOwnRetryOver NoticeKind = "own_retry_over" // it did for too long: it is being ended
	NoticeWaiting      NoticeKind = "waiting"        // the next attempt has a time
	NoticeReset        NoticeKind = "reset"          // the first run waits for a stated reset
	NoticeLaunching    NoticeKind = "launching"      // an attempt after the first begins
	NoticeSucceeded    NoticeKind = "succeeded"
	NoticeStopped      NoticeKind = "stopped" // a person must act
	NoticeParked       NoticeKind = "parked"  // it waits, and this process does not
	NoticeCancelled    NoticeKind = "cancelled"
	NoticeUnreachable  NoticeKind = "unreachable" // the server cannot be reached; it is asked again
	NoticeReachable    NoticeKind = "reachable"
	NoticeLeaseLost    NoticeKind = "lease_lost" // somebody else owns the run; the child is being ended
	NoticeStopping     NoticeKind = "stopping"   // the user wants it to end
	NoticeStopAsked    NoticeKind = "stop_asked" // a person asked the server to end it; the child is being ended
	NoticeInterrupt    NoticeKind = "interrupt"  // the user interrupted a wait once
)

// ByStopRequest is the By of a run that a person stopped at the server.
const ByStopRequest = "stop_request"

// Notice is one thing that a supervisor tells. Only the fields of its kind are set.
type Notice struct {
	Kind     NoticeKind
	WakeupID string
	Run      int // from 1
	// Verdict of the last failure: waiting, stopped, parked.
	Verdict Verdict
	// Envelope is the evidence behind it, as proto.
	Envelope *v1.EvidenceEnvelope
	// Due is when the next attempt runs, by this host's clock: waiting, parked.
	Due time.Time
	// Continue says that the next attempt resumes the agent's own session.
	Continue bool
	// Fresh says that it starts fresh in a new session of the agent.
	Fresh bool
	// Resumable says that the agent's own session is known and can be resumed.
	Resumable bool
	// Cause and After describe the agent's own retry; Spent and Budget how
	// long it may go on.
	Cause         string
	After         time.Duration
	Spent, Budget time.Duration
	// NotReplayable: the standard input was too large to be given again.
	NotReplayable bool
	By            string
	Err           error
}
