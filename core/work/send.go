package work

import "github.com/recourse-dev/recourse/core/recovery"

// SendAfter is what the attempt sends that a decision leads to, "" when none
// does. A prompt that had effects is never sent bare.
func SendAfter(d recovery.Decision) SendKind {
	switch d.Boundary {
	case recovery.BoundaryEffectFree, recovery.BoundaryDeclaredRepeatable:
		return SendPrompt
	case recovery.BoundaryNativeResume:
		return SendContinue
	case recovery.BoundaryContinuation:
		return SendFresh
	}
	return ""
}

// prepareNext says what the next run sends. A fresh session of the agent has
// no name yet, and a name never crosses to another candidate.
func (d *draft) prepareNext(decision recovery.Decision) {
	w := d.wakeup()
	if send := SendAfter(decision); send != "" {
		w.NextSend = send
	}
	if w.NextSend == SendFresh || decision.Action == recovery.ActionNextCandidate {
		w.NativeSessionID = ""
	}
}

// leaveNativeSession ends the agent's session when a run is sent into a new
// one: what comes later belongs to that. The runs keep the names that they had.
func (d *draft) leaveNativeSession() {
	if d.locked.Run.Send != SendFresh || d.locked.Session.NativeSessionID == "" ||
		d.locked.Wakeup.Generation != d.locked.Session.Generation {
		return
	}
	s := d.session()
	s.NativeSessionID, s.Replied = "", false
}
