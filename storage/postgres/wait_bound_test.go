package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// The bound of all waits is stored with the prompt: every park begins a new
// cycle of retries, and none a new bound. Each decision replays as it was.
func TestTheBoundOfAllWaitsIsKeptAcrossParks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	store, ctx := open(t, func() time.Time { return now }), t.Context()
	id := func() string { return uuid.Must(uuid.NewV7()).String() }
	_, err := store.Bootstrap(ctx, access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: id(), Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	policy := work.PolicyChoice{Preset: work.PresetPatient, MaxWait: 10 * time.Minute}
	begun, err := store.BeginPrompt(ctx, work.Request{}, work.BeginPrompt{WorkspaceID: "default", Profile: work.Profile{AgentKind: "claude", Policy: policy}},
		work.BeginIDs{SessionID: id(), WakeupID: id()})
	require.NoError(t, err)
	settings := recovery.Defaults()
	var actions []recovery.Action
	var last work.Settled
	for last.Wakeup.Status != recovery.WakeupFailed {
		require.Less(t, len(actions), 20, "it must end")
		claim, err := store.ClaimWakeup(ctx, "default", begun.Wakeup.ID, work.ClaimRequest{RunID: id(), TokenHash: work.HashToken("lease"), Settings: settings})
		require.NoError(t, err)
		lease := work.Lease{WorkspaceID: "default", RunID: claim.Run.ID, Token: "lease"}
		_, err = store.BeginSend(ctx, lease, settings)
		require.NoError(t, err)
		last, err = store.FailRun(ctx, work.Request{}, lease, work.Failure{
			Token: "lease", Jitter: 0, Settings: settings, ErrorMessage: "overloaded",
			Result:   classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High},
			Envelope: evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: "overloaded"}}},
		})
		require.NoError(t, err)
		actions = append(actions, last.Run.Decision.Action)
		now = last.Wakeup.DueAt
		if now.IsZero() {
			now = begun.Wakeup.CreatedAt.Add(time.Hour)
		}
	}
	retry, park := recovery.ActionRetry, recovery.ActionPark
	require.Equal(t, []recovery.Action{retry, retry, retry, park, retry, retry, retry, park, retry, retry, retry, recovery.ActionStop}, actions)
	require.Equal(t, recovery.ReasonWaitTooLong, last.Run.Decision.Reason)
	require.Equal(t, 7*time.Minute, last.Wakeup.Progress.WaitedTotal, "2 and 5 minutes; 10 more were too many")

	attempts, err := store.ListAttempts(ctx, work.AttemptFilter{WorkspaceID: "default", Limit: 100})
	require.NoError(t, err)
	require.Len(t, attempts, len(actions))
	simulation := work.SimulatePolicy{Choice: &policy}
	for i, d := range simulation.Simulate(attempts, settings) {
		require.Equal(t, *d.Decided, d.Simulated, "attempt %d", i)
		require.False(t, d.Changed())
	}
}
