package postgres

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// QueueDepth looks over the open wakeups of all workspaces.
func (s *Store) QueueDepth(ctx context.Context) (work.QueueDepth, error) {
	var out work.QueueDepth
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.CountOpen(ctx, s.at())
		out = work.QueueDepth{Open: map[recovery.WakeupStatus]int64{}}
		for _, r := range rows {
			out.Open[recovery.WakeupStatus(r.Status)] = r.OpenCount
			out.Overdue = max(out.Overdue, time.Duration(r.OverdueSeconds*float64(time.Second)))
		}
		return err
	})
	return out, err
}
