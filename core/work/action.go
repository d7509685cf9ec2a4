package work

import (
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Standing is what the actions of a person depend on: the newest wakeup of a
// session, its newest run, and what was found out about all of its runs.
type Standing struct {
	Session Session
	Wakeup  Wakeup
	Run     Run // zero if there was none
	// Sent says that some run of the wakeup was sent, or may have been: its
	// outcome does not say otherwise, or not all of its effects are none.
	Sent bool
	// AgentVersion is the one that the last failure showed, "" if none did.
	AgentVersion string
}

// Actions lists what a person may do now: every action that would be accepted
// and change something, and no other.
func (s Standing) Actions() []UserAction {
	var out []UserAction
	for _, a := range []struct {
		action UserAction
		valid  bool
	}{
		{UserRetryNow, s.changes(recovery.InterruptRetryNow)},
		{UserCancelWait, s.changes(recovery.InterruptCancelWait)},
		{UserStopRun, s.stoppable()},
		{UserResumeSession, s.resumable()},
		{UserStartFresh, !s.byCaller() && s.effect(recovery.InterruptStartFresh).Refused == ""},
	} {
		if a.valid {
			out = append(out, a.action)
		}
	}
	return out
}

func (s Standing) effect(i recovery.Interrupt) recovery.Effect {
	return recovery.Interrupted(recovery.SituationOf(s.Wakeup.Status, s.Run.State), i)
}

func (s Standing) changes(i recovery.Interrupt) bool {
	e := s.effect(i)
	return e.Refused == "" && e.To != ""
}

func (s Standing) stoppable() bool {
	e := s.effect(recovery.InterruptStop)
	switch s.Run.State {
	case recovery.RunClaimed, recovery.RunSending, recovery.RunDelivered:
		return e.RequestStop && s.Run.StopRequestedAt.IsZero()
	case recovery.RunLost:
		return e.To != ""
	}
	return false
}

// byCaller says that only whoever began the wakeup can deliver what follows it.
func (s Standing) byCaller() bool { return s.Wakeup.Delivery != DeliveryWorker }

func (s Standing) resumable() bool {
	_, ok := s.resumeSend()
	return ok && !s.byCaller() && s.effect(recovery.InterruptNewPrompt).Refused == ""
}

// resumeSend is what a resume sends. What no run of the wakeup was sent is sent
// as it would have been. After that only the agent's own session goes on, where
// its resume is proven: never the prompt again. What succeeded has nothing to
// go on with.
func (s Standing) resumeSend() (send SendKind, ok bool) {
	native := s.native()
	switch {
	case s.Wakeup.Status == recovery.WakeupCompleted:
		return "", false
	case !s.Sent && s.Wakeup.NextSend == SendContinue:
		return SendContinue, native != ""
	case !s.Sent:
		return s.Wakeup.NextSend, true
	}
	return SendContinue, recovery.Resumable(s.agent(native), s.effects())
}

// native is the agent's own session that a resume would go on with.
func (s Standing) native() string {
	if s.Session.NativeSessionID != "" {
		return s.Session.NativeSessionID
	}
	return s.Wakeup.NativeSessionID
}

func (s Standing) agent(native string) recovery.Agent {
	a := recovery.Agent{
		Kind: s.Wakeup.Profile.AgentKind, Version: s.AgentVersion, SessionKnown: native != "",
		EarlierReply: native != "" && s.Session.Replied && s.Session.NativeSessionID == native,
	}
	if a.Version == "" {
		a.Version = s.Wakeup.Profile.AgentVersion
	}
	return a
}

// effects are those of the last run if it went on in the session to resume.
func (s Standing) effects() evidence.Effects {
	if s.Run.NativeSessionID != s.native() {
		return evidence.Effects{}
	}
	return s.Run.Effects
}
