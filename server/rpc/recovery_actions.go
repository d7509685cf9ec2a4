package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/auth"
)

// HeartbeatRun implements RecoveryService.
func (h Recovery) HeartbeatRun(ctx context.Context, req *recoursev1.HeartbeatRunRequest) (*recoursev1.HeartbeatRunResponse, error) {
	renewed, err := h.Service.HeartbeatRun(ctx, work.HeartbeatRun{
		Lease: leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()), Wait: span(req.GetWait()),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.HeartbeatRunResponse{
		LeaseExpiresAt: timestamp(renewed.LeaseExpiresAt), Lease: durationpb.New(renewed.Lease), StopRequested: renewed.StopRequested,
	}, nil
}

// RetryNow implements RecoveryService.
func (h Recovery) RetryNow(ctx context.Context, req *recoursev1.RetryNowRequest) (*recoursev1.RetryNowResponse, error) {
	wakeup, err := h.Service.RetryNow(ctx, work.RetryNow{
		WorkspaceID: req.GetWorkspaceId(), WakeupID: req.GetWakeupId(),
		ExpectedVersion: req.GetExpectedVersion(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.RetryNowResponse{Wakeup: wakeupToWire(wakeup)}, nil
}

// StopRun implements RecoveryService.
func (h Recovery) StopRun(ctx context.Context, req *recoursev1.StopRunRequest) (*recoursev1.StopRunResponse, error) {
	stopped, err := h.Service.StopRun(ctx, work.StopRun{
		WorkspaceID: req.GetWorkspaceId(), RunID: req.GetRunId(),
		ExpectedVersion: req.GetExpectedVersion(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.StopRunResponse{Run: runToWire(stopped.Run), Wakeup: wakeupToWire(stopped.Wakeup)}, nil
}

// ResumeSession implements RecoveryService.
func (h Recovery) ResumeSession(ctx context.Context, req *recoursev1.ResumeSessionRequest) (*recoursev1.ResumeSessionResponse, error) {
	begun, err := h.Service.GoOn(ctx, work.GoOn{
		WorkspaceID: req.GetWorkspaceId(), SessionID: req.GetSessionId(),
		ExpectedGeneration: req.GetExpectedGeneration(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.ResumeSessionResponse{Session: sessionToWire(begun.Session), Wakeup: wakeupToWire(begun.Wakeup)}, nil
}

// StartFresh implements RecoveryService.
func (h Recovery) StartFresh(ctx context.Context, req *recoursev1.StartFreshRequest) (*recoursev1.StartFreshResponse, error) {
	begun, err := h.Service.GoOn(ctx, work.GoOn{
		WorkspaceID: req.GetWorkspaceId(), SessionID: req.GetSessionId(), Fresh: true,
		ExpectedGeneration: req.GetExpectedGeneration(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.StartFreshResponse{Session: sessionToWire(begun.Session), Wakeup: wakeupToWire(begun.Wakeup)}, nil
}

// person names the caller for receipts and the audit: by what its credential is
// called, never by the credential.
func person(ctx context.Context) string {
	caller, _ := auth.CallerFrom(ctx)
	if caller.DisplayName != "" {
		return caller.DisplayName
	}
	return caller.TokenID
}
