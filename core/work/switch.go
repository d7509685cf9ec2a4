package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
)

// UpdateWorkspace changes a workspace; what is nil stays as it is.
type UpdateWorkspace struct {
	WorkspaceID string
	RequestID   string // "" is not idempotent
	DisplayName *string
	Mode        *recovery.Mode
	Off         *bool // the Off switch
	By          string
}

// Settle changes w as asked and gives the event that tells it.
func (in UpdateWorkspace) Settle(w access.Workspace) (access.Workspace, Event) {
	if in.DisplayName != nil {
		w.DisplayName = *in.DisplayName
	}
	if in.Mode != nil {
		w.RecoveryMode = *in.Mode
	}
	if in.Off != nil {
		w.RecoveryOff = *in.Off
	}
	return w, Event{Type: EventWorkspaceUpdated, Payload: map[string]any{
		"display_name": w.DisplayName, "recovery_mode": string(w.RecoveryMode), "recovery_off": w.RecoveryOff, "actor": in.By,
	}}
}

// EventWorkspaceUpdated tells that a workspace's settings have changed.
const EventWorkspaceUpdated = "workspace.updated"

// SwitchOff parks for a person what waits to go on by itself. What does not
// wait, or belongs to a person already, is left as it is: the change is empty.
func SwitchOff(l Locked) (Change, error) {
	w := l.Wakeup
	if !w.Status.Waiting() || w.DueAt.IsZero() || w.LastDecision == nil {
		return Change{}, nil
	}
	d := draftOf(l)
	d.holdOff()
	return d.done()
}

// holdOff parks the wakeup with recovery_off. The deadline that it had is
// given up, but for a stated one: that is in the decision as HintShown.
func (d *draft) holdOff() {
	w := d.wakeup()
	decision := *w.LastDecision
	decision.Action, decision.Reason, decision.ParkReason = recovery.ActionPark, recovery.ReasonRecoveryOff, recovery.ParkRecoveryOff
	decision.RetryAt, decision.Receipt = noTime, recovery.Receipt{}
	if !decision.HintShown.IsZero() {
		decision.Receipt = recovery.Receipt{Kind: recovery.ReceiptStated, Source: decision.HintSource}
	}
	w.LastDecision, w.WaitsForRunID = &decision, ""
	if w.Status == recovery.WakeupParked {
		w.DueAt, w.Attention = noTime, AttentionPerson
		d.emit(wakeupUpdated(*w))
	} else {
		d.setWakeup(recovery.WakeupParked, "")
		w.Attention = AttentionPerson
	}
	d.emit(recoveryUpdated(w.ID, w.LastRunID, Report{Classification: w.LastClassification, Decision: &decision}))
}

// SwitchOn lets go on what the Off switch holds: now, or when a stated reset
// and its margin have passed.
func SwitchOn(l Locked, s recovery.Settings) (Change, error) {
	w := l.Wakeup
	if w.Status != recovery.WakeupParked || w.LastDecision == nil || w.LastDecision.ParkReason != recovery.ParkRecoveryOff || !w.DueAt.IsZero() {
		return Change{}, nil
	}
	d := draftOf(l)
	at := l.Now
	if stated := w.LastDecision.HintShown; !stated.IsZero() && stated.Add(s.ResetMargin).After(at) {
		at = recovery.Published(stated.Add(s.ResetMargin))
	}
	d.wakeFromPark(at)
	return d.done()
}

func (d *draft) wakeFromPark(at time.Time) {
	w := d.wakeup()
	decision := *w.LastDecision
	decision.RetryAt, decision.ParkReason = at, recovery.ParkProviderCapacity
	if !at.After(d.locked.Now) {
		w.LastDecision = &decision
		d.setWakeup(recovery.WakeupQueued, "")
		w.DueAt = at
	} else {
		w.LastDecision, w.DueAt, w.Attention = &decision, at, AttentionDeadline
		d.emit(wakeupUpdated(*w))
	}
	d.emit(recoveryUpdated(w.ID, w.LastRunID, Report{Classification: w.LastClassification, Decision: &decision}))
}

// heldAtClaim moves a wakeup that is due but may not begin: recovery was
// switched off meanwhile, or its hours have passed before anybody claimed it.
// What a person made due is theirs, but for a first run that waits for its hours.
func (d *draft) heldAtClaim(s recovery.Settings) (held bool) {
	w := d.locked.Wakeup
	byItself := w.Status.Waiting()
	if byItself && d.locked.RecoveryOff && w.LastDecision != nil {
		d.holdOff()
		return true
	}
	first := w.RunCount == 0 && w.Delivery == DeliveryWorker
	if !byItself && !first {
		return false
	}
	opening, err := w.Profile.Policy.Consent.RunWindow.Opening(d.locked.Now, s.Zones)
	if err != nil || !opening.After(d.locked.Now) {
		return false // a window that cannot be read was refused when the prompt began
	}
	d.moveDue(opening)
	return true
}

// Held is the error of a claim that left the wakeup waiting: *NotDue where it
// has a deadline, else NOT_CLAIMABLE.
func (l Locked) Held() error {
	if l.Wakeup.DueAt.IsZero() {
		return notClaimable(l.Wakeup, "person_required")
	}
	return &NotDue{DueAt: l.Wakeup.DueAt, Now: l.Now}
}
