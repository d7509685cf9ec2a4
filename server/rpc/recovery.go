package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/service/classification"
	"github.com/recourse-dev/recourse/server/service/recovery"
)

// Recovery serves recourse.v1.RecoveryService.
type Recovery struct {
	Service recovery.API
	// Cursor encodes an event's position as the opaque cursor of the contract.
	Cursor func(work.Event) string
}

var _ recoursev1connect.RecoveryServiceHandler = Recovery{}

// BeginPrompt implements RecoveryService.
func (h Recovery) BeginPrompt(ctx context.Context, req *recoursev1.BeginPromptRequest) (*recoursev1.BeginPromptResponse, error) {
	begun, err := h.Service.BeginPrompt(ctx, work.BeginPrompt{
		WorkspaceID: req.GetWorkspaceId(), RequestID: req.GetRequestId(), SessionID: req.GetSessionId(),
		Profile: profileToDomain(req.GetProfile()), Supervisor: supervisorToDomain(req.GetSupervisor()),
		Delivery: deliveryModeTable.toDomain(req.GetDelivery()), Prompt: req.GetPrompt(), Send: sendTable.toDomain(req.GetSend()),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.BeginPromptResponse{Session: sessionToWire(begun.Session), Wakeup: wakeupToWire(begun.Wakeup)}, nil
}

// ClaimWakeups implements RecoveryService.
func (h Recovery) ClaimWakeups(ctx context.Context, req *recoursev1.ClaimWakeupsRequest) (*recoursev1.ClaimWakeupsResponse, error) {
	claims, err := h.Service.ClaimWakeups(ctx, work.ClaimWakeups{
		WorkspaceID: req.GetWorkspaceId(), WakeupIDs: req.GetWakeupIds(), Supervisor: supervisorToDomain(req.GetSupervisor()),
		TakeOver: req.GetTakeOver(), Wait: span(req.GetWait()), MaxClaims: int(req.GetMaxClaims()),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ClaimWakeupsResponse{NextDueAt: timestamp(claims.NextDueAt)}
	for _, claim := range claims.Claims {
		out.Claims = append(out.Claims, &recoursev1.Claim{Wakeup: wakeupToWire(claim.Wakeup), Run: runToWire(claim.Run), LeaseToken: claim.LeaseToken, Payload: claim.Payload})
	}
	return out, nil
}

// BeginSend implements RecoveryService.
func (h Recovery) BeginSend(ctx context.Context, req *recoursev1.BeginSendRequest) (*recoursev1.BeginSendResponse, error) {
	sending, err := h.Service.BeginSend(ctx, leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()))
	if err != nil {
		return nil, err
	}
	return &recoursev1.BeginSendResponse{Run: runToWire(sending.Run), SendWithin: durationpb.New(sending.SendWithin)}, nil
}

// MarkDelivered implements RecoveryService.
func (h Recovery) MarkDelivered(ctx context.Context, req *recoursev1.MarkDeliveredRequest) (*recoursev1.MarkDeliveredResponse, error) {
	run, err := h.Service.MarkDelivered(ctx, work.MarkDelivered{
		Lease: leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()), NativeSessionID: req.GetNativeSessionId(),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.MarkDeliveredResponse{Run: runToWire(run)}, nil
}

// RecordProgress implements RecoveryService.
func (h Recovery) RecordProgress(ctx context.Context, req *recoursev1.RecordProgressRequest) (*recoursev1.RecordProgressResponse, error) {
	run, err := h.Service.RecordProgress(ctx, work.RecordProgress{
		Lease:   leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()),
		Effects: effectsToDomain(req.GetEffects()), NativeSessionID: req.GetNativeSessionId(),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.RecordProgressResponse{Run: runToWire(run)}, nil
}

// ReportFailure implements RecoveryService.
func (h Recovery) ReportFailure(ctx context.Context, req *recoursev1.ReportFailureRequest) (*recoursev1.ReportFailureResponse, error) {
	envelope, native := classification.Interpret(envelopeToDomain(req.GetWorkspaceId(), req.GetEnvelope()))
	settled, err := h.Service.ReportFailure(ctx, work.ReportFailure{
		Lease:     leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()),
		RequestID: req.GetRequestId(), Envelope: envelope,
		NativeSessionID: orElse(req.GetNativeSessionId(), native), CostUSD: req.GetCostUsd(),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.ReportFailureResponse{
		Classification: classificationToWire(settled.Run.Classification), Decision: decisionToWire(settled.Run.Decision),
		Run: runToWire(settled.Run), Wakeup: wakeupToWire(settled.Wakeup),
	}, nil
}

// ReportSuccess implements RecoveryService.
func (h Recovery) ReportSuccess(ctx context.Context, req *recoursev1.ReportSuccessRequest) (*recoursev1.ReportSuccessResponse, error) {
	settled, err := h.Service.ReportSuccess(ctx, work.ReportSuccess{
		Lease:     leaseToDomain(req.GetWorkspaceId(), req.GetRunId(), req.GetLeaseToken()),
		RequestID: req.GetRequestId(), Effects: effectsToDomain(req.GetEffects()),
		NativeSessionID: req.GetNativeSessionId(), CostUSD: req.GetCostUsd(),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.ReportSuccessResponse{Run: runToWire(settled.Run), Wakeup: wakeupToWire(settled.Wakeup)}, nil
}

// CancelWait implements RecoveryService.
func (h Recovery) CancelWait(ctx context.Context, req *recoursev1.CancelWaitRequest) (*recoursev1.CancelWaitResponse, error) {
	wakeup, err := h.Service.CancelWait(ctx, work.CancelWait{
		WorkspaceID: req.GetWorkspaceId(), WakeupID: req.GetWakeupId(),
		ExpectedVersion: req.GetExpectedVersion(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.CancelWaitResponse{Wakeup: wakeupToWire(wakeup)}, nil
}

// Decide implements RecoveryService.
func (h Recovery) Decide(ctx context.Context, req *recoursev1.DecideRequest) (*recoursev1.DecideResponse, error) {
	envelope, native := classification.Interpret(envelopeToDomain(req.GetWorkspaceId(), req.GetEnvelope()))
	decided, err := h.Service.Decide(ctx, recovery.DecideInput{
		WorkspaceID: req.GetWorkspaceId(), Envelope: envelope, Policy: policyToDomain(req.GetPolicy()),
		RetriesUsed: int(req.GetRetriesUsed()), WaitsUsed: int(req.GetWaitsUsed()),
		NativeSessionID: orElse(req.GetNativeSessionId(), native),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.DecideResponse{
		Classification:      classificationToWire(&decided.Classification),
		Decision:            decisionToWire(&decided.Decision),
		ContinueInstruction: decided.ContinueInstruction,
	}, nil
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
