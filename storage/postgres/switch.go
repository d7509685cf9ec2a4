package postgres

import (
	"context"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// UpdateWorkspace changes a workspace's settings. It fails with
// WORKSPACE_NOT_FOUND and REQUEST_ID_REUSED.
func (s *Store) UpdateWorkspace(ctx context.Context, r work.Request, in work.UpdateWorkspace) (access.Workspace, error) {
	w, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (access.Workspace, error) {
		row, err := t.LockWorkspace(ctx, in.WorkspaceID)
		if err != nil {
			return access.Workspace{}, absent(err, fault.ReasonWorkspaceNotFound, "workspace", "workspace_id", in.WorkspaceID)
		}
		before := workspaceOf(row)
		after, event := in.Settle(before)
		if after == before {
			return after, nil
		}
		err = t.later.UpdateWorkspace(ctx, dbsqlc.UpdateWorkspaceParams{
			WorkspaceID: after.ID, DisplayName: after.DisplayName, RecoveryMode: string(after.RecoveryMode), RecoveryOff: after.RecoveryOff,
		})
		if err != nil {
			return access.Workspace{}, err
		}
		now, err := t.clock(ctx)
		if err != nil {
			return access.Workspace{}, err
		}
		return after, t.emit(ctx, after.ID, now, []work.Event{event})
	})
	return w, err
}

// FindSwitched returns wakeups that a workspace's Off switch has yet to hold
// or, when it is off again, to let go: at most limit.
func (s *Store) FindSwitched(ctx context.Context, workspaceID string, off bool, limit int) ([]string, error) {
	var list []string
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		var found []uuid.UUID
		var err error
		if off {
			found, err = q.FindWaits(ctx, dbsqlc.FindWaitsParams{WorkspaceID: workspaceID, RowLimit: int32(limit)})
		} else {
			found, err = q.FindSwitchedOff(ctx, dbsqlc.FindSwitchedOffParams{WorkspaceID: workspaceID, RowLimit: int32(limit)})
		}
		list = make([]string, len(found))
		for i, id := range found {
			list[i] = id.String()
		}
		return err
	})
	return list, err
}

// SwitchWakeup brings one wakeup in step with its workspace's Off switch as it
// is now, and reports whether it changed.
func (s *Store) SwitchWakeup(ctx context.Context, workspaceID, wakeupID string, settings recovery.Settings) (changed bool, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		l, err := t.lockWakeup(ctx, workspaceID, wakeupID)
		if err != nil {
			return err
		}
		var c work.Change
		if l.RecoveryOff {
			c, err = work.SwitchOff(l)
		} else {
			c, err = work.SwitchOn(l, settings)
		}
		changed = c.Wakeup != nil
		if err != nil {
			return err
		}
		_, err = t.apply(ctx, l, c)
		return err
	})
	return changed && err == nil, err
}

// countRuns fills in what a consent is held against; most prompts have none.
func (t *tx) countRuns(ctx context.Context, l *work.Locked) error {
	if l.Wakeup.Profile.Policy.Consent.MaxAttemptsPerDay == 0 {
		return nil
	}
	n, err := t.CountRunsLastDay(ctx, dbsqlc.CountRunsLastDayParams{
		WorkspaceID: l.Wakeup.WorkspaceID, WakeupID: uuid.MustParse(l.Wakeup.ID), Now: t.store.at(),
	})
	l.RunsLastDay = int(n)
	return err
}
