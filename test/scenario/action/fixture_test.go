package action

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

var me = &v1.Supervisor{SupervisorId: "supervisor", HostId: "host"}

// bench is a server and the owner of the runs on it.
type bench struct {
	t      *testing.T
	server *servertest.Server
	api    *client.Client
}

func setup(t *testing.T) *bench {
	t.Helper()
	s := servertest.Start(t)
	return &bench{t: t, server: s, api: s.Client(t, s.AdminToken)}
}

func (b *bench) on(t *testing.T) *bench { return &bench{t: t, server: b.server, api: b.api} }

func (b *bench) begin() *v1.Wakeup {
	b.t.Helper()
	answer, err := b.api.Recovery.BeginPrompt(b.t.Context(), &v1.BeginPromptRequest{
		Delivery: v1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: "mend the build",
		Profile: &v1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Model: "sonnet"},
	})
	require.NoError(b.t, err)
	return answer.GetWakeup()
}

func (b *bench) claim(id string) *v1.Claim {
	b.t.Helper()
	answer, err := b.api.Recovery.ClaimWakeups(b.t.Context(), &v1.ClaimWakeupsRequest{WakeupIds: []string{id}, Supervisor: me, Wait: durationpb.New(0)})
	require.NoError(b.t, err)
	require.Len(b.t, answer.GetClaims(), 1)
	return answer.GetClaims()[0]
}

// deliver claims, sends and delivers.
func (b *bench) deliver(id string) *v1.Claim {
	b.t.Helper()
	c := b.claim(id)
	run, token := c.GetRun().GetRunId(), c.GetLeaseToken()
	_, err := b.api.Recovery.BeginSend(b.t.Context(), &v1.BeginSendRequest{RunId: run, LeaseToken: token})
	require.NoError(b.t, err)
	_, err = b.api.Recovery.MarkDelivered(b.t.Context(), &v1.MarkDeliveredRequest{RunId: run, LeaseToken: token, NativeSessionId: "native"})
	require.NoError(b.t, err)
	return c
}

// fail reports an overloaded provider; tools says whether any ran.
func (b *bench) fail(c *v1.Claim, tools v1.Effect) *v1.ReportFailureResponse {
	b.t.Helper()
	none := v1.Effect_EFFECT_NONE
	answer, err := b.api.Recovery.ReportFailure(b.t.Context(), &v1.ReportFailureRequest{
		RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken(),
		Envelope: &v1.EvidenceEnvelope{
			AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: v1.Phase_PHASE_PRE_OUTPUT,
			Effects: &v1.Effects{AssistantOutput: none, ToolActivity: tools, PartialResult: none, Delivery: v1.Delivery_DELIVERY_ACKNOWLEDGED},
			Signals: []*v1.Signal{{Channel: &v1.Signal_Http{Http: &v1.HttpSignal{
				Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
			}}}},
		},
	})
	require.NoError(b.t, err)
	return answer
}

// waiting is a wakeup that waits for its first retry.
func (b *bench) waiting() *v1.Wakeup {
	b.t.Helper()
	w := b.fail(b.deliver(b.begin().GetWakeupId()), v1.Effect_EFFECT_NONE).GetWakeup()
	require.Equal(b.t, v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, w.GetStatus())
	return w
}

// protocol does the actions of a person by one protocol.
type protocol struct {
	name     string
	retry    func(context.Context, *v1.RetryNowRequest) (*v1.RetryNowResponse, error)
	stop     func(context.Context, *v1.StopRunRequest) (*v1.StopRunResponse, error)
	resume   func(context.Context, *v1.ResumeSessionRequest) (*v1.ResumeSessionResponse, error)
	fresh    func(context.Context, *v1.StartFreshRequest) (*v1.StartFreshResponse, error)
	recovery func(context.Context, *v1.GetSessionRecoveryRequest) (*v1.GetSessionRecoveryResponse, error)
	list     func(context.Context, *v1.ListRecoveriesRequest) (*v1.ListRecoveriesResponse, error)
}

func (b *bench) protocols() []protocol {
	var out []protocol
	for _, p := range []client.Protocol{client.Connect, client.GRPC} {
		c := b.server.Client(b.t, b.server.AdminToken, client.WithProtocol(p)).Recovery
		out = append(out, protocol{string(p), c.RetryNow, c.StopRun, c.ResumeSession, c.StartFresh, c.GetSessionRecovery, c.ListRecoveries})
	}
	return append(out, b.rest())
}

func (b *bench) rest() protocol {
	return protocol{
		name: "rest",
		retry: func(ctx context.Context, in *v1.RetryNowRequest) (*v1.RetryNowResponse, error) {
			out := &v1.RetryNowResponse{}
			return out, b.post(ctx, "/wakeups/"+in.GetWakeupId()+":retryNow", in, out)
		},
		stop: func(ctx context.Context, in *v1.StopRunRequest) (*v1.StopRunResponse, error) {
			out := &v1.StopRunResponse{}
			return out, b.post(ctx, "/runs/"+in.GetRunId()+":stop", in, out)
		},
		resume: func(ctx context.Context, in *v1.ResumeSessionRequest) (*v1.ResumeSessionResponse, error) {
			out := &v1.ResumeSessionResponse{}
			return out, b.post(ctx, "/sessions/"+in.GetSessionId()+":resume", in, out)
		},
		fresh: func(ctx context.Context, in *v1.StartFreshRequest) (*v1.StartFreshResponse, error) {
			out := &v1.StartFreshResponse{}
			return out, b.post(ctx, "/sessions/"+in.GetSessionId()+":startFresh", in, out)
		},
		recovery: func(ctx context.Context, in *v1.GetSessionRecoveryRequest) (*v1.GetSessionRecoveryResponse, error) {
			out := &v1.GetSessionRecoveryResponse{}
			return out, b.call(ctx, http.MethodGet, "/sessions/"+in.GetSessionId()+"/recovery", nil, out)
		},
		list: func(ctx context.Context, _ *v1.ListRecoveriesRequest) (*v1.ListRecoveriesResponse, error) {
			out := &v1.ListRecoveriesResponse{}
			return out, b.call(ctx, http.MethodGet, "/recoveries?pageSize=100", nil, out)
		},
	}
}

// refusedError is a REST answer that is no 200.
type refusedError struct{ body string }

func (e *refusedError) Error() string { return e.body }

func (b *bench) post(ctx context.Context, path string, in, out proto.Message) error {
	body, err := protojson.Marshal(in)
	if err != nil {
		return err
	}
	return b.call(ctx, http.MethodPost, path, body, out)
}

func (b *bench) call(ctx context.Context, method, path string, body []byte, out proto.Message) error {
	request, err := http.NewRequestWithContext(ctx, method, b.server.URL+"/v1/workspaces/default"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+b.server.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return &refusedError{string(raw)}
	}
	return protojson.Unmarshal(raw, out)
}
