package error_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

const caller = "/recourse.v1.WorkspaceService/GetCaller"

// What the library refuses before a call begins has a reason, too.
func TestRPCPathsRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	contentType := func(value string) map[string]string { return map[string]string{"Content-Type": value} }
	for name, c := range map[string]struct {
		request request
		status  int
		want    fault.Reason
	}{
		"wrong method":        {request{method: http.MethodPut, path: caller, body: "{}"}, 405, fault.ReasonMethodNotAllowed},
		"unknown content":     {request{method: http.MethodPost, path: caller, body: "{}", header: contentType("text/plain")}, 415, fault.ReasonUnsupportedMediaType},
		"a stream's content":  {request{method: http.MethodPost, path: caller, body: "{}", header: contentType("application/connect+json")}, 200, fault.ReasonUnsupportedMediaType},
		"unknown service":     {request{method: http.MethodPost, path: "/recourse.v1.No/Method", body: "{}"}, 501, fault.ReasonUnimplemented},
		"unknown method":      {request{method: http.MethodPost, path: "/recourse.v1.WorkspaceService/No", body: "{}"}, 501, fault.ReasonUnimplemented},
		"not JSON":            {request{method: http.MethodPost, path: caller, body: "{"}, 400, fault.ReasonMalformedBody},
		"no body":             {request{method: http.MethodPost, path: caller, header: contentType("application/json")}, 400, fault.ReasonMalformedBody},
		"broken protobuf":     {request{method: http.MethodPost, path: caller, body: "\xff\xff", header: contentType("application/proto")}, 400, fault.ReasonMalformedBody},
		"unknown field":       {request{method: http.MethodPost, path: caller, body: `{"a":1}`}, 400, fault.ReasonUnknownField},
		"unknown encoding":    {request{method: http.MethodPost, path: caller, body: "{}", header: map[string]string{"Content-Encoding": "br"}}, 400, fault.ReasonUnsupportedMediaType},
		"a gzip bomb":         {request{method: http.MethodPost, path: caller, body: bomb(t, 64<<20), header: map[string]string{"Content-Encoding": "gzip"}}, 429, fault.ReasonBodyTooLarge},
		"too large":           {request{method: http.MethodPost, path: caller, body: strings.Repeat(" ", 2<<20)}, 429, fault.ReasonBodyTooLarge},
		"just too large":      {request{method: http.MethodPost, path: caller, body: strings.Repeat(" ", 1<<20+1)}, 429, fault.ReasonBodyTooLarge},
		"a foreign host":      {request{method: http.MethodPost, path: caller, body: "{}", host: "evil.example"}, 403, fault.ReasonHostNotAllowed},
		"a foreign gRPC host": {request{method: http.MethodPost, path: caller, body: "{}", host: "evil.example", header: contentType("application/grpc")}, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.request.token = s.AdminToken
			got := c.request.do(t, s)
			require.Equal(t, c.status, got.status, got.text)
			require.NotEmpty(t, got.header.Get("X-Request-Id"))
			requireHarmless(t, got.text)
			if c.want == "" {
				require.Equal(t, "7", got.header.Get("Grpc-Status")+got.trailer.Get("Grpc-Status"), "permission denied")
				return
			}
			require.Contains(t, decoded(t, got), string(c.want))
		})
	}
}

func TestTooLargeOverEveryProtocol(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	large := &recoursev1.GetRuleRequest{RuleId: strings.Repeat("x", 1<<20+1)}
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			_, err := s.Client(t, s.AdminToken, client.WithProtocol(protocol)).Classification.GetRule(t.Context(), large)
			got := requireFault(t, err, fault.ReasonBodyTooLarge)
			require.Equal(t, "1048576", got.Metadata["limit_bytes"])
		})
	}
}

func TestDeadlinesOfTheCallerAreKept(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 1)
			defer cancel()
			_, err := f.server.Client(t, f.server.AdminToken, client.WithProtocol(protocol)).Recovery.GetRun(ctx, &recoursev1.GetRunRequest{RunId: nowhere})
			requireFault(t, err, fault.ReasonDeadlineExceeded)
		})
	}
}

func TestAnUnreachableServer(t *testing.T) {
	t.Parallel()
	c, err := client.New("http://127.0.0.1:1", "token")
	require.NoError(t, err)
	t.Cleanup(c.Close)
	_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	require.True(t, fault.Is(err, client.ReasonUnreachable), "%v", err)
	require.Equal(t, 69, client.ExitCode(err))
}
