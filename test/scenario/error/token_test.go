package error_test

import (
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// methods lists every RPC of the contract.
func methods() []protoreflect.MethodDescriptor {
	var out []protoreflect.MethodDescriptor
	for _, file := range []protoreflect.FileDescriptor{
		recoursev1.File_recourse_v1_classification_service_proto,
		recoursev1.File_recourse_v1_recovery_service_proto,
		recoursev1.File_recourse_v1_workspace_service_proto,
	} {
		for i := range file.Services().Len() {
			list := file.Services().Get(i).Methods()
			for j := range list.Len() {
				out = append(out, list.Get(j))
			}
		}
	}
	return out
}

func procedureOf(method protoreflect.MethodDescriptor) string {
	return "/" + string(method.Parent().FullName()) + "/" + string(method.Name())
}

// No RPC gives anything to a caller without a token, or with a wrong one.
func TestEveryRPCNeedsAToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	require.Greater(t, len(methods()), 25)
	wrong := strings.Replace(s.AdminToken, "rcs_default_a", "rcs_default_b", 1)
	if wrong == s.AdminToken {
		wrong = "rcs_default_a" + s.AdminToken[len("rcs_default_a"):]
	}
	for _, method := range methods() {
		t.Run(string(method.Name()), func(t *testing.T) {
			t.Parallel()
			for token, want := range map[string]fault.Reason{"": fault.ReasonTokenMissing, wrong: fault.ReasonTokenInvalid} {
				requireNoData(t, s, method, token, want)
			}
		})
	}
}

func requireNoData(t *testing.T, s *servertest.Server, method protoreflect.MethodDescriptor, token string, want fault.Reason) {
	t.Helper()
	for _, option := range []connecthttp.Option{connecthttp.WithGRPCWeb(), connecthttp.WithProtoJSON()} {
		ctx, info := connect.NewClientContext(t.Context())
		if token != "" {
			info.RequestHeader().Set("Authorization", "Bearer "+token)
		}
		spec := connect.Spec{Procedure: procedureOf(method), StreamType: connect.StreamTypeUnary}
		if method.IsStreamingServer() {
			spec.StreamType = connect.StreamTypeServer
		}
		calls := connect.NewClient(connecthttp.NewTransport(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, s.URL, option))
		stream, err := calls.CallServerStream(ctx, spec, dynamicpb.NewMessage(method.Input()))
		require.NoError(t, err)
		out := dynamicpb.NewMessage(method.Output())
		err = stream.Receive(out)
		require.Error(t, err)
		require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err), "%v", err)
		require.True(t, proto.Equal(dynamicpb.NewMessage(method.Output()), out))
		require.NoError(t, stream.Close())
	}
	call, ok := restOf(method)
	require.True(t, ok, "%s has no REST path", method.FullName())
	call.token = token
	requireREST(t, call.do(t, s), want)
}

// restOf makes a REST call of a method that would pass the gateway.
func restOf(method protoreflect.MethodDescriptor) (request, bool) {
	rule, ok := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	if !ok {
		return request{}, false
	}
	call := request{method: http.MethodGet, path: rule.GetGet()}
	if rule.GetPost() != "" {
		call = request{method: http.MethodPost, path: rule.GetPost(), body: "{}"}
	}
	if rule.GetPatch() != "" {
		call = request{method: http.MethodPatch, path: rule.GetPatch(), body: "{}"}
	}
	for _, name := range []string{"workspace_id", "session_id", "wakeup_id", "run_id", "rule_id", "token_id"} {
		call.path = strings.ReplaceAll(call.path, "{"+name+"}", "default")
	}
	return call, !strings.Contains(call.path, "{")
}

// What is open to everybody says nothing but that the server is there.
func TestWhatNeedsNoToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/openapi.json": 200, "/ui/": 200, "/ui/wakeups/x": 200, "/": 302, "/ui": 302,
		"/metrics": 401, "/ui/assets/no.js": 404, "/ui/.gitkeep": 200,
	} {
		got := request{path: path}.do(t, s)
		require.Equal(t, want, got.status, path)
		require.False(t, strings.Contains(got.text, s.AdminToken[:20]) || strings.Contains(got.text, "first admin"), path)
	}
	require.Equal(t, 200, request{path: "/metrics", token: s.AdminToken}.do(t, s).status)
}

func TestRolesOfAWorker(t *testing.T) {
	t.Parallel()
	f := setup(t)
	c := f.server.Client(t, f.worker)
	_, err := c.Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{})
	requireFault(t, err, fault.ReasonRoleInsufficient)
	_, err = c.Recovery.BeginPrompt(t.Context(), &recoursev1.BeginPromptRequest{Profile: &recoursev1.ProfileSnapshot{}})
	requireFault(t, err, fault.ReasonRoleInsufficient)
	_, err = c.Recovery.HeartbeatRun(t.Context(), &recoursev1.HeartbeatRunRequest{RunId: f.busy.GetRun().GetRunId(), LeaseToken: f.busy.GetLeaseToken()})
	require.NoError(t, err, "its own work it may do")
}

func TestARevokedTokenStopsAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	admin := s.Client(t, s.AdminToken).Workspace
	made, err := admin.CreateApiToken(t.Context(), &recoursev1.CreateApiTokenRequest{DisplayName: "ci", Role: recoursev1.Role_ROLE_MEMBER})
	require.NoError(t, err)
	member := s.Client(t, made.GetSecret()).Workspace
	who, err := member.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	require.NoError(t, err)
	require.Equal(t, made.GetToken().GetTokenId(), who.GetTokenId())
	require.False(t, who.GetInstanceAdmin())

	revoked, err := admin.RevokeApiToken(t.Context(), &recoursev1.RevokeApiTokenRequest{TokenId: made.GetToken().GetTokenId()})
	require.NoError(t, err)
	_, err = member.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	requireFault(t, err, fault.ReasonTokenInvalid)
	again, err := admin.RevokeApiToken(t.Context(), &recoursev1.RevokeApiTokenRequest{TokenId: made.GetToken().GetTokenId()})
	require.NoError(t, err)
	require.Equal(t, revoked.GetToken().GetRevokedAt().AsTime(), again.GetToken().GetRevokedAt().AsTime())
}

func TestTokenPages(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for range 4 {
		s.Token(t, recoursev1.Role_ROLE_VIEWER)
	}
	admin := s.Client(t, s.AdminToken).Workspace
	var seen []string
	for token := ""; ; {
		page, err := admin.ListApiTokens(t.Context(), &recoursev1.ListApiTokensRequest{PageSize: 2, PageToken: token})
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.GetTokens()), 2)
		for _, item := range page.GetTokens() {
			require.NotContains(t, seen, item.GetTokenId())
			seen = append(seen, item.GetTokenId())
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	require.Len(t, seen, 5)
}
