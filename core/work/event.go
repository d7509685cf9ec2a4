package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// EventTextBytes bounds an error message in an event; the whole one is on the wakeup.
const EventTextBytes = 2 << 10

var noTime time.Time

func wakeupUpdated(w Wakeup) Event {
	payload := map[string]any{"wakeup_id": w.ID, "status": string(w.Status)}
	withErrorMessage(payload, w.Status.Ended() && w.Status != recovery.WakeupCompleted, w.ErrorMessage)
	return Event{Type: EventWakeupUpdated, Payload: payload}
}

func sessionUpdated(s Session, errorMessage string) Event {
	payload := map[string]any{"session_id": s.ID, "state": string(s.State)}
	withErrorMessage(payload, s.State == recovery.SessionFailed, errorMessage)
	return Event{Type: EventSessionUpdated, Payload: payload}
}

func withErrorMessage(payload map[string]any, failed bool, message string) {
	if failed && message != "" {
		payload["error_message"], _ = evidence.Cut(message, EventTextBytes)
	}
}

// personActed is the audit of what a person did about a wakeup. It has no class:
// no failure led to it.
func personActed(action UserAction, by string, w Wakeup) Event {
	payload := map[string]any{
		"wakeup_id": w.ID, "session_id": w.SessionID, "action": string(action), "actor": by,
	}
	if w.LastRunID != "" {
		payload["run_id"] = w.LastRunID
	}
	if !w.DueAt.IsZero() {
		payload["retry_at"] = instant(w.DueAt)
	}
	return Event{Type: EventRecoveryUpdated, Payload: payload}
}

func recoveryUpdated(wakeupID, runID string, report Report) Event {
	d := report.Decision
	payload := map[string]any{
		"wakeup_id": wakeupID, "run_id": runID, "action": string(d.Action),
		"ordinal": d.Ordinal, "max_attempts": d.MaxAttempts,
	}
	payload["code"], payload["class"] = string(classification.Unclassified), string(classification.ClassUnclassified)
	if c := report.Classification; c != nil {
		payload["code"], payload["class"] = string(c.Code), string(c.Class)
	}
	if !d.RetryAt.IsZero() {
		payload["retry_at"] = instant(d.RetryAt)
	}
	if d.Action == recovery.ActionPark {
		payload["park_reason"] = string(d.ParkReason)
	}
	if d.Action == recovery.ActionStop {
		payload["stop_reason"] = string(d.Reason)
	}
	return Event{Type: EventRecoveryUpdated, Payload: payload}
}
