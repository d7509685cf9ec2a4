package postgres

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// NumberEvents gives committed events the next numbers, at most limit of them,
// and returns how many. Any replica may call it at any time: the lock of the
// head lets one step follow the other.
func (s *Store) NumberEvents(ctx context.Context, workspaceID string, limit int) (int, error) {
	var numbered int64
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		numbered = 0
		some, err := t.HasUnnumberedEvents(ctx, workspaceID)
		if err != nil || !some {
			return err
		}
		head, err := t.LockEventHead(ctx, workspaceID)
		if err != nil {
			return err
		}
		numbered, err = t.NumberEvents(ctx, dbsqlc.NumberEventsParams{WorkspaceID: workspaceID, LastSeq: head.LastSeq, RowLimit: int32(limit)})
		if err != nil || numbered == 0 {
			return err
		}
		return t.AdvanceEventHead(ctx, dbsqlc.AdvanceEventHeadParams{WorkspaceID: workspaceID, NumberedCount: numbered})
	})
	return int(numbered), err
}

// FindUnnumbered returns the workspaces with events that have no number yet.
func (s *Store) FindUnnumbered(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) (err error) {
		ids, err = q.FindUnnumbered(ctx)
		return err
	})
	return ids, err
}

// EventHead fails with WORKSPACE_NOT_FOUND.
func (s *Store) EventHead(ctx context.Context, workspaceID string) (work.Head, error) {
	var head work.Head
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		row, err := q.GetEventHead(ctx, workspaceID)
		head = work.Head{LastSeq: row.LastSeq, OldestSeq: row.OldestSeq}
		return err
	})
	return head, absent(err, fault.ReasonWorkspaceNotFound, "workspace", "workspace_id", workspaceID)
}

// ReadEvents returns numbered events after a number, in order.
func (s *Store) ReadEvents(ctx context.Context, workspaceID string, afterSeq int64, limit int) ([]work.Event, error) {
	var list []work.Event
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListEvents(ctx, dbsqlc.ListEventsParams{WorkspaceID: workspaceID, AfterSeq: afterSeq, RowLimit: int32(limit)})
		list = make([]work.Event, 0, len(rows))
		for _, r := range rows {
			e := work.Event{WorkspaceID: r.WorkspaceID, ID: r.EventID.String(), Seq: r.Seq, Type: r.Type, OccurredAt: r.OccurredAt.UTC()}
			if err := json.Unmarshal(r.Payload, &e.Payload); err != nil {
				return err
			}
			list = append(list, e)
		}
		return err
	})
	return list, err
}

// SendHint tells the other replicas that these workspaces have something new.
func (s *Store) SendHint(ctx context.Context, workspaceIDs []string) error {
	return asFault(s.queries().SendHint(ctx, strings.Join(workspaceIDs, ",")))
}
