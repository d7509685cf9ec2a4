package postgres

import (
	"context"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// GetWakeup fails with WAKEUP_NOT_FOUND.
func (s *Store) GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error) {
	var w work.Wakeup
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		id, err := idOf(wakeupID)
		if err != nil {
			return err
		}
		row, err := q.GetWakeup(ctx, dbsqlc.GetWakeupParams{WorkspaceID: workspaceID, WakeupID: id})
		if err != nil {
			return err
		}
		w = wakeupOf(row.Wakeup)
		w.SessionState = recovery.SessionStatus(row.SessionState)
		d := row.WakeupDetail
		return details(&w, d.Profile, d.LastClassification, d.LastDecision, d.ErrorMessage)
	})
	return w, absent(err, fault.ReasonWakeupNotFound, "wakeup", "wakeup_id", wakeupID)
}

// ListWakeups returns wakeups newest first. Their error messages are cut.
func (s *Store) ListWakeups(ctx context.Context, f work.WakeupFilter) ([]work.Wakeup, error) {
	before, session, err := twoIDs(f.BeforeID, f.SessionID)
	if err != nil {
		return nil, nil // a filter that is no id matches nothing
	}
	var list []work.Wakeup
	err = s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListWakeups(ctx, dbsqlc.ListWakeupsParams{
			WorkspaceID: f.WorkspaceID, BeforeID: before, SessionID: session, Statuses: notNil(f.Statuses), Code: f.Code, RowLimit: int32(f.Limit),
		})
		list = make([]work.Wakeup, 0, len(rows))
		for _, r := range rows {
			w := wakeupOf(r.Wakeup)
			w.SessionState = recovery.SessionStatus(r.SessionState)
			if err := details(&w, r.Profile, r.LastClassification, r.LastDecision, r.ErrorMessage); err != nil {
				return err
			}
			list = append(list, w)
		}
		return err
	})
	return list, err
}

// GetRun fails with RUN_NOT_FOUND.
func (s *Store) GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error) {
	var run work.Run
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		id, err := idOf(runID)
		if err != nil {
			return err
		}
		row, err := q.GetRun(ctx, dbsqlc.GetRunParams{WorkspaceID: workspaceID, RunID: id})
		if err != nil {
			return err
		}
		run, err = fullRun(row.Run, row.Profile, row.Evidence, row.Classification, row.Decision)
		return err
	})
	return run, absent(err, fault.ReasonRunNotFound, "run", "run_id", runID)
}

// ListRuns returns runs newest first, without their evidence.
func (s *Store) ListRuns(ctx context.Context, f work.RunFilter) ([]work.Run, error) {
	before, wakeup, err := twoIDs(f.BeforeID, f.WakeupID)
	if err != nil {
		return nil, nil // a filter that is no id matches nothing
	}
	var list []work.Run
	err = s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListRuns(ctx, dbsqlc.ListRunsParams{
			WorkspaceID: f.WorkspaceID, BeforeID: before, WakeupID: wakeup, States: notNil(f.States), RowLimit: int32(f.Limit),
		})
		list = make([]work.Run, 0, len(rows))
		for _, r := range rows {
			run, err := fullRun(r.Run, r.Profile, nil, r.Classification, r.Decision)
			if err != nil {
				return err
			}
			list = append(list, run)
		}
		return err
	})
	return list, err
}

func fullRun(row dbsqlc.Run, profile, evidence, result, decision []byte) (work.Run, error) {
	run := runOf(row)
	p, err := decode[work.Profile](profile)
	if err != nil {
		return run, err
	}
	run.Profile = *p
	return run, report(&run, evidence, result, decision)
}

func twoIDs(a, b string) (first, second *uuid.UUID, err error) {
	if first, err = idOrNull(a); err != nil {
		return nil, nil, err
	}
	second, err = idOrNull(b)
	return first, second, err
}

// notNil keeps an absent filter from becoming NULL.
func notNil(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
