package crash

import (
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// The steps of the durable path, through the public API.

var (
	me      = &recoursev1.Supervisor{SupervisorId: "supervisor-1", HostId: "host"}
	another = &recoursev1.Supervisor{SupervisorId: "supervisor-2", HostId: "host"}
)

func beginRequest(requestID string) *recoursev1.BeginPromptRequest {
	return &recoursev1.BeginPromptRequest{
		RequestId: requestID, Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_CALLER, Supervisor: me,
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic"},
	}
}

func (m *machine) begin() *recoursev1.Wakeup {
	m.t.Helper()
	begun, err := m.client.Recovery.BeginPrompt(m.ctx(), beginRequest(""))
	require.NoError(m.t, err)
	return begun.GetWakeup()
}

func claimRequest(wakeupID string, by *recoursev1.Supervisor, wait time.Duration) *recoursev1.ClaimWakeupsRequest {
	return &recoursev1.ClaimWakeupsRequest{WakeupIds: []string{wakeupID}, Supervisor: by, TakeOver: by != me, Wait: durationpb.New(wait)}
}

func (m *machine) claim(wakeupID string, wait time.Duration) *recoursev1.Claim {
	m.t.Helper()
	answer, err := m.client.Recovery.ClaimWakeups(m.ctx(), claimRequest(wakeupID, me, wait))
	require.NoError(m.t, err)
	require.Len(m.t, answer.GetClaims(), 1)
	return answer.GetClaims()[0]
}

func (m *machine) beginSend(c *recoursev1.Claim) error {
	_, err := m.client.Recovery.BeginSend(m.ctx(), &recoursev1.BeginSendRequest{RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken()})
	return err
}

func (m *machine) markDelivered(c *recoursev1.Claim) error {
	_, err := m.client.Recovery.MarkDelivered(m.ctx(), &recoursev1.MarkDeliveredRequest{RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken()})
	return err
}

func (m *machine) deliver(c *recoursev1.Claim) {
	m.t.Helper()
	require.NoError(m.t, m.beginSend(c))
	require.NoError(m.t, m.markDelivered(c))
}

// overload is what a real CLI prints on a 529, without any effect.
func overload(c *recoursev1.Claim, requestID string) *recoursev1.ReportFailureRequest {
	none := recoursev1.Effect_EFFECT_NONE
	return &recoursev1.ReportFailureRequest{
		RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken(), RequestId: requestID,
		Envelope: &recoursev1.EvidenceEnvelope{
			AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT,
			Effects: &recoursev1.Effects{
				AssistantOutput: none, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED,
			},
			Signals: []*recoursev1.Signal{{Channel: &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{
				Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
			}}}},
		},
	}
}

// fail reports a failure that is retried in a few seconds.
func (m *machine) fail(c *recoursev1.Claim) *recoursev1.Wakeup {
	m.t.Helper()
	answer, err := m.client.Recovery.ReportFailure(m.ctx(), overload(c, ""))
	require.NoError(m.t, err)
	require.Equal(m.t, recoursev1.Action_ACTION_RETRY, answer.GetDecision().GetAction(), "%v", answer.GetDecision())
	return answer.GetWakeup()
}

func (m *machine) succeed(c *recoursev1.Claim) (*recoursev1.ReportSuccessResponse, error) {
	return m.client.Recovery.ReportSuccess(m.ctx(), &recoursev1.ReportSuccessRequest{RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken()})
}

func (m *machine) wakeup(id string) *recoursev1.Wakeup {
	m.t.Helper()
	answer, err := m.client.Recovery.GetWakeup(m.ctx(), &recoursev1.GetWakeupRequest{WakeupId: id})
	require.NoError(m.t, err)
	return answer.GetWakeup()
}

func (m *machine) runs(wakeupID string) []*recoursev1.Run {
	m.t.Helper()
	answer, err := m.client.Recovery.ListRuns(m.ctx(), &recoursev1.ListRunsRequest{WakeupId: wakeupID})
	require.NoError(m.t, err)
	return answer.GetRuns()
}

func (m *machine) refused(err error, reason fault.Reason) {
	m.t.Helper()
	require.Error(m.t, err)
	require.Equal(m.t, reason, fault.From(err).Reason, "%v", err)
}
