package postgres

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// BeginPrompt makes the wakeup of a new prompt and supersedes what waits in
// its session. It fails with SESSION_NOT_FOUND, WORKSPACE_NOT_FOUND,
// SESSION_BUSY and REQUEST_ID_REUSED.
func (s *Store) BeginPrompt(ctx context.Context, r work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error) {
	begun, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Begun, error) {
		state, err := t.lockForBegin(ctx, in)
		if err != nil {
			return work.Begun{}, err
		}
		c, err := work.Begin(state, in, ids)
		if err != nil {
			return work.Begun{}, err
		}
		if err := t.applyBegin(ctx, state, c); err != nil {
			return work.Begun{}, err
		}
		return work.Begun{Session: c.Session, Wakeup: c.Wakeup}, t.keepPrompt(ctx, c.Wakeup, in.Prompt)
	})
	return begun, err
}

func (t *tx) lockForBegin(ctx context.Context, in work.BeginPrompt) (work.BeginState, error) {
	var state work.BeginState
	var err error
	if in.SessionID != "" {
		if err = t.lockSessionForBegin(ctx, in, &state); err != nil {
			return state, err
		}
	}
	state.Now, err = t.clock(ctx)
	return state, err
}

func (t *tx) lockSessionForBegin(ctx context.Context, in work.BeginPrompt, state *work.BeginState) error {
	id, err := idOf(in.SessionID)
	if err != nil {
		return absent(err, fault.ReasonSessionNotFound, "session", "session_id", in.SessionID)
	}
	row, err := t.LockSession(ctx, dbsqlc.LockSessionParams{WorkspaceID: in.WorkspaceID, SessionID: id})
	if err != nil {
		return absent(err, fault.ReasonSessionNotFound, "session", "session_id", in.SessionID)
	}
	state.Session = sessionOf(row.Session)
	open, err := t.LockOpenWakeups(ctx, dbsqlc.LockOpenWakeupsParams{WorkspaceID: in.WorkspaceID, SessionID: id})
	if err != nil {
		return err
	}
	for _, w := range open {
		l := work.Locked{Session: state.Session}
		if err := t.lockRest(ctx, &l, w.Wakeup, w.WakeupDetail, nil); err != nil {
			return err
		}
		if err := t.lockCooldown(ctx, &l); err != nil {
			return err
		}
		state.Open = append(state.Open, l)
	}
	return nil
}

func (t *tx) applyBegin(ctx context.Context, state work.BeginState, c work.BeginChange) error {
	for i, w := range c.Superseded {
		l := state.Open[i]
		l.Now = state.Now
		if err := t.saveWakeup(ctx, l.Wakeup, w); err != nil {
			return err
		}
		if err := t.followCooldown(ctx, l, work.Change{Wakeup: &w}); err != nil {
			return err
		}
	}
	if err := t.saveBegunSession(ctx, state, c); err != nil {
		return err
	}
	if err := t.insertWakeup(ctx, c.Wakeup); err != nil {
		return err
	}
	return t.emit(ctx, c.Session.WorkspaceID, state.Now, c.Events)
}

func (t *tx) saveBegunSession(ctx context.Context, state work.BeginState, c work.BeginChange) error {
	s := c.Session
	if !c.NewSession {
		return t.saveSession(ctx, s, state.Session.Version)
	}
	return t.later.InsertSession(ctx, dbsqlc.InsertSessionParams{
		WorkspaceID: s.WorkspaceID, SessionID: uuid.MustParse(s.ID), State: string(s.State), Generation: s.Generation,
		NativeSessionID: s.NativeSessionID, Replied: s.Replied, Version: s.Version, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	})
}

func (t *tx) insertWakeup(ctx context.Context, w work.Wakeup) error {
	err := t.later.InsertWakeup(ctx, dbsqlc.InsertWakeupParams{
		WorkspaceID: w.WorkspaceID, WakeupID: uuid.MustParse(w.ID), SessionID: uuid.MustParse(w.SessionID), Generation: w.Generation,
		Status: string(w.Status), Source: w.Source, DueAt: orNull(w.DueAt), Attention: string(w.Attention),
		SupervisorID: w.Supervisor.ID, HostID: w.Supervisor.HostID, NextSend: string(w.NextSend), NativeSessionID: w.NativeSessionID,
		Version: w.Version, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt, Delivery: string(w.Delivery),
	})
	if err != nil {
		return err
	}
	profile, err := json.Marshal(w.Profile)
	if err != nil {
		return err
	}
	return t.later.InsertWakeupDetails(ctx, dbsqlc.InsertWakeupDetailsParams{
		WorkspaceID: w.WorkspaceID, WakeupID: uuid.MustParse(w.ID), Profile: profile,
	})
}
