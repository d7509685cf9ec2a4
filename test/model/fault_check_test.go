package model

import (
	"reflect"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	service "github.com/recourse-dev/recourse/server/service/recovery"
)

func (s *site) requireKept(begun []work.Begun) {
	t := s.t
	t.Helper()
	ids := map[string]bool{}
	ambiguous := 0
	for _, b := range begun {
		require.False(t, ids[b.Wakeup.ID], "one request id, two wakeups")
		ids[b.Wakeup.ID] = true
		w, err := s.store.GetWakeup(t.Context(), workspace, b.Wakeup.ID)
		require.NoError(t, err, "an acknowledged prompt is lost")
		delivered := s.ledger[w.ID]
		if n, cancelled := s.closed[w.ID]; cancelled {
			require.Equal(t, recovery.WakeupCancelled, w.Status)
			require.Len(t, delivered, n, "delivered after the cancellation was acknowledged")
		}
		require.LessOrEqual(t, len(delivered), 4, "more than the budget allows")
		seen := map[string]bool{}
		for i, id := range delivered {
			require.False(t, seen[id], "one run is delivered twice")
			seen[id] = true
			run, err := s.store.GetRun(t.Context(), workspace, id)
			require.NoError(t, err)
			if i < len(delivered)-1 {
				require.Equal(t, recovery.OutcomeFailed, run.Outcome, "delivered again after a delivery that nobody answered for")
			}
			if said := s.answered[id]; said != "" && run.StopRequestedAt.IsZero() && !run.Late {
				require.Equal(t, said, string(run.Outcome), "what was acknowledged is not what is kept")
			}
		}
		switch w.Status {
		case recovery.WakeupCompleted:
			require.NotEmpty(t, delivered, "completed, and never delivered")
		case recovery.WakeupFailed:
			ambiguous++
			require.Equal(t, work.AttentionPerson, w.Attention)
		}
	}
	violations, err := s.store.FindViolations(t.Context(), workspace)
	require.NoError(t, err)
	require.Empty(t, violations)
	t.Logf("%d prompts, %d of them for a person; faults %v, %v", len(begun), ambiguous, s.faulty[0].faults, s.faulty[1].faults)
}

// requireEveryMethodCalled makes the calls that no use case made, and proves
// that a method which the wrapper does not know cannot go unnoticed.
func (s *site) requireEveryMethodCalled() {
	s.t.Helper()
	ctx, f := s.t.Context(), s.faulty[0]
	for _, f := range s.faulty {
		f.on.Store(false)
	}
	b := s.begin(ctx, -1)
	claims, err := s.services[0].ClaimWakeups(ctx, work.ClaimWakeups{WorkspaceID: workspace, WakeupIDs: []string{b.Wakeup.ID}, Supervisor: supervisors[0]})
	require.NoError(s.t, err)
	c := claims.Claims[0]
	_, err = f.ReleaseRun(ctx, work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}, s.services[0].Settings())
	require.NoError(s.t, err)
	_, err = s.services[0].ListRuns(ctx, work.ListRuns{WorkspaceID: workspace})
	require.NoError(s.t, err)
	_, err = f.WorkspaceIDs(ctx, "", 10)
	require.NoError(s.t, err)
	_, err = f.PruneWork(ctx, workspace, time.Now().Add(-time.Hour), 10)
	require.NoError(s.t, err)
	_, err = f.PruneHistory(ctx, workspace, time.Now().Add(-time.Hour), 10)
	require.NoError(s.t, err)
	store := reflect.TypeFor[service.Store]()
	for i := range store.NumMethod() {
		name := store.Method(i).Name
		require.NotZero(s.t, f.calls[name]+s.faulty[1].calls[name], "%s is never called through the wrapper", name)
	}
	for _, kind := range []string{faultError, faultTimeout, faultExecuted} {
		require.NotZero(s.t, f.faults[kind]+s.faulty[1].faults[kind], kind)
	}
}
