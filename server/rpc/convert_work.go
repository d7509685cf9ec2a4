package rpc

import (
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func profileToDomain(p *recoursev1.ProfileSnapshot) work.Profile {
	return work.Profile{
		AgentKind:    p.GetAgentKind(),
		AgentVersion: p.GetAgentVersion(),
		Provider:     p.GetProvider(),
		Model:        p.GetModel(),
		ArgvShape:    p.GetArgvShape(),
		Labels:       p.GetLabels(),
		Policy:       policyToDomain(p.GetPolicy()),
	}
}

func profileToWire(p work.Profile) *recoursev1.ProfileSnapshot {
	return &recoursev1.ProfileSnapshot{
		AgentKind:    p.AgentKind,
		AgentVersion: p.AgentVersion,
		Provider:     p.Provider,
		Model:        p.Model,
		ArgvShape:    p.ArgvShape,
		Labels:       p.Labels,
		Policy:       policyToWire(p.Policy),
	}
}

func supervisorToDomain(s *recoursev1.Supervisor) work.Supervisor {
	return work.Supervisor{ID: s.GetSupervisorId(), HostID: s.GetHostId()}
}

func supervisorToWire(s work.Supervisor) *recoursev1.Supervisor {
	return &recoursev1.Supervisor{SupervisorId: s.ID, HostId: s.HostID}
}

func sessionToWire(s work.Session) *recoursev1.Session {
	return &recoursev1.Session{
		SessionId:       s.ID,
		State:           sessionTable.toWire(s.State),
		Generation:      s.Generation,
		NativeSessionId: s.NativeSessionID,
		Version:         s.Version,
		CreatedAt:       timestamp(s.CreatedAt),
		UpdatedAt:       timestamp(s.UpdatedAt),
	}
}

func wakeupToWire(w work.Wakeup) *recoursev1.Wakeup {
	return &recoursev1.Wakeup{
		WakeupId:           w.ID,
		SessionId:          w.SessionID,
		Generation:         w.Generation,
		Status:             wakeupTable.toWire(w.Status),
		Source:             w.Source,
		StatusReason:       w.StatusReason,
		DueAt:              timestamp(w.DueAt),
		Attention:          attentionTable.toWire(w.Attention),
		RunCount:           count(w.RunCount),
		RetryCount:         count(w.RetryCount()),
		LastRunId:          w.LastRunID,
		LastClassification: classificationToWire(w.LastClassification),
		LastDecision:       decisionToWire(w.LastDecision),
		ErrorMessage:       utf8(w.ErrorMessage),
		Profile:            profileToWire(w.Profile),
		Supervisor:         supervisorToWire(w.Supervisor),
		NextSend:           sendTable.toWire(w.NextSend),
		NativeSessionId:    w.NativeSessionID,
		Version:            w.Version,
		CreatedAt:          timestamp(w.CreatedAt),
		UpdatedAt:          timestamp(w.UpdatedAt),
		EndedAt:            timestamp(w.EndedAt),
		SessionState:       sessionTable.toWire(w.SessionState),
		Delivery:           deliveryModeTable.toWire(w.Delivery),
		WaitsForRunId:      w.WaitsForRunID,
	}
}

func runToWire(r work.Run) *recoursev1.Run {
	return &recoursev1.Run{
		RunId:           r.ID,
		WakeupId:        r.WakeupID,
		SessionId:       r.SessionID,
		Generation:      r.Generation,
		Ordinal:         count(r.Ordinal),
		State:           runTable.toWire(r.State),
		Outcome:         outcomeTable.toWire(r.Outcome),
		Send:            sendTable.toWire(r.Send),
		Supervisor:      supervisorToWire(r.Supervisor),
		LeaseExpiresAt:  timestamp(r.LeaseExpiresAt),
		ClaimedAt:       timestamp(r.ClaimedAt),
		SendingAt:       timestamp(r.SendingAt),
		DeliveredAt:     timestamp(r.DeliveredAt),
		SettledAt:       timestamp(r.SettledAt),
		Effects:         effectsToWire(r.Effects),
		NativeSessionId: r.NativeSessionID,
		Evidence:        envelopeToWire(r.Evidence),
		Classification:  classificationToWire(r.Classification),
		Decision:        decisionToWire(r.Decision),
		Profile:         profileToWire(r.Profile),
		CostUsd:         r.CostUSD,
		Late:            r.Late,
		StopRequestedAt: timestamp(r.StopRequestedAt),
		Version:         r.Version,
	}
}

func leaseToDomain(workspaceID, runID, token string) work.Lease {
	return work.Lease{WorkspaceID: workspaceID, RunID: runID, Token: token}
}
