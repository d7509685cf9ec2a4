package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// FindViolations names what is wrong in a workspace; nothing ever is. Tests
// ask it after everything they do, and an operator may.
func (s *Store) FindViolations(ctx context.Context, workspaceID string) ([]string, error) {
	var list []string
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		list = nil
		rows, err := q.FindViolations(ctx, workspaceID)
		if err != nil {
			return err
		}
		for _, r := range rows {
			list = append(list, fmt.Sprintf("%s: %s", r.Violation, r.ID))
		}
		gaps, err := q.FindSequenceFaults(ctx, workspaceID)
		for range gaps {
			list = append(list, "event numbers have a gap")
		}
		return err
	})
	return list, err
}

// StoredDecision is what a run's decision was made from.
type StoredDecision struct {
	Facts  recovery.Facts
	Jitter float64
	At     time.Time
}

// GetDecisionInputs returns what GetRun's decision was made from, so that it
// can be replayed. It fails with RUN_NOT_FOUND when no report led to one.
func (s *Store) GetDecisionInputs(ctx context.Context, workspaceID, runID string) (StoredDecision, error) {
	var out StoredDecision
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		id, err := idOf(runID)
		if err != nil {
			return err
		}
		row, err := q.GetEvidence(ctx, dbsqlc.GetEvidenceParams{WorkspaceID: workspaceID, RunID: id})
		if err != nil {
			return err
		}
		facts, err := decode[recovery.Facts](row.Facts)
		if err != nil || facts == nil || row.Jitter == nil {
			return errors.Join(err, errNoRows)
		}
		out = StoredDecision{Facts: *facts, Jitter: *row.Jitter, At: row.DecidedAt.UTC()}
		return nil
	})
	return out, absent(err, fault.ReasonRunNotFound, "decision of a run", "run_id", runID)
}
