package recovery

import (
	"context"
	"time"
)

const (
	firstPrune = 10 * time.Minute // a server that has just started has callers to serve
	pruneEvery = time.Hour
	pruneBatch = 500
	// workspaceBatch is how many workspaces are asked for at a time.
	workspaceBatch = 100
)

// prune removes request ids that are forgotten, and ended work and events older
// than the history, in small transactions. What it does not reach now it reaches later.
func (s *Service) prune(ctx context.Context) {
	before := s.now().Add(-s.settings.History)
	for after := ""; ; {
		ids, err := s.store.WorkspaceIDs(ctx, after, workspaceBatch)
		if err != nil {
			s.complain(ctx, "list workspaces to prune", err)
			return
		}
		for _, id := range ids {
			if !s.pruneWorkspace(ctx, id, before) {
				return
			}
			after = id
		}
		if len(ids) < workspaceBatch {
			return
		}
	}
}

func (s *Service) pruneWorkspace(ctx context.Context, workspaceID string, before time.Time) bool {
	for _, step := range []func(context.Context, string, time.Time, int) (bool, error){s.store.PruneWork, s.store.PruneHistory} {
		for more := true; more; {
			var err error
			if more, err = step(ctx, workspaceID, before, pruneBatch); err != nil {
				s.complain(ctx, "prune history", err)
				return false
			}
		}
	}
	return true
}
