package work

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// ClaimRequest is what one claim of one wakeup needs.
type ClaimRequest struct {
	Supervisor Supervisor
	TakeOver   bool
	RunID      string // of the run to make
	TokenHash  []byte
	Settings   recovery.Settings
}

// NotDue is the error of a claim that comes too early; it is no failure: the
// caller waits until DueAt.
type NotDue struct {
	DueAt time.Time
	Now   time.Time // by the clock that rules
}

// Error implements error.
func (e *NotDue) Error() string { return "the wakeup is due at " + instant(e.DueAt) }

// ClaimWakeup makes a run of a wakeup that is due, for a supervisor that may
// have it. A wakeup is pinned to its supervisor; another one on the same host
// may take it over while it waits, because then no run of it is live. A change
// without a new run says that it must wait on: until its DueAt, or for a person.
func ClaimWakeup(l Locked, in ClaimRequest) (Change, error) {
	if err := claimable(l, in); err != nil {
		return Change{}, err
	}
	if l.Wakeup.DueAt.After(l.Now) {
		return Change{}, &NotDue{DueAt: l.Wakeup.DueAt, Now: l.Now}
	}
	d := draftOf(l)
	if d.heldAtClaim(in.Settings) || d.putOff(in.Settings) {
		return d.done()
	}
	w := d.wakeup()
	if w.Status == recovery.WakeupParked {
		// A wake from park begins a new route cycle; no time that was waited is forgotten.
		w.Progress = w.Progress.NextCycle()
	}
	w.Supervisor = in.Supervisor
	w.RunCount++
	w.LastRunID = in.RunID
	run := newRun(l, in, w.RunCount)
	d.change.Run, d.change.NewRun, d.change.TokenHash = &run, true, in.TokenHash
	d.setWakeup(recovery.WakeupRunning, "")
	return d.done()
}

func newRun(l Locked, in ClaimRequest, ordinal int) Run {
	return Run{
		WorkspaceID: l.Wakeup.WorkspaceID, ID: in.RunID, WakeupID: l.Wakeup.ID, SessionID: l.Wakeup.SessionID,
		Generation: l.Wakeup.Generation, Ordinal: ordinal, State: recovery.RunClaimed, Send: l.Wakeup.NextSend,
		Supervisor: in.Supervisor, LeaseExpiresAt: l.Now.Add(in.Settings.Lease), HeartbeatAt: l.Now, ClaimedAt: l.Now,
		// Nothing was sent, so nothing can have been done.
		Effects:         evidence.NoEffects(),
		NativeSessionID: l.Wakeup.NativeSessionID, Profile: l.Wakeup.Profile, Version: 1,
	}
}

func claimable(l Locked, in ClaimRequest) error {
	w := l.Wakeup
	switch {
	case !w.Status.Claimable():
		return notClaimable(w, "status")
	case w.Generation != l.Session.Generation:
		return l.refusal(fault.ReasonStaleGeneration)
	case w.DueAt.IsZero():
		return notClaimable(w, "person_required")
	case w.Supervisor.ID == "" || w.Supervisor.ID == in.Supervisor.ID:
		return nil
	case w.Delivery == DeliveryWorker && !w.hostBound():
		return nil // workers stand in for each other
	case w.Delivery == DeliveryWorker && w.Supervisor.HostID == in.Supervisor.HostID:
		return nil
	case !in.TakeOver:
		return notClaimable(w, "other_supervisor")
	case w.Supervisor.HostID == "" || w.Supervisor.HostID != in.Supervisor.HostID:
		return notClaimable(w, "other_host")
	}
	return nil
}

func notClaimable(w Wakeup, because string) error {
	return fault.New(fault.FailedPrecondition, fault.ReasonNotClaimable, "wakeup %s cannot be claimed by this caller: %s", w.ID, because).
		With("wakeup_id", w.ID).With("status", string(w.Status)).With("because", because).
		With("version", strconv.FormatInt(w.Version, 10))
}
