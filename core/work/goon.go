package work

import (
	"strconv"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// The sources of wakeups that a person made from an older one.
const (
	SourceUserResume     = "user_resume"
	SourceUserStartFresh = "user_start_fresh"
)

// GoOnState is what going on with a session meets, locked: what a new prompt
// meets, and the newest wakeup of the session.
type GoOnState struct {
	BeginState
	Newest Standing
}

// GoOnChange is what going on leaves.
type GoOnChange struct {
	BeginChange
	// EndedNative is the agent's own session that the fresh start leaves, "" if
	// none was known.
	EndedNative string
	// PromptOf is the wakeup whose prompt the new one takes over.
	PromptOf string
}

// Continue goes on with a session that a person looks at: a new generation, so
// that every older timer, click and claim is stale. It fails with
// STALE_GENERATION, SESSION_BUSY and NOT_RESUMABLE: the last also where the
// caller delivers, since nobody but that caller would claim what is queued.
func Continue(state GoOnState, in GoOn, wakeupID string) (GoOnChange, error) {
	n := state.Newest
	l := Locked{Session: n.Session, Wakeup: n.Wakeup, Run: n.Run, Now: state.Now}
	if in.ExpectedGeneration != 0 && in.ExpectedGeneration != n.Session.Generation {
		return GoOnChange{}, l.refusal(fault.ReasonStaleGeneration)
	}
	action, interrupt, send, ok := UserStartFresh, recovery.InterruptStartFresh, SendFresh, true
	if !in.Fresh {
		action, interrupt = UserResumeSession, recovery.InterruptNewPrompt
		send, ok = n.resumeSend()
	}
	if effect := recovery.Interrupted(l.situation(), interrupt); effect.Refused != "" {
		return GoOnChange{}, l.refusal(effect.Refused)
	}
	if n.byCaller() {
		return GoOnChange{}, l.callerDelivers()
	}
	if !ok {
		return GoOnChange{}, l.notResumable()
	}
	c, err := goOn(state, send, wakeupID)
	if err != nil {
		return GoOnChange{}, err
	}
	if in.Fresh {
		c.Wakeup.Source = SourceUserStartFresh
	}
	c.Events = append(c.Events, personActed(action, in.By, c.Wakeup))
	return c, nil
}

// goOn begins the next generation with the way of running of the newest wakeup.
func goOn(state GoOnState, send SendKind, wakeupID string) (GoOnChange, error) {
	last := state.Newest.Wakeup
	begun, err := Begin(state.BeginState, BeginPrompt{
		WorkspaceID: last.WorkspaceID, SessionID: last.SessionID, Profile: last.Profile,
		Supervisor: last.Supervisor, Delivery: last.Delivery,
	}, BeginIDs{WakeupID: wakeupID})
	if err != nil {
		return GoOnChange{}, err
	}
	c := GoOnChange{BeginChange: begun, PromptOf: last.ID}
	w := &c.Wakeup
	w.Source, w.NextSend = SourceUserResume, send
	w.Supervisor = Supervisor{}
	if send == SendContinue {
		w.Supervisor.HostID = last.Supervisor.HostID // that has the agent's own session
	}
	switch send {
	case SendContinue:
		w.NativeSessionID = state.Newest.native()
	case SendFresh:
		c.EndedNative = state.Newest.native()
		w.NativeSessionID = ""
		c.Session.NativeSessionID, c.Session.Replied = "", false
	}
	return c, nil
}

func (l Locked) notResumable() error {
	return fault.New(fault.FailedPrecondition, fault.ReasonNotResumable,
		"session %s cannot be resumed: no session of the agent is known whose resume is proven, or nothing of it was cut off; start fresh", l.Session.ID).
		With("session_id", l.Session.ID).With("wakeup_id", l.Wakeup.ID).With("status", string(l.Wakeup.Status)).
		With("generation", strconv.FormatInt(l.Session.Generation, 10)).With("instead", string(UserStartFresh))
}

// callerDelivers refuses to queue what only its caller can claim, and says how
// that caller goes on.
func (l Locked) callerDelivers() error {
	return fault.New(fault.FailedPrecondition, fault.ReasonNotResumable,
		"wakeup %s is delivered by its caller, which has the prompt and the agent's own session: "+
			"for agentctl, on host %q: agentctl run --continue %s (--fresh starts anew); "+
			"for an orchestrator: BeginPrompt with session_id %s and send CONTINUE or FRESH",
		l.Wakeup.ID, l.Wakeup.Supervisor.HostID, l.Wakeup.ID, l.Session.ID).
		With("session_id", l.Session.ID).With("wakeup_id", l.Wakeup.ID).With("status", string(l.Wakeup.Status)).
		With("host_id", l.Wakeup.Supervisor.HostID).With("generation", strconv.FormatInt(l.Session.Generation, 10))
}
