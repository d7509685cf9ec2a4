package serve

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/server/service/recovery"
)

var supervisor = &recoursev1.Supervisor{SupervisorId: "s", HostId: "h"}

func claimOf(wakeupID string, wait time.Duration) *recoursev1.ClaimWakeupsRequest {
	return &recoursev1.ClaimWakeupsRequest{WakeupIds: []string{wakeupID}, Supervisor: supervisor, Wait: durationpb.New(wait)}
}

// scheduledRetry makes a wakeup that is due in 50 seconds: its agent met an
// overload before it did anything.
func scheduledRetry(t *testing.T, c *client.Client) string {
	t.Helper()
	ctx := t.Context()
	begun, err := c.Recovery.BeginPrompt(ctx, &recoursev1.BeginPromptRequest{
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude"}, Supervisor: supervisor,
	})
	require.NoError(t, err)
	wakeupID := begun.GetWakeup().GetWakeupId()
	claims, err := c.Recovery.ClaimWakeups(ctx, claimOf(wakeupID, 0))
	require.NoError(t, err)
	run, lease := claims.GetClaims()[0].GetRun().GetRunId(), claims.GetClaims()[0].GetLeaseToken()
	_, err = c.Recovery.BeginSend(ctx, &recoursev1.BeginSendRequest{RunId: run, LeaseToken: lease})
	require.NoError(t, err)
	_, err = c.Recovery.MarkDelivered(ctx, &recoursev1.MarkDeliveredRequest{RunId: run, LeaseToken: lease})
	require.NoError(t, err)
	none := recoursev1.Effect_EFFECT_NONE
	failed, err := c.Recovery.ReportFailure(ctx, &recoursev1.ReportFailureRequest{
		RunId: run, LeaseToken: lease,
		Envelope: &recoursev1.EvidenceEnvelope{
			AgentKind: "claude", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT,
			Effects: &recoursev1.Effects{AssistantOutput: none, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED},
			Signals: []*recoursev1.Signal{{Channel: &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{
				Status: 529, Headers: map[string]string{"retry-after": "50"}, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
			}}}},
		},
	})
	require.NoError(t, err)
	require.Equal(t, recoursev1.Action_ACTION_RETRY, failed.GetDecision().GetAction(), "%v", failed.GetDecision())
	return wakeupID
}

// signalling tells when a claim that waits has arrived.
type signalling struct {
	recovery.API
	arrived chan<- struct{}
}

func (s signalling) ClaimWakeups(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	if in.Wait > 0 {
		s.arrived <- struct{}{}
	}
	return s.API.ClaimWakeups(ctx, in)
}

// A claim that waits is told that the server stops.
func TestAWaitingClaimIsToldOfTheStop(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	s, err := Start(t.Context(), testConfig(t), Options{Version: "test", Log: slog.New(slog.DiscardHandler), Handlers: func(h rpc.Handlers) rpc.Handlers {
		h.Recovery.Service = signalling{h.Recovery.Service, arrived}
		return h
	}})
	require.NoError(t, err)
	c, err := client.New(s.URL(), s.FirstToken)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	wakeup := scheduledRetry(t, c)
	result := make(chan error, 1)
	go func() {
		_, err := c.Recovery.ClaimWakeups(context.WithoutCancel(t.Context()), claimOf(wakeup, 30*time.Second))
		result <- err
	}()
	<-arrived
	require.NoError(t, s.Stop())
	err = <-result
	require.True(t, fault.Is(err, fault.ReasonShuttingDown), "%v", err)
}
