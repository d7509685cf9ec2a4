package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// lockRun locks session, wakeup and run, in this order, and reads the clock.
func (t *tx) lockRun(ctx context.Context, workspaceID, runID string) (work.Locked, error) {
	id, err := idOf(runID)
	if err != nil {
		return work.Locked{}, absent(err, fault.ReasonRunNotFound, "run", "run_id", runID)
	}
	at, err := t.LocateRun(ctx, dbsqlc.LocateRunParams{WorkspaceID: workspaceID, RunID: id})
	if err != nil {
		return work.Locked{}, absent(err, fault.ReasonRunNotFound, "run", "run_id", runID)
	}
	return t.lock(ctx, workspaceID, at.SessionID, at.WakeupID, &id)
}

// lockWakeup locks session, wakeup and the wakeup's newest run.
func (t *tx) lockWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Locked, error) {
	id, err := idOf(wakeupID)
	if err != nil {
		return work.Locked{}, absent(err, fault.ReasonWakeupNotFound, "wakeup", "wakeup_id", wakeupID)
	}
	sessionID, err := t.LocateWakeup(ctx, dbsqlc.LocateWakeupParams{WorkspaceID: workspaceID, WakeupID: id})
	if err != nil {
		return work.Locked{}, absent(err, fault.ReasonWakeupNotFound, "wakeup", "wakeup_id", wakeupID)
	}
	return t.lock(ctx, workspaceID, sessionID, id, nil)
}

// lock takes the newest run of the wakeup when runID is nil.
func (t *tx) lock(ctx context.Context, workspaceID string, sessionID, wakeupID uuid.UUID, runID *uuid.UUID) (work.Locked, error) {
	var l work.Locked
	s, err := t.LockSession(ctx, dbsqlc.LockSessionParams{WorkspaceID: workspaceID, SessionID: sessionID})
	if err != nil {
		return l, err
	}
	w, err := t.LockWakeup(ctx, dbsqlc.LockWakeupParams{WorkspaceID: workspaceID, WakeupID: wakeupID})
	if err != nil {
		return l, err
	}
	l.Session, l.Mode, l.RecoveryOff = sessionOf(s.Session), recovery.Mode(s.RecoveryMode), s.RecoveryOff
	if err := t.lockRest(ctx, &l, w.Wakeup, w.WakeupDetail, runID); err != nil {
		return l, err
	}
	if err := t.lockCooldown(ctx, &l); err != nil {
		return l, err
	}
	l.Now, err = t.clock(ctx)
	return l, err
}

// lockRest fills in a locked wakeup and locks its run.
func (t *tx) lockRest(ctx context.Context, l *work.Locked, w dbsqlc.Wakeup, d dbsqlc.WakeupDetail, runID *uuid.UUID) error {
	l.Wakeup = wakeupOf(w)
	l.Wakeup.SessionState = l.Session.State
	if err := details(&l.Wakeup, d.Profile, d.LastClassification, d.LastDecision, d.ErrorMessage); err != nil {
		return err
	}
	if err := t.countRuns(ctx, l); err != nil {
		return err
	}
	if runID == nil {
		runID = w.LastRunID
	}
	if runID == nil {
		return nil
	}
	r, err := t.LockRun(ctx, dbsqlc.LockRunParams{WorkspaceID: w.WorkspaceID, RunID: *runID})
	if err != nil {
		return err
	}
	l.Run, l.TokenHash = runOf(r), r.TokenHash
	l.Run.Profile = l.Wakeup.Profile
	if l.Run.State.Live() {
		return nil
	}
	// What has ended may have to be shown to a caller that came too late.
	e, err := t.GetEvidence(ctx, dbsqlc.GetEvidenceParams{WorkspaceID: w.WorkspaceID, RunID: *runID})
	if errors.Is(err, errNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return report(&l.Run, nil, e.Classification, e.Decision)
}
