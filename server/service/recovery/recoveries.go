package recovery

import (
	"context"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// GetSessionRecovery implements API.
func (s *Service) GetSessionRecovery(ctx context.Context, workspaceID, sessionID string) (work.SessionRecovery, error) {
	return s.store.GetSessionRecovery(ctx, workspaceID, sessionID)
}

// ListRecoveries implements API. A page ends at a change, so that what changes
// meanwhile moves to the front and none that stays is left out.
func (s *Service) ListRecoveries(ctx context.Context, in work.ListRecoveries) (work.RecoveryPage, error) {
	filter := work.RecoveryFilter{WorkspaceID: in.WorkspaceID, Attention: in.Attention}
	list := digest("recoveries", filter)
	mark, err := readPageToken(in.PageToken, list)
	if err != nil {
		return work.RecoveryPage{}, err
	}
	if filter.BeforeAt, filter.BeforeID, err = readMark(mark); err != nil {
		return work.RecoveryPage{}, err
	}
	size := pageSize(in.PageSize)
	filter.Limit = size + 1
	found, err := s.store.ListRecoveries(ctx, filter)
	if err != nil {
		return work.RecoveryPage{}, err
	}
	if len(found) <= size {
		return work.RecoveryPage{Recoveries: found}, nil
	}
	last := found[size-1].Wakeup
	return work.RecoveryPage{Recoveries: found[:size], NextPageToken: pageToken(markOf(last), list)}, nil
}

// markOf names a place in a list that is ordered by change.
func markOf(w work.Wakeup) string { return w.UpdatedAt.UTC().Format(time.RFC3339Nano) + " " + w.ID }

func readMark(mark string) (at time.Time, id string, err error) {
	if mark == "" {
		return time.Time{}, "", nil
	}
	instant, id, ok := strings.Cut(mark, " ")
	at, err = time.Parse(time.RFC3339Nano, instant)
	if !ok || err != nil {
		return time.Time{}, "", fault.New(fault.InvalidArgument, fault.ReasonPageTokenInvalid, "the page token is damaged or belongs to another list")
	}
	return at, id, nil
}
