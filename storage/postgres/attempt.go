package postgres

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// ListAttempts returns stored decisions with all that they were made from,
// newest first.
func (s *Store) ListAttempts(ctx context.Context, f work.AttemptFilter) ([]work.Attempt, error) {
	var list []work.Attempt
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListAttempts(ctx, dbsqlc.ListAttemptsParams{
			WorkspaceID: f.WorkspaceID, DecidedAfter: orNull(f.DecidedAfter), DecidedBefore: orNull(f.DecidedBefore),
			Code: f.Code, RowLimit: int32(f.Limit),
		})
		list = make([]work.Attempt, 0, len(rows))
		for _, r := range rows {
			a, err := attemptOf(r)
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		return err
	})
	return list, err
}

func attemptOf(r dbsqlc.ListAttemptsRow) (work.Attempt, error) {
	a := work.Attempt{RunID: r.RunID.String(), Jitter: *r.Jitter, DecidedAt: r.DecidedAt.In(time.UTC)}
	result, err := decode[classification.Result](r.Classification)
	if err != nil {
		return a, err
	}
	facts, err := decode[recovery.Facts](r.Facts)
	if err != nil {
		return a, err
	}
	a.Classification, a.Facts = *result, *facts
	a.Decided, err = decode[recovery.Decision](r.Decision)
	return a, err
}
