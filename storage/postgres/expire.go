package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// Survey looks over the watched runs of all workspaces.
func (s *Store) Survey(ctx context.Context) (work.Survey, error) {
	var out work.Survey
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		row, err := q.SurveyWatched(ctx, s.at())
		if err != nil {
			return err
		}
		out = work.Survey{Watched: int(row.WatchedCount), Now: row.Now.UTC(), LastHeartbeatAt: row.LastHeartbeatAt.UTC()}
		if row.WatchedCount > 0 {
			out.NextDeadlineAt = row.NextDeadlineAt.UTC()
		}
		return nil
	})
	return out, err
}

// FindOverdue returns runs whose lease or grace has passed, the longest first.
func (s *Store) FindOverdue(ctx context.Context, limit int) ([]work.RunRef, error) {
	var refs []work.RunRef
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.FindOverdue(ctx, dbsqlc.FindOverdueParams{Now: s.at(), RowLimit: int32(limit)})
		refs = refs[:0]
		for _, r := range rows {
			refs = append(refs, work.RunRef{WorkspaceID: r.WorkspaceID, RunID: r.RunID.String()})
		}
		return err
	})
	return refs, err
}

// ExpireRun does what the end of a run's lease or grace asks for, and reports
// whether there was anything to do. Any number of replicas may call it.
func (s *Store) ExpireRun(ctx context.Context, ref work.RunRef, settings recovery.Settings) (bool, error) {
	changed := false
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.transit(ctx, ref.WorkspaceID, ref.RunID, func(l work.Locked) (work.Change, error) {
			c, err := work.Expire(l, settings)
			changed = c.Run != nil
			return c, err
		})
		return err
	})
	return changed && err == nil, err
}

// PruneHistory removes a batch of forgotten request ids, used login codes and
// events from before an instant, and reports whether more may be left.
func (s *Store) PruneHistory(ctx context.Context, workspaceID string, eventsBefore time.Time, limit int) (more bool, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		requests, err := t.DeleteExpiredRequests(ctx, dbsqlc.DeleteExpiredRequestsParams{WorkspaceID: workspaceID, Now: s.at(), RowLimit: int32(limit)})
		if err != nil {
			return err
		}
		if _, err := t.DeleteLoginCodes(ctx, dbsqlc.DeleteLoginCodesParams{WorkspaceID: workspaceID, Now: s.at()}); err != nil {
			return err
		}
		// The head's lock keeps the numbering step and other prunes out.
		if _, err := t.LockEventHead(ctx, workspaceID); err != nil {
			if errors.Is(err, errNoRows) {
				return nil
			}
			return err
		}
		gone, err := t.PruneEvents(ctx, dbsqlc.PruneEventsParams{WorkspaceID: workspaceID, BeforeAt: eventsBefore, RowLimit: int32(limit)})
		more = requests == int64(limit) || gone.PrunedCount == int64(limit)
		if err != nil || gone.PrunedCount == 0 {
			return err
		}
		return t.SetOldestEvent(ctx, dbsqlc.SetOldestEventParams{WorkspaceID: workspaceID, OldestSeq: gone.LastPrunedSeq + 1})
	})
	return more, err
}
