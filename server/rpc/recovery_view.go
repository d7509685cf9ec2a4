package rpc

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// GetSessionRecovery implements RecoveryService.
func (h Recovery) GetSessionRecovery(ctx context.Context, req *recoursev1.GetSessionRecoveryRequest) (*recoursev1.GetSessionRecoveryResponse, error) {
	found, err := h.Service.GetSessionRecovery(ctx, req.GetWorkspaceId(), req.GetSessionId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetSessionRecoveryResponse{Recovery: recoveryToWire(found)}, nil
}

// ListRecoveries implements RecoveryService.
func (h Recovery) ListRecoveries(ctx context.Context, req *recoursev1.ListRecoveriesRequest) (*recoursev1.ListRecoveriesResponse, error) {
	page, err := h.Service.ListRecoveries(ctx, work.ListRecoveries{
		WorkspaceID: req.GetWorkspaceId(), PageSize: int(req.GetPageSize()), PageToken: req.GetPageToken(),
		Attention: attentionTable.toDomain(req.GetAttention()),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListRecoveriesResponse{NextPageToken: page.NextPageToken}
	for _, r := range page.Recoveries {
		out.Recoveries = append(out.Recoveries, recoveryToWire(r))
	}
	return out, nil
}

func recoveryToWire(r work.SessionRecovery) *recoursev1.SessionRecovery {
	out := &recoursev1.SessionRecovery{
		Session: sessionToWire(r.Session), WakeupId: r.Wakeup.ID, WakeupVersion: r.Wakeup.Version,
		Status: wakeupTable.toWire(r.Wakeup.Status), Attention: attentionTable.toWire(r.Wakeup.Attention),
		Generation: r.Wakeup.Generation, RetryAt: timestamp(r.RetryAt()),
		RunId: r.Run.ID, RunVersion: r.Run.Version, RunState: runTable.toWire(r.Run.State), RunOutcome: outcomeTable.toWire(r.Run.Outcome),
		Provider: r.Wakeup.Profile.Provider, Model: r.Wakeup.Profile.Model, UpdatedAt: timestamp(r.Wakeup.UpdatedAt),
		Wakeup: wakeupToWire(r.Wakeup),
	}
	if c := classificationToWire(r.Wakeup.LastClassification); c != nil {
		out.Code, out.Class = c.GetCode(), c.GetClass()
	}
	if d := decisionToWire(r.Wakeup.LastDecision); d != nil {
		out.Disposition, out.Reason, out.Receipt, out.Remedy = d.GetAction(), d.GetReason(), d.GetReceipt(), d.GetRemedy()
		out.Ordinal, out.MaxAttempts = d.GetOrdinal(), d.GetMaxAttempts()
	}
	for _, a := range r.Actions {
		out.Actions = append(out.Actions, userActionTable.toWire(a))
	}
	return out
}
