package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// post calls REST and returns status and body.
func post(t *testing.T, s *servertest.Server, path string, body any) (int, map[string]any) {
	t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/workspaces/default/"+path, bytes.NewReader(raw))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+s.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	out := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &out), "%s", text)
	return answer.StatusCode, out
}

func TestAnyProtocolClaimsWhatAnyBegan(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, protocol := range []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb} {
		c := s.Client(t, s.Token(t, recoursev1.Role_ROLE_ADMIN), client.WithProtocol(protocol))
		prompt := "begun by REST, claimed by " + string(protocol) + "\n\U0001F980"
		status, begun := post(t, s, "prompts:begin", map[string]any{
			"delivery": "DELIVERY_MODE_WORKER", "prompt": prompt, "profile": map[string]any{"agentKind": "claude"},
		})
		require.Equal(t, http.StatusOK, status, "%v", begun)
		answer, err := c.Recovery.ClaimWakeups(t.Context(), &recoursev1.ClaimWakeupsRequest{Supervisor: host, Wait: durationpb.New(10 * time.Second)})
		require.NoError(t, err)
		require.Len(t, answer.GetClaims(), 1)
		require.Equal(t, prompt, answer.GetClaims()[0].GetPayload())
		require.Equal(t, begun["wakeup"].(map[string]any)["wakeupId"], answer.GetClaims()[0].GetWakeup().GetWakeupId())
	}
	c := s.Client(t, s.AdminToken)
	enqueue(t, c, "claimed by REST", nil)
	status, claimed := post(t, s, "wakeups:claim", map[string]any{"wait": "10s", "maxClaims": 5})
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "claimed by REST", claimed["claims"].([]any)[0].(map[string]any)["payload"])
}

func TestAPromptIsWhereItMustBe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := s.Client(t, s.AdminToken)
	for name, request := range map[string]*recoursev1.BeginPromptRequest{
		"a worker needs it":         {Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_WORKER},
		"a caller keeps it":         {Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_CALLER, Prompt: "mine"},
		"the default is a caller":   {Prompt: "mine"},
		"not longer than it may be": {Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: strings.Repeat("x", 1<<20+1)},
	} {
		request.Profile = &recoursev1.ProfileSnapshot{AgentKind: "claude"}
		_, err := c.Recovery.BeginPrompt(t.Context(), request)
		require.Error(t, err, name)
		require.Contains(t, []fault.Reason{fault.ReasonInvalidRequest, fault.ReasonBodyTooLarge}, fault.From(err).Reason, name)
	}
}

// A prompt is read by whoever holds its claim; it is in no list, event or log.
func TestAPromptIsInNoListEventOrLog(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := s.Client(t, s.AdminToken)
	const secret = "the-very-private-wish"
	wakeup := enqueue(t, c, secret, nil)
	claims, err := c.Recovery.ClaimWakeups(t.Context(), &recoursev1.ClaimWakeupsRequest{Supervisor: host})
	require.NoError(t, err)
	require.Equal(t, secret, claims.GetClaims()[0].GetPayload())
	wakeups, err := c.Recovery.ListWakeups(t.Context(), &recoursev1.ListWakeupsRequest{})
	require.NoError(t, err)
	runs, err := c.Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{WakeupId: wakeup.GetWakeupId()})
	require.NoError(t, err)
	var events *recoursev1.ListEventsResponse
	require.Eventually(t, func() bool {
		events, err = c.Recovery.ListEvents(t.Context(), &recoursev1.ListEventsRequest{})
		return err == nil && len(events.GetEvents()) > 2
	}, 10*time.Second, 10*time.Millisecond)
	require.NotContains(t, wakeups.String()+runs.String()+events.String()+s.Log.String(), secret)
}
