package wire

import (
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
)

var statuses = map[journal.Phase]v1.WakeupStatus{
	journal.PhaseQueued:    v1.WakeupStatus_WAKEUP_STATUS_QUEUED,
	journal.PhaseSending:   v1.WakeupStatus_WAKEUP_STATUS_RUNNING,
	journal.PhaseDelivered: v1.WakeupStatus_WAKEUP_STATUS_RUNNING,
	journal.PhaseEnded:     v1.WakeupStatus_WAKEUP_STATUS_RUNNING,
	journal.PhaseWaiting:   v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY,
	journal.PhaseStopped:   v1.WakeupStatus_WAKEUP_STATUS_FAILED,
	journal.PhaseCompleted: v1.WakeupStatus_WAKEUP_STATUS_COMPLETED,
	journal.PhaseCancelled: v1.WakeupStatus_WAKEUP_STATUS_CANCELLED,
	journal.PhaseContinued: v1.WakeupStatus_WAKEUP_STATUS_CANCELLED,
}

// Wakeup is what this host's journal knows of a wakeup, as the API would show it.
func Wakeup(s journal.State) *v1.Wakeup {
	w := &v1.Wakeup{
		WakeupId: s.Prompt.WakeupID, SessionId: s.Prompt.SessionID, Generation: s.Prompt.Generation,
		Status: statuses[s.Phase], Source: "user_prompt", RunCount: int32(s.Runs), LastRunId: s.RunID,
		Profile:         &v1.ProfileSnapshot{AgentKind: s.Prompt.AgentKind},
		Supervisor:      &v1.Supervisor{SupervisorId: s.SupervisorID, HostId: s.Prompt.HostID},
		NativeSessionId: s.Session, CreatedAt: instant(s.Prompt.CreatedAt), UpdatedAt: instant(s.UpdatedAt),
		DueAt: instant(s.RetryAt),
	}
	switch s.Phase {
	case journal.PhaseWaiting:
		w.Attention = v1.Attention_ATTENTION_DEADLINE
	case journal.PhaseStopped:
		w.Attention = v1.Attention_ATTENTION_PERSON
	}
	if s.Phase.Ended() {
		w.EndedAt = instant(s.UpdatedAt)
	}
	if len(s.Decided.Decision) > 0 {
		w.LastClassification, w.LastDecision = &v1.Classification{}, &v1.Decision{}
		// Both were written by this program; what cannot be read stays empty.
		_ = Parse(s.Decided.Classification, w.LastClassification)
		_ = Parse(s.Decided.Decision, w.LastDecision)
	}
	return w
}

// LastReport is the evidence of the last run that ended, nil if none has.
func LastReport(s journal.State) *v1.EvidenceEnvelope {
	var report v1.EvidenceEnvelope
	if len(s.Last.Report) == 0 || Parse(s.Last.Report, &report) != nil {
		return nil
	}
	return &report
}
