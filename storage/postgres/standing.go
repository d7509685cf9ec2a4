package postgres

import (
	"context"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// GetSessionRecovery fails with SESSION_NOT_FOUND.
func (s *Store) GetSessionRecovery(ctx context.Context, workspaceID, sessionID string) (work.SessionRecovery, error) {
	var found work.SessionRecovery
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		id, err := idOf(sessionID)
		if err != nil {
			return err
		}
		row, err := q.GetSessionStanding(ctx, dbsqlc.GetSessionStandingParams{WorkspaceID: workspaceID, SessionID: id, Now: s.at()})
		if err != nil {
			return err
		}
		found, err = standingOf(dbsqlc.ListStandingsRow(row))
		return err
	})
	return found, absent(err, fault.ReasonSessionNotFound, "session", "session_id", sessionID)
}

// ListRecoveries returns the sessions that wait or need a person, the latest
// change first.
func (s *Store) ListRecoveries(ctx context.Context, f work.RecoveryFilter) ([]work.SessionRecovery, error) {
	before, err := idOrNull(f.BeforeID)
	if err != nil {
		return nil, nil // a mark that is no id is after everything
	}
	var list []work.SessionRecovery
	err = s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListStandings(ctx, dbsqlc.ListStandingsParams{
			WorkspaceID: f.WorkspaceID, Attention: string(f.Attention), BeforeAt: orNull(f.BeforeAt), BeforeID: before,
			Now: s.at(), RowLimit: int32(f.Limit),
		})
		list = make([]work.SessionRecovery, 0, len(rows))
		for _, r := range rows {
			one, err := standingOf(r)
			if err != nil {
				return err
			}
			list = append(list, one)
		}
		return err
	})
	return list, err
}

// standingOf leaves out of the run what nobody asks for in a list.
func standingOf(r dbsqlc.ListStandingsRow) (work.SessionRecovery, error) {
	st := work.Standing{Session: sessionOf(r.Session), Wakeup: wakeupOf(r.Wakeup), Sent: r.Sent, AgentVersion: r.AgentVersion}
	st.Wakeup.SessionState = st.Session.State
	if err := details(&st.Wakeup, r.Profile, r.LastClassification, r.LastDecision, r.ErrorMessage); err != nil {
		return work.SessionRecovery{}, err
	}
	if st.Wakeup.LastRunID != "" {
		st.Run = work.Run{
			WorkspaceID: st.Wakeup.WorkspaceID, ID: st.Wakeup.LastRunID, WakeupID: st.Wakeup.ID, SessionID: st.Session.ID,
			Generation: st.Wakeup.Generation, State: recovery.RunStatus(r.RunState), Outcome: recovery.RunOutcome(r.RunOutcome),
			Version: r.RunVersion, StopRequestedAt: instantOf(r.StopRequestedAt), NativeSessionID: r.RunNativeSessionID,
			Effects: evidence.Effects{AssistantOutput: evidence.Effect(r.AssistantOutput), ToolActivity: evidence.Effect(r.ToolActivity)},
		}
	}
	return work.SessionRecovery{
		Session: st.Session, Wakeup: st.Wakeup, Run: st.Run, Actions: st.Actions(), Now: r.ReadAt.UTC(),
	}, nil
}
