package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// After effects a worker's next run begins a session of its own, and what it
// is given to send is never the bare prompt.
func TestAWorkerIsGivenAFreshStartAfterEffects(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.beginForWorkers(nil)
	first := w.claim("")
	require.Equal(t, "mend the build", first.GetPayload())
	acted := overloaded()
	acted.effect = seen
	failed := w.fail(w.deliver(first), acted)
	require.Equal(t, v1.Boundary_BOUNDARY_CONTINUATION, failed.GetDecision().GetBoundary())
	require.Equal(t, v1.SendKind_SEND_KIND_FRESH, failed.GetDecision().GetSend())
	require.Equal(t, v1.SendKind_SEND_KIND_FRESH, failed.GetWakeup().GetNextSend())
	second := w.claim("")
	require.Equal(t, id, second.GetWakeup().GetWakeupId())
	require.Equal(t, v1.SendKind_SEND_KIND_FRESH, second.GetRun().GetSend())
	require.Empty(t, second.GetRun().GetNativeSessionId())
	require.True(t, strings.HasPrefix(second.GetPayload(), recovery.FreshInstruction))
	require.True(t, strings.HasSuffix(second.GetPayload(), "mend the build"))
	// That run proves nothing about the one before it.
	again := w.fail(w.deliver(second), overloaded())
	require.Equal(t, v1.SendKind_SEND_KIND_FRESH, again.GetWakeup().GetNextSend())
}

// A host that cannot start the agent is the worker pool's to try again.
func TestAStartThatFailedIsTriedAgainByTheWorkerPool(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.beginForWorkers(nil)
	claim := w.claim("")
	noProcess := failure{effect: none, phase: v1.Phase_PHASE_LAUNCH, signals: []*v1.Signal{
		{Channel: &v1.Signal_ProcessExit{ProcessExit: &v1.ProcessExitSignal{SpawnError: "fork/exec /opt/agent: no such file or directory"}}},
	}}
	_, err := w.c.Recovery.BeginSend(t.Context(), &v1.BeginSendRequest{RunId: claim.GetRun().GetRunId(), LeaseToken: claim.GetLeaseToken()})
	require.NoError(t, err)
	answer := w.fail(claim, noProcess)
	require.Equal(t, v1.Code_CODE_AGENT_RUNTIME_ERROR, answer.GetClassification().GetCode(), "%v", answer.GetClassification())
	require.Equal(t, "launch_retry", answer.GetDecision().GetReason())
	require.Equal(t, v1.RunOutcome_RUN_OUTCOME_NOT_SENT, answer.GetRun().GetOutcome())
	require.EqualValues(t, []int32{1, 3}, []int32{answer.GetDecision().GetOrdinal(), answer.GetDecision().GetMaxAttempts()})
	delay := answer.GetDecision().GetRetryAt().AsTime().Sub(answer.GetRun().GetSettledAt().AsTime())
	require.GreaterOrEqual(t, delay, 2*time.Minute-time.Millisecond)
	require.LessOrEqual(t, delay, 2*time.Minute+24*time.Second+time.Millisecond)
	stored := w.wakeup(id)
	require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, stored.GetStatus())
	require.Zero(t, stored.GetRetryCount())
}
