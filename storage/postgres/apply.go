package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// apply writes a change to what was locked and returns the records as they
// are then. Each write is a compare-and-set on the version; all of them travel
// together at the end of the transaction.
func (t *tx) apply(ctx context.Context, l work.Locked, c work.Change) (work.Locked, error) {
	if err := t.followCooldown(ctx, l, c); err != nil {
		return l, err
	}
	if c.Session != nil {
		if err := t.saveSession(ctx, *c.Session, l.Session.Version); err != nil {
			return l, err
		}
		l.Session = *c.Session
	}
	if c.Wakeup != nil {
		if err := t.saveWakeup(ctx, l.Wakeup, *c.Wakeup); err != nil {
			return l, err
		}
		l.Wakeup = *c.Wakeup
	}
	if c.Run != nil {
		if err := t.saveRun(ctx, l.Run, c); err != nil {
			return l, err
		}
		l.Run = *c.Run
	}
	if c.Report != nil {
		if err := t.saveReport(ctx, l.Run, *c.Report, l.Now); err != nil {
			return l, err
		}
	}
	return l, t.emit(ctx, l.Session.WorkspaceID, l.Now, c.Events)
}

func (t *tx) saveSession(ctx context.Context, s work.Session, oldVersion int64) error {
	return t.later.UpdateSession(ctx, dbsqlc.UpdateSessionParams{
		WorkspaceID: s.WorkspaceID, SessionID: uuid.MustParse(s.ID), State: string(s.State), Generation: s.Generation,
		NativeSessionID: s.NativeSessionID, Replied: s.Replied, Version: s.Version, UpdatedAt: s.UpdatedAt, OldVersion: oldVersion,
	})
}

func (t *tx) saveWakeup(ctx context.Context, before, w work.Wakeup) error {
	lastRun, err := idOrNull(w.LastRunID)
	if err != nil {
		return err
	}
	waitsFor, err := idOrNull(w.WaitsForRunID)
	if err != nil {
		return err
	}
	err = t.later.UpdateWakeup(ctx, dbsqlc.UpdateWakeupParams{
		WorkspaceID: w.WorkspaceID, WakeupID: uuid.MustParse(w.ID), Status: string(w.Status), StatusReason: w.StatusReason,
		DueAt: orNull(w.DueAt), Attention: string(w.Attention), RunCount: int32(w.RunCount),
		TransientRetries: int32(w.Progress.Transient.Retries), TransientWaited: w.Progress.Transient.Waited,
		HardRetries: int32(w.Progress.Hard.Retries), HardWaited: w.Progress.Hard.Waited,
		ParkCount: int32(w.Progress.Parks), WaitedUs: w.Progress.WaitedTotal.Microseconds(), LastRunID: lastRun, LastCode: lastCode(w), SupervisorID: w.Supervisor.ID, HostID: w.Supervisor.HostID,
		NextSend: string(w.NextSend), NativeSessionID: w.NativeSessionID, Version: w.Version, UpdatedAt: w.UpdatedAt,
		EndedAt: orNull(w.EndedAt), RuntimeRetries: int32(w.Progress.Runtime), WaitsForRunID: waitsFor, OldVersion: before.Version,
	})
	if err != nil || before.LastClassification == w.LastClassification && before.LastDecision == w.LastDecision && before.ErrorMessage == w.ErrorMessage {
		return err
	}
	return t.saveDetails(ctx, w)
}

func (t *tx) saveDetails(ctx context.Context, w work.Wakeup) error {
	result, err := encode(w.LastClassification)
	if err != nil {
		return err
	}
	decision, err := encode(w.LastDecision)
	if err != nil {
		return err
	}
	return t.later.UpdateWakeupDetails(ctx, dbsqlc.UpdateWakeupDetailsParams{
		WorkspaceID: w.WorkspaceID, WakeupID: uuid.MustParse(w.ID),
		LastClassification: result, LastDecision: decision, ErrorMessage: w.ErrorMessage,
	})
}

func lastCode(w work.Wakeup) string {
	if w.LastClassification == nil {
		return ""
	}
	return string(w.LastClassification.Code)
}

func (t *tx) saveRun(ctx context.Context, before work.Run, c work.Change) error {
	r := *c.Run
	if c.NewRun {
		return t.insertRun(ctx, r, c.TokenHash)
	}
	return t.later.UpdateRun(ctx, dbsqlc.UpdateRunParams{
		WorkspaceID: r.WorkspaceID, RunID: uuid.MustParse(r.ID), State: string(r.State), Outcome: string(r.Outcome),
		LeaseExpiresAt: orNull(r.LeaseExpiresAt), GraceEndsAt: orNull(r.GraceEndsAt), HeartbeatAt: r.HeartbeatAt, Watched: watched(r),
		SendingAt: orNull(r.SendingAt), DeliveredAt: orNull(r.DeliveredAt), SettledAt: orNull(r.SettledAt),
		AssistantOutput: string(r.Effects.AssistantOutput), ToolActivity: string(r.Effects.ToolActivity),
		PartialResult: string(r.Effects.PartialResult), Delivery: string(r.Effects.Delivery),
		NativeSessionID: r.NativeSessionID, CostUsd: r.CostUSD, Late: r.Late, StopRequestedAt: orNull(r.StopRequestedAt), Version: r.Version, OldVersion: before.Version,
	})
}

func watched(r work.Run) bool { return !r.LeaseExpiresAt.IsZero() || !r.GraceEndsAt.IsZero() }

func (t *tx) insertRun(ctx context.Context, r work.Run, tokenHash []byte) error {
	return t.later.InsertRun(ctx, dbsqlc.InsertRunParams{
		WorkspaceID: r.WorkspaceID, RunID: uuid.MustParse(r.ID), WakeupID: uuid.MustParse(r.WakeupID), SessionID: uuid.MustParse(r.SessionID),
		Generation: r.Generation, Ordinal: int32(r.Ordinal), State: string(r.State), Outcome: string(r.Outcome), Send: string(r.Send),
		SupervisorID: r.Supervisor.ID, HostID: r.Supervisor.HostID, TokenHash: tokenHash,
		LeaseExpiresAt: orNull(r.LeaseExpiresAt), HeartbeatAt: r.HeartbeatAt, Watched: watched(r), ClaimedAt: r.ClaimedAt,
		AssistantOutput: string(r.Effects.AssistantOutput), ToolActivity: string(r.Effects.ToolActivity),
		PartialResult: string(r.Effects.PartialResult), Delivery: string(r.Effects.Delivery),
		NativeSessionID: r.NativeSessionID, CostUsd: r.CostUSD, Late: r.Late, Version: r.Version,
	})
}

func (t *tx) saveReport(ctx context.Context, r work.Run, rep work.Report, now time.Time) error {
	p := dbsqlc.SaveEvidenceParams{WorkspaceID: r.WorkspaceID, RunID: uuid.MustParse(r.ID), DecidedAt: now}
	var err error
	if p.Evidence, err = encode(rep.Evidence); err != nil {
		return err
	}
	if p.Classification, err = encode(rep.Classification); err != nil {
		return err
	}
	if p.Decision, err = encode(rep.Decision); err != nil {
		return err
	}
	if p.Facts, err = encode(rep.Facts); err != nil {
		return err
	}
	if rep.Facts != nil {
		p.Jitter = &rep.Jitter
	}
	return t.later.SaveEvidence(ctx, p)
}

// emit writes events without numbers; a later step numbers what is committed.
// All of one transaction share its instant, their ids keep their order.
func (t *tx) emit(ctx context.Context, workspaceID string, now time.Time, events []work.Event) error {
	if len(events) == 0 {
		return nil
	}
	p := dbsqlc.InsertEventsParams{WorkspaceID: workspaceID, OccurredAt: now}
	for _, e := range events {
		payload, err := json.Marshal(e.Payload)
		if err != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		p.EventIds = append(p.EventIds, id)
		p.EventTypes = append(p.EventTypes, e.Type)
		p.Payloads = append(p.Payloads, payload)
	}
	return t.later.InsertEvents(ctx, p)
}
