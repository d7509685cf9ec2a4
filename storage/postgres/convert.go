package postgres

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

func sessionOf(r dbsqlc.Session) work.Session {
	return work.Session{
		WorkspaceID: r.WorkspaceID, ID: r.SessionID.String(), State: recovery.SessionStatus(r.State), Generation: r.Generation,
		NativeSessionID: r.NativeSessionID, Replied: r.Replied, Version: r.Version,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// wakeupOf leaves out what wakeup_details and sessions hold.
func wakeupOf(r dbsqlc.Wakeup) work.Wakeup {
	w := work.Wakeup{
		WorkspaceID: r.WorkspaceID, ID: r.WakeupID.String(), SessionID: r.SessionID.String(), Generation: r.Generation,
		Status: recovery.WakeupStatus(r.Status), StatusReason: r.StatusReason, Source: r.Source, DueAt: instantOf(r.DueAt),
		Attention: work.Attention(r.Attention), RunCount: int(r.RunCount),
		Progress: recovery.Progress{
			Transient: recovery.ClassProgress{Retries: int(r.TransientRetries), Waited: r.TransientWaited},
			Hard:      recovery.ClassProgress{Retries: int(r.HardRetries), Waited: r.HardWaited},
			Runtime:   int(r.RuntimeRetries), Parks: int(r.ParkCount), WaitedTotal: time.Duration(r.WaitedUs) * time.Microsecond,
		},
		Supervisor: work.Supervisor{ID: r.SupervisorID, HostID: r.HostID},
		NextSend:   work.SendKind(r.NextSend), NativeSessionID: r.NativeSessionID, Version: r.Version,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), EndedAt: instantOf(r.EndedAt),
		Delivery: work.Delivery(r.Delivery),
	}
	if r.WaitsForRunID != nil {
		w.WaitsForRunID = r.WaitsForRunID.String()
	}
	if r.LastRunID != nil {
		w.LastRunID = r.LastRunID.String()
	}
	return w
}

// details adds what wakeup_details holds.
func details(w *work.Wakeup, profile, lastClassification, lastDecision []byte, errorMessage string) error {
	w.ErrorMessage = errorMessage
	if err := json.Unmarshal(profile, &w.Profile); err != nil {
		return err
	}
	var err error
	if w.LastClassification, err = decode[classification.Result](lastClassification); err != nil {
		return err
	}
	w.LastDecision, err = decode[recovery.Decision](lastDecision)
	return err
}

func runOf(r dbsqlc.Run) work.Run {
	return work.Run{
		WorkspaceID: r.WorkspaceID, ID: r.RunID.String(), WakeupID: r.WakeupID.String(), SessionID: r.SessionID.String(),
		Generation: r.Generation, Ordinal: int(r.Ordinal), State: recovery.RunStatus(r.State), Outcome: recovery.RunOutcome(r.Outcome),
		Send: work.SendKind(r.Send), Supervisor: work.Supervisor{ID: r.SupervisorID, HostID: r.HostID},
		LeaseExpiresAt: instantOf(r.LeaseExpiresAt), GraceEndsAt: instantOf(r.GraceEndsAt), HeartbeatAt: r.HeartbeatAt.UTC(),
		ClaimedAt: r.ClaimedAt.UTC(), SendingAt: instantOf(r.SendingAt), DeliveredAt: instantOf(r.DeliveredAt), SettledAt: instantOf(r.SettledAt),
		Effects: evidence.Effects{
			AssistantOutput: evidence.Effect(r.AssistantOutput), ToolActivity: evidence.Effect(r.ToolActivity),
			PartialResult: evidence.Effect(r.PartialResult), Delivery: evidence.Delivery(r.Delivery),
		},
		NativeSessionID: r.NativeSessionID, CostUSD: r.CostUsd, Late: r.Late, StopRequestedAt: instantOf(r.StopRequestedAt), Version: r.Version,
	}
}

// report adds what run_evidence holds.
func report(r *work.Run, envelope, result, decision []byte) error {
	var err error
	if r.Evidence, err = decode[evidence.Envelope](envelope); err != nil {
		return err
	}
	if r.Classification, err = decode[classification.Result](result); err != nil {
		return err
	}
	r.Decision, err = decode[recovery.Decision](decision)
	return err
}

// decode gives nil for NULL.
func decode[T any](raw []byte) (*T, error) {
	if raw == nil {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(raw, v); err != nil {
		return nil, err
	}
	return v, nil
}

// encode gives NULL for nil.
func encode[T any](v *T) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	return json.Marshal(v)
}

func instantOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// idOf parses an id; what is no id names nothing.
func idOf(id string) (uuid.UUID, error) {
	u, err := uuid.Parse(id)
	if err != nil {
		return uuid.UUID{}, errNoRows
	}
	return u, nil
}

// idOrNull is for filters and references that may be absent.
func idOrNull(id string) (*uuid.UUID, error) {
	if id == "" {
		return nil, nil
	}
	u, err := idOf(id)
	return &u, err
}
