package postgres_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// A stored decision can be made again from what was stored with it.
func TestADecisionReplays(t *testing.T) {
	t.Parallel()
	store, ctx := open(t, nil), t.Context()
	id := func() string { return uuid.Must(uuid.NewV7()).String() }
	_, err := store.Bootstrap(ctx, access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: id(), Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	begun, err := store.BeginPrompt(ctx, work.Request{}, work.BeginPrompt{WorkspaceID: "default", Profile: work.Profile{AgentKind: "codex"}},
		work.BeginIDs{SessionID: id(), WakeupID: id()})
	require.NoError(t, err)
	settings := recovery.Defaults()
	claim, err := store.ClaimWakeup(ctx, "default", begun.Wakeup.ID, work.ClaimRequest{RunID: id(), TokenHash: work.HashToken("lease"), Settings: settings})
	require.NoError(t, err)
	lease := work.Lease{WorkspaceID: "default", RunID: claim.Run.ID, Token: "lease"}
	_, err = store.GetDecisionInputs(ctx, "default", claim.Run.ID)
	require.Error(t, err)
	_, err = store.BeginSend(ctx, lease, settings)
	require.NoError(t, err)
	result := classification.Result{Code: classification.ModelCapacity, Class: classification.ClassTransient, Confidence: classification.High, RuleID: "r"}
	_, err = store.FailRun(ctx, work.Request{}, lease, work.Failure{
		Token: "lease", Result: result, Jitter: 0.7319, Settings: settings, ErrorMessage: "no capacity",
		Envelope: evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: "no capacity"}}},
	})
	require.NoError(t, err)
	run, err := store.GetRun(ctx, "default", claim.Run.ID)
	require.NoError(t, err)
	inputs, err := store.GetDecisionInputs(ctx, "default", claim.Run.ID)
	require.NoError(t, err)
	replayed := recovery.Decide(inputs.Facts, *run.Classification, settings, inputs.At, inputs.Jitter)
	require.Equal(t, *run.Decision, replayed)
	require.Equal(t, recovery.ActionRetry, replayed.Action)
	require.NotEqual(t, replayed.RetryAt, recovery.Decide(inputs.Facts, *run.Classification, settings, inputs.At, 0).RetryAt, "the jitter is part of it")
}
