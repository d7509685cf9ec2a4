package postgres

import (
	"context"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// RetryNow makes a waiting wakeup due now. It fails with WAKEUP_NOT_FOUND and
// STALE_VERSION.
func (s *Store) RetryNow(ctx context.Context, r work.Request, in work.RetryNow) (work.Wakeup, error) {
	w, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Wakeup, error) {
		l, err := t.lockWakeup(ctx, in.WorkspaceID, in.WakeupID)
		if err != nil {
			return work.Wakeup{}, err
		}
		c, err := work.Retry(l, in)
		if err != nil {
			return work.Wakeup{}, err
		}
		after, err := t.apply(ctx, l, c)
		return after.Wakeup, err
	})
	return w, err
}

// StopRun ends a run, or asks its owner to. It fails with RUN_NOT_FOUND,
// RUN_ALREADY_SETTLED and STALE_VERSION.
func (s *Store) StopRun(ctx context.Context, r work.Request, in work.StopRun) (work.Stopped, error) {
	stopped, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Stopped, error) {
		after, err := t.transit(ctx, in.WorkspaceID, in.RunID, func(l work.Locked) (work.Change, error) { return work.Stop(l, in) })
		return work.Stopped{Run: after.Run, Wakeup: after.Wakeup}, err
	})
	return stopped, err
}

// GoOn begins the next generation of a session from its newest wakeup. It fails
// with SESSION_NOT_FOUND, SESSION_BUSY, STALE_GENERATION and NOT_RESUMABLE.
func (s *Store) GoOn(ctx context.Context, r work.Request, in work.GoOn, wakeupID string) (work.Begun, error) {
	begun, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Begun, error) {
		state, err := t.lockForGoOn(ctx, in)
		if err != nil {
			return work.Begun{}, err
		}
		c, err := work.Continue(state, in, wakeupID)
		if err != nil {
			return work.Begun{}, err
		}
		return work.Begun{Session: c.Session, Wakeup: c.Wakeup}, t.applyGoOn(ctx, state, c)
	})
	return begun, err
}

func (t *tx) lockForGoOn(ctx context.Context, in work.GoOn) (work.GoOnState, error) {
	var state work.GoOnState
	begin := work.BeginPrompt{WorkspaceID: in.WorkspaceID, SessionID: in.SessionID}
	if err := t.lockSessionForBegin(ctx, begin, &state.BeginState); err != nil {
		return state, err
	}
	l, err := t.lockNewest(ctx, in.WorkspaceID, state.BeginState)
	if err != nil {
		return state, err
	}
	found, err := t.GetStanding(ctx, dbsqlc.GetStandingParams{WorkspaceID: in.WorkspaceID, WakeupID: uuid.MustParse(l.Wakeup.ID)})
	if err != nil {
		return state, err
	}
	state.Newest = work.Standing{Session: l.Session, Wakeup: l.Wakeup, Run: l.Run, Sent: found.Sent, AgentVersion: found.AgentVersion}
	state.Now, err = t.clock(ctx)
	return state, err
}

// lockNewest locks the wakeup of the session's present generation, unless it is
// open and locked already.
func (t *tx) lockNewest(ctx context.Context, workspaceID string, state work.BeginState) (work.Locked, error) {
	for _, open := range state.Open {
		if open.Wakeup.Generation == state.Session.Generation {
			return open, nil
		}
	}
	l := work.Locked{Session: state.Session}
	id, err := t.LocateNewestWakeup(ctx, dbsqlc.LocateNewestWakeupParams{WorkspaceID: workspaceID, SessionID: uuid.MustParse(state.Session.ID)})
	if err != nil {
		return l, absent(err, fault.ReasonWakeupNotFound, "wakeup of session", "session_id", state.Session.ID)
	}
	w, err := t.LockWakeup(ctx, dbsqlc.LockWakeupParams{WorkspaceID: workspaceID, WakeupID: id})
	if err != nil {
		return l, err
	}
	return l, t.lockRest(ctx, &l, w.Wakeup, w.WakeupDetail, nil)
}

func (t *tx) applyGoOn(ctx context.Context, state work.GoOnState, c work.GoOnChange) error {
	if err := t.applyBegin(ctx, state.BeginState, c.BeginChange); err != nil {
		return err
	}
	if c.PromptOf != "" {
		err := t.later.CopyPrompt(ctx, dbsqlc.CopyPromptParams{
			WorkspaceID: c.Session.WorkspaceID, WakeupID: uuid.MustParse(c.PromptOf), ToWakeupID: uuid.MustParse(c.Wakeup.ID),
		})
		if err != nil {
			return err
		}
	}
	if c.EndedNative == "" {
		return nil
	}
	return t.later.InsertSessionNative(ctx, dbsqlc.InsertSessionNativeParams{
		WorkspaceID: c.Session.WorkspaceID, SessionID: uuid.MustParse(c.Session.ID), Generation: state.Newest.Session.Generation,
		NativeSessionID: c.EndedNative, EndedAt: state.Now,
	})
}
