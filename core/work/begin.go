package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// SourceUserPrompt is the source of a wakeup that BeginPrompt makes.
const SourceUserPrompt = "user_prompt"

// The reasons for which a wakeup ends without failing.
const (
	StatusSucceeded  = "succeeded"
	StatusSuperseded = "superseded"
	StatusCancelled  = "cancelled"
)

// BeginState is what a new prompt meets: its session, locked, and the wakeups
// of it that have not ended, each with its newest run.
type BeginState struct {
	Session Session // zero if the prompt begins one
	Open    []Locked
	Now     time.Time
}

// BeginIDs are the ids of what a new prompt makes.
type BeginIDs struct {
	SessionID string // only of a new session
	WakeupID  string
}

// BeginChange is what a new prompt leaves.
type BeginChange struct {
	Session    Session
	NewSession bool
	Wakeup     Wakeup
	Superseded []Wakeup
	Events     []Event
}

// Begin makes a prompt's wakeup. What waits in an older generation is
// superseded; a live run fails it with SESSION_BUSY, and to continue without a
// session of the agent NOT_RESUMABLE.
func Begin(state BeginState, in BeginPrompt, ids BeginIDs) (BeginChange, error) {
	if in.Send == SendContinue && state.Session.NativeSessionID == "" {
		return BeginChange{}, Locked{Session: state.Session}.notResumable()
	}
	c := BeginChange{Session: state.Session}
	for _, open := range state.Open {
		w, err := supersede(open, state.Now)
		if err != nil {
			return BeginChange{}, err
		}
		c.Superseded = append(c.Superseded, w)
		c.Events = append(c.Events, wakeupUpdated(w))
	}
	if state.Session.ID == "" {
		c.NewSession = true
		c.Session = Session{WorkspaceID: in.WorkspaceID, ID: ids.SessionID, CreatedAt: state.Now}
	}
	before := c.Session.State
	c.Session.State = recovery.SessionIdle
	c.Session.Generation++
	c.Session.Version++
	c.Session.UpdatedAt = state.Now
	c.Wakeup = newWakeup(c.Session, in, ids.WakeupID, state.Now)
	if before != c.Session.State {
		c.Events = append(c.Events, sessionUpdated(c.Session, ""))
	}
	c.Events = append(c.Events, wakeupUpdated(c.Wakeup))
	return c, nil
}

func newWakeup(s Session, in BeginPrompt, id string, now time.Time) Wakeup {
	delivery := in.Delivery
	if delivery == "" {
		delivery = DeliveryCaller
	}
	if delivery == DeliveryWorker {
		in.Supervisor = Supervisor{} // whoever claims it
	}
	native := s.NativeSessionID
	if in.Send == SendFresh {
		native = "" // the session itself leaves it once the run is sent
	}
	return Wakeup{
		Delivery: delivery, WorkspaceID: in.WorkspaceID, ID: id, SessionID: s.ID, Generation: s.Generation,
		Status: recovery.WakeupQueued, Source: SourceUserPrompt, DueAt: now,
		Profile: in.Profile, Supervisor: in.Supervisor,
		NextSend: firstSend(in), NativeSessionID: native,
		Version: 1, CreatedAt: now, UpdatedAt: now, SessionState: s.State,
	}
}

func firstSend(in BeginPrompt) SendKind {
	if in.Send == "" {
		return SendPrompt
	}
	return in.Send
}

// supersede ends an unfinished wakeup for a newer prompt. The prompt of an
// inline profile stays with its caller, so that nothing is carried over or
// coalesced.
func supersede(l Locked, now time.Time) (Wakeup, error) {
	effect := recovery.Interrupted(recovery.SituationOf(l.Wakeup.Status, l.Run.State), recovery.InterruptNewPrompt)
	if effect.Refused != "" {
		return Wakeup{}, l.refusal(effect.Refused)
	}
	l.Now = now
	d := draftOf(l)
	d.endWakeup(recovery.WakeupCancelled, StatusSuperseded)
	c, err := d.done()
	if err != nil {
		return Wakeup{}, err
	}
	return *c.Wakeup, nil
}

// endWakeup ends the wakeup without asking what that means for the session.
func (d *draft) endWakeup(to recovery.WakeupStatus, reason string) {
	w := d.wakeup()
	if !w.Status.CanBecome(to) {
		d.illegal("wakeup", string(w.Status), string(to))
	}
	w.Status, w.StatusReason = to, reason
	w.DueAt, w.Attention, w.EndedAt, w.WaitsForRunID = noTime, AttentionNone, d.locked.Now, ""
}
