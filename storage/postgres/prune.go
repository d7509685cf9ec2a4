package postgres

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// PruneWork removes a batch of wakeups that ended before an instant, with their
// runs and evidence, and the sessions that have none left. It reports whether
// more may be left. Rows that somebody works on are left for the next time.
func (s *Store) PruneWork(ctx context.Context, workspaceID string, before time.Time, limit int) (more bool, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		sessions, err := t.PruneWakeups(ctx, dbsqlc.PruneWakeupsParams{WorkspaceID: workspaceID, BeforeAt: &before, RowLimit: int32(limit)})
		if err != nil || len(sessions) == 0 {
			more = false
			return err
		}
		more = len(sessions) == limit
		if err := t.PruneNatives(ctx, dbsqlc.PruneNativesParams{WorkspaceID: workspaceID, SessionIds: sessions}); err != nil {
			return err
		}
		return t.PruneSessions(ctx, dbsqlc.PruneSessionsParams{WorkspaceID: workspaceID, SessionIds: sessions, BeforeAt: before})
	})
	return more, err
}
