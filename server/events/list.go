package events

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
)

const (
	defaultPage = 100
	maxPage     = 1000
)

// List returns a page of events after a cursor. What was committed before the
// call is in it: it numbers what has no number yet. It fails with
// CURSOR_EXPIRED and INVALID_REQUEST.
func (s *Stream) List(ctx context.Context, in work.ListEvents) (work.EventPage, error) {
	size := defaultPage
	if in.PageSize > 0 {
		size = min(in.PageSize, maxPage)
	}
	if n, err := s.store.NumberEvents(ctx, in.WorkspaceID, numberBatch); err != nil {
		return work.EventPage{}, err
	} else if n > 0 {
		s.hub.publish(in.WorkspaceID)
		s.pump.kick(in.WorkspaceID)
	}
	head, err := s.store.EventHead(ctx, in.WorkspaceID)
	if err != nil {
		return work.EventPage{}, err
	}
	at := head.OldestSeq - 1
	if in.Cursor != "" {
		if at, err = readCursor(in.Cursor); err != nil {
			return work.EventPage{}, err
		}
		if err := check(at, head); err != nil {
			return work.EventPage{}, err
		}
	}
	events, err := s.store.ReadEvents(ctx, in.WorkspaceID, at, size)
	if err != nil {
		return work.EventPage{}, err
	}
	if len(events) > 0 {
		at = events[len(events)-1].Seq
	}
	return work.EventPage{Events: events, NextCursor: cursorAt(at)}, nil
}
