package rpc

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// ListWakeups implements RecoveryService.
func (h Recovery) ListWakeups(ctx context.Context, req *recoursev1.ListWakeupsRequest) (*recoursev1.ListWakeupsResponse, error) {
	page, err := h.Service.ListWakeups(ctx, work.ListWakeups{
		WorkspaceID: req.GetWorkspaceId(), PageSize: int(req.GetPageSize()), PageToken: req.GetPageToken(),
		Statuses: listToDomain(wakeupTable, req.GetStatuses()), SessionID: req.GetSessionId(), Code: string(codeTable.toDomain(req.GetCode())),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListWakeupsResponse{NextPageToken: page.NextPageToken}
	for _, wakeup := range page.Wakeups {
		out.Wakeups = append(out.Wakeups, wakeupToWire(wakeup))
	}
	return out, nil
}

// GetWakeup implements RecoveryService.
func (h Recovery) GetWakeup(ctx context.Context, req *recoursev1.GetWakeupRequest) (*recoursev1.GetWakeupResponse, error) {
	wakeup, err := h.Service.GetWakeup(ctx, req.GetWorkspaceId(), req.GetWakeupId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetWakeupResponse{Wakeup: wakeupToWire(wakeup)}, nil
}

// ListRuns implements RecoveryService.
func (h Recovery) ListRuns(ctx context.Context, req *recoursev1.ListRunsRequest) (*recoursev1.ListRunsResponse, error) {
	page, err := h.Service.ListRuns(ctx, work.ListRuns{
		WorkspaceID: req.GetWorkspaceId(), PageSize: int(req.GetPageSize()), PageToken: req.GetPageToken(),
		WakeupID: req.GetWakeupId(), States: listToDomain(runTable, req.GetStates()),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListRunsResponse{NextPageToken: page.NextPageToken}
	for _, run := range page.Runs {
		out.Runs = append(out.Runs, runToWire(run))
	}
	return out, nil
}

// GetRun implements RecoveryService.
func (h Recovery) GetRun(ctx context.Context, req *recoursev1.GetRunRequest) (*recoursev1.GetRunResponse, error) {
	run, err := h.Service.GetRun(ctx, req.GetWorkspaceId(), req.GetRunId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetRunResponse{Run: runToWire(run)}, nil
}

// ListEvents implements RecoveryService.
func (h Recovery) ListEvents(ctx context.Context, req *recoursev1.ListEventsRequest) (*recoursev1.ListEventsResponse, error) {
	page, err := h.Service.ListEvents(ctx, work.ListEvents{
		WorkspaceID: req.GetWorkspaceId(), Cursor: req.GetCursor(), PageSize: int(req.GetPageSize()),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListEventsResponse{NextCursor: page.NextCursor}
	for _, event := range page.Events {
		out.Events = append(out.Events, eventToWire(event, h.Cursor(event)))
	}
	return out, nil
}

// WatchEvents implements RecoveryService.
func (h Recovery) WatchEvents(ctx context.Context, req *recoursev1.WatchEventsRequest, stream recoursev1connect.RecoveryServiceWatchEventsServerStream) error {
	return h.Service.WatchEvents(ctx, work.WatchEvents{
		WorkspaceID: req.GetWorkspaceId(), Cursor: req.GetCursor(), Types: req.GetTypes(),
	}, func(w work.Watched) error {
		return stream.Send(watchedToWire(w))
	})
}
