package durable

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

var me = &recoursev1.Supervisor{SupervisorId: "supervisor", HostId: "host"}

func dial(t *testing.T, s *servertest.Server, protocol client.Protocol) *client.Client {
	t.Helper()
	c, err := client.New(s.URL, s.AdminToken, client.WithProtocol(protocol))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func begin(t *testing.T, c *client.Client, policy *recoursev1.PolicyChoice) *recoursev1.Wakeup {
	t.Helper()
	answer, err := c.Recovery.BeginPrompt(t.Context(), &recoursev1.BeginPromptRequest{
		Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_CALLER, Supervisor: me,
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Policy: policy},
	})
	require.NoError(t, err)
	return answer.GetWakeup()
}

// deliver claims, sends and delivers.
func deliver(t *testing.T, c *client.Client, wakeupID string) *recoursev1.Claim {
	t.Helper()
	answer, err := c.Recovery.ClaimWakeups(t.Context(), &recoursev1.ClaimWakeupsRequest{
		WakeupIds: []string{wakeupID}, Supervisor: me, Wait: durationpb.New(30 * time.Second),
	})
	require.NoError(t, err)
	require.Len(t, answer.GetClaims(), 1)
	claim := answer.GetClaims()[0]
	run, token := claim.GetRun().GetRunId(), claim.GetLeaseToken()
	sending, err := c.Recovery.BeginSend(t.Context(), &recoursev1.BeginSendRequest{RunId: run, LeaseToken: token})
	require.NoError(t, err)
	require.Equal(t, 20*time.Second, sending.GetSendWithin().AsDuration(), "the lease without the margin")
	_, err = c.Recovery.MarkDelivered(t.Context(), &recoursev1.MarkDeliveredRequest{RunId: run, LeaseToken: token, NativeSessionId: "native"})
	require.NoError(t, err)
	return claim
}

const (
	none = recoursev1.Effect_EFFECT_NONE
	seen = recoursev1.Effect_EFFECT_SEEN
)

func effects(tools recoursev1.Effect) *recoursev1.Effects {
	return &recoursev1.Effects{AssistantOutput: none, ToolActivity: tools, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED}
}

func response(status int32, body string, headers map[string]string) *recoursev1.Signal {
	return &recoursev1.Signal{Channel: &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{Status: status, Body: body, Headers: headers}}}
}

func overloaded() *recoursev1.Signal {
	return response(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, nil)
}

func fail(t *testing.T, c *client.Client, claim *recoursev1.Claim, e *recoursev1.Effects, signals ...*recoursev1.Signal) *recoursev1.ReportFailureResponse {
	t.Helper()
	answer, err := c.Recovery.ReportFailure(t.Context(), &recoursev1.ReportFailureRequest{
		RunId: claim.GetRun().GetRunId(), LeaseToken: claim.GetLeaseToken(), RequestId: "fail-" + claim.GetRun().GetRunId(),
		Envelope: &recoursev1.EvidenceEnvelope{
			AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT, Effects: e, Signals: signals,
		},
	})
	require.NoError(t, err)
	return answer
}

// rest reads a resource as JSON into its answer message.
func rest(t *testing.T, s *servertest.Server, path string, into proto.Message) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/v1/workspaces/default"+path, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+s.AdminToken)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", body)
	require.NoError(t, protojson.Unmarshal(body, into))
}

func same(t *testing.T, want, got proto.Message) {
	t.Helper()
	require.True(t, proto.Equal(want, got), "want %v\n got %v", want, got)
}

func TestAFailureIsRetriedAndFinishedByEveryProtocol(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, protocol := range []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			c := dial(t, s, protocol)
			id := begin(t, c, nil).GetWakeupId()
			failed := fail(t, c, deliver(t, c, id), effects(none), overloaded())
			require.Equal(t, recoursev1.Code_CODE_PROVIDER_OVERLOADED, failed.GetClassification().GetCode())
			require.Equal(t, recoursev1.Action_ACTION_RETRY, failed.GetDecision().GetAction())
			require.NotEmpty(t, failed.GetClassification().GetRuleId())
			delay := failed.GetDecision().GetRetryAt().AsTime().Sub(failed.GetRun().GetSettledAt().AsTime())
			require.GreaterOrEqual(t, delay, 5*time.Second-time.Millisecond)
			require.LessOrEqual(t, delay, 6*time.Second+time.Millisecond)
			second := deliver(t, c, id)
			require.False(t, second.GetRun().GetClaimedAt().AsTime().Before(failed.GetDecision().GetRetryAt().AsTime()))
			_, err := c.Recovery.ReportSuccess(t.Context(), &recoursev1.ReportSuccessRequest{
				RunId: second.GetRun().GetRunId(), LeaseToken: second.GetLeaseToken(), Effects: effects(seen), CostUsd: 0.5,
			})
			require.NoError(t, err)
			readsTheSame(t, s, c, id)
		})
	}
}

// readsTheSame compares what REST and a protocol say about a wakeup and its runs.
func readsTheSame(t *testing.T, s *servertest.Server, c *client.Client, id string) {
	t.Helper()
	w, err := c.Recovery.GetWakeup(t.Context(), &recoursev1.GetWakeupRequest{WakeupId: id})
	require.NoError(t, err)
	require.Equal(t, recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED, w.GetWakeup().GetStatus())
	var byREST recoursev1.GetWakeupResponse
	rest(t, s, "/wakeups/"+id, &byREST)
	same(t, w, &byREST)
	runs, err := c.Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{WakeupId: id})
	require.NoError(t, err)
	require.Len(t, runs.GetRuns(), 2)
	var listed recoursev1.ListRunsResponse
	rest(t, s, "/runs?wakeupId="+id, &listed)
	same(t, runs, &listed)
	for _, r := range runs.GetRuns() {
		run, err := c.Recovery.GetRun(t.Context(), &recoursev1.GetRunRequest{RunId: r.GetRunId()})
		require.NoError(t, err)
		var one recoursev1.GetRunResponse
		rest(t, s, "/runs/"+r.GetRunId(), &one)
		same(t, run, &one)
	}
	first, err := c.Recovery.GetRun(t.Context(), &recoursev1.GetRunRequest{RunId: runs.GetRuns()[1].GetRunId()})
	require.NoError(t, err)
	require.NotEmpty(t, first.GetRun().GetEvidence().GetSignals())
	require.NotEmpty(t, first.GetRun().GetDecision().GetBecause())
}

func TestEffectsDecideWhatIsSentNext(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := dial(t, s, client.Connect)
	acted := fail(t, c, deliver(t, c, begin(t, c, nil).GetWakeupId()), effects(seen), overloaded())
	require.Equal(t, recoursev1.Boundary_BOUNDARY_NATIVE_RESUME, acted.GetDecision().GetBoundary())
	require.Equal(t, recoursev1.SendKind_SEND_KIND_CONTINUE, acted.GetWakeup().GetNextSend())
	require.Equal(t, "native", acted.GetWakeup().GetNativeSessionId())
	safe := begin(t, c, &recoursev1.PolicyChoice{ReplaySafe: true})
	unknown := fail(t, c, deliver(t, c, safe.GetWakeupId()), effects(none), overloaded())
	require.Equal(t, recoursev1.SendKind_SEND_KIND_PROMPT, unknown.GetWakeup().GetNextSend())
}

func TestAWaitForAResetNeedsConsent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := dial(t, s, client.GRPC)
	limit := response(429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit."}}`,
		map[string]string{"retry-after": "1200"})
	stopped := fail(t, c, deliver(t, c, begin(t, c, nil).GetWakeupId()), effects(none), limit)
	require.Equal(t, recoursev1.Action_ACTION_STOP, stopped.GetDecision().GetAction(), "%v", stopped)
	require.Equal(t, recoursev1.Attention_ATTENTION_PERSON, stopped.GetWakeup().GetAttention())
	require.Nil(t, stopped.GetWakeup().GetDueAt())
}

func TestAWatcherSeesThePathAsItHappens(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, protocol := range []client.Protocol{client.Connect, client.GRPC} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			c := dial(t, s, protocol)
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			stream, err := c.Recovery.WatchEvents(ctx, &recoursev1.WatchEventsRequest{Types: []string{"office.wakeup.updated", "recovery.updated"}})
			require.NoError(t, err)
			first, err := stream.Receive()
			require.NoError(t, err)
			require.NotNil(t, first.GetHeartbeat().GetServerTime())
			id := begin(t, c, nil).GetWakeupId()
			fail(t, c, deliver(t, c, id), effects(none), overloaded())
			var story []string
			for len(story) < 4 {
				message, err := stream.Receive()
				require.NoError(t, err)
				payload := message.GetEvent().GetPayload().AsMap()
				switch {
				case payload["wakeup_id"] != id: // another test's
				case message.GetEvent().GetType() == "recovery.updated":
					story = append(story, payload["action"].(string))
				default:
					story = append(story, payload["status"].(string))
				}
			}
			require.Equal(t, []string{"queued", "running", "scheduled_retry", "retry"}, story)
		})
	}
}
