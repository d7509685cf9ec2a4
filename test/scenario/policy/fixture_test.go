package policy

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

const (
	none = v1.Effect_EFFECT_NONE
	seen = v1.Effect_EFFECT_SEEN
)

var me = &v1.Supervisor{SupervisorId: "supervisor", HostId: "host"}

// world is a server and a client that may do everything.
type world struct {
	*testing.T
	server *servertest.Server
	c      *client.Client
}

func start(t *testing.T) *world {
	t.Helper()
	s := servertest.Start(t)
	return &world{T: t, server: s, c: s.Client(t, s.AdminToken)}
}

func (w *world) begin(policy *v1.PolicyChoice) string {
	w.Helper()
	answer, err := w.c.Recovery.BeginPrompt(w.Context(), &v1.BeginPromptRequest{
		Delivery: v1.DeliveryMode_DELIVERY_MODE_CALLER, Supervisor: me, Profile: profile(policy),
	})
	require.NoError(w, err)
	return answer.GetWakeup().GetWakeupId()
}

// beginForWorkers begins a prompt that workers deliver, of an agent whose
// sessions cannot be resumed.
func (w *world) beginForWorkers(policy *v1.PolicyChoice) string {
	w.Helper()
	p := profile(policy)
	p.AgentKind = "opencode"
	answer, err := w.c.Recovery.BeginPrompt(w.Context(), &v1.BeginPromptRequest{
		Delivery: v1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: "mend the build", Profile: p,
	})
	require.NoError(w, err)
	return answer.GetWakeup().GetWakeupId()
}

func profile(policy *v1.PolicyChoice) *v1.ProfileSnapshot {
	return &v1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Policy: policy}
}

// claim claims one wakeup by its id, or whatever is due without one.
func (w *world) claim(wakeupID string) *v1.Claim {
	w.Helper()
	request := &v1.ClaimWakeupsRequest{Supervisor: me, Wait: durationpb.New(20 * time.Second)}
	if wakeupID != "" {
		request.WakeupIds = []string{wakeupID}
	}
	answer, err := w.c.Recovery.ClaimWakeups(w.Context(), request)
	require.NoError(w, err)
	require.Len(w, answer.GetClaims(), 1)
	return answer.GetClaims()[0]
}

func (w *world) deliver(claim *v1.Claim) *v1.Claim {
	w.Helper()
	run, token := claim.GetRun().GetRunId(), claim.GetLeaseToken()
	_, err := w.c.Recovery.BeginSend(w.Context(), &v1.BeginSendRequest{RunId: run, LeaseToken: token})
	require.NoError(w, err)
	_, err = w.c.Recovery.MarkDelivered(w.Context(), &v1.MarkDeliveredRequest{RunId: run, LeaseToken: token})
	require.NoError(w, err)
	return claim
}

// failure is a report with what differs from one test to the next.
type failure struct {
	effect  v1.Effect // of tools
	phase   v1.Phase
	cost    float64
	signals []*v1.Signal
}

func (w *world) fail(claim *v1.Claim, f failure) *v1.ReportFailureResponse {
	w.Helper()
	if f.phase == v1.Phase_PHASE_UNSPECIFIED {
		f.phase = v1.Phase_PHASE_PRE_OUTPUT
	}
	answer, err := w.c.Recovery.ReportFailure(w.Context(), &v1.ReportFailureRequest{
		RunId: claim.GetRun().GetRunId(), LeaseToken: claim.GetLeaseToken(), CostUsd: f.cost,
		Envelope: envelope(f),
	})
	require.NoError(w, err)
	return answer
}

func envelope(f failure) *v1.EvidenceEnvelope {
	return &v1.EvidenceEnvelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: f.phase, Signals: f.signals,
		Effects: &v1.Effects{AssistantOutput: none, ToolActivity: f.effect, PartialResult: none, Delivery: v1.Delivery_DELIVERY_ACKNOWLEDGED},
	}
}

func response(status int32, body string, headers map[string]string) []*v1.Signal {
	return []*v1.Signal{{Channel: &v1.Signal_Http{Http: &v1.HttpSignal{Status: status, Body: body, Headers: headers}}}}
}

func overloaded() failure {
	return failure{effect: none, signals: response(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, nil)}
}

func limited(retryAfter string) failure {
	return failure{effect: none, signals: response(429,
		`{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit."}}`,
		map[string]string{"retry-after": retryAfter})}
}

func (w *world) wakeup(id string) *v1.Wakeup {
	w.Helper()
	answer, err := w.c.Recovery.GetWakeup(w.Context(), &v1.GetWakeupRequest{WakeupId: id})
	require.NoError(w, err)
	return answer.GetWakeup()
}

func (w *world) switchOff(off bool) *v1.Workspace {
	w.Helper()
	answer, err := w.c.Workspace.UpdateWorkspace(w.Context(), &v1.UpdateWorkspaceRequest{
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"recovery_off"}}, RecoveryOff: off,
	})
	require.NoError(w, err)
	return answer.GetWorkspace()
}

// rest calls a path of the workspace and reads its answer.
func (w *world) rest(method, path string, body, into proto.Message) {
	w.Helper()
	var raw []byte
	if body != nil {
		var err error
		raw, err = protojson.Marshal(body)
		require.NoError(w, err)
	}
	request, err := http.NewRequestWithContext(w.Context(), method, w.server.URL+"/v1/workspaces/default"+path, bytes.NewReader(raw))
	require.NoError(w, err)
	request.Header.Set("Authorization", "Bearer "+w.server.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(w, err)
	require.Equal(w, http.StatusOK, answer.StatusCode, "%s", text)
	require.NoError(w, protojson.Unmarshal(text, into))
}
