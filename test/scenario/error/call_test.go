package error_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
	"github.com/recourse-dev/recourse/server/servertest"
)

// protocols are the RPC protocols that each error is provoked over; REST comes besides.
var protocols = []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb}

// answer is a REST answer.
type answer struct {
	status  int
	header  http.Header
	trailer http.Header
	text    string
	body    rpcerror.Body
}

// request is one REST call.
type request struct {
	method, path, body string
	token              string
	header             map[string]string
	host               string
}

func (r request) do(t *testing.T, s *servertest.Server) answer {
	t.Helper()
	if r.method == "" {
		r.method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), r.method, s.URL+r.path, strings.NewReader(r.body))
	require.NoError(t, err)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if r.host != "" {
		req.Host = r.host
	}
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	out := answer{status: response.StatusCode, header: response.Header, trailer: response.Trailer, text: string(text)}
	_ = json.Unmarshal(text, &out.body) // not every answer is an error
	return out
}

// requireFault checks an error that a client of ours returned.
func requireFault(t *testing.T, err error, reason fault.Reason) *fault.Error {
	t.Helper()
	require.Error(t, err)
	var f *fault.Error
	require.True(t, errors.As(err, &f), "%T is no fault", err)
	require.Equal(t, reason, f.Reason, "%v", err)
	require.Equal(t, table[reason].kind, f.Kind)
	require.Equal(t, table[reason].exit, client.ExitCode(err))
	requireHarmless(t, f.Message)
	return f
}

// requireREST checks the documented body of a REST error.
func requireREST(t *testing.T, got answer, reason fault.Reason) {
	t.Helper()
	require.Equal(t, string(reason), got.body.Reason, got.text)
	want := table[reason]
	require.Equal(t, want.rest, got.status, got.text)
	require.Equal(t, rpcerror.CodeName(want.code), got.body.Code)
	require.NotEmpty(t, got.body.Error)
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.NotEmpty(t, got.header.Get("X-Request-Id"))
	require.NotEmpty(t, got.header.Get("X-Server-Time"))
	infos := 0
	for _, raw := range got.body.Details {
		var detail struct {
			Type   string `json:"@type"`
			Reason string `json:"reason"`
			Domain string `json:"domain"`
		}
		require.NoError(t, json.Unmarshal(raw, &detail))
		if detail.Type == "type.googleapis.com/google.rpc.ErrorInfo" {
			infos++
			require.Equal(t, string(reason), detail.Reason)
			require.Equal(t, "recourse.dev", detail.Domain)
		}
	}
	require.Equal(t, 1, infos, "exactly one ErrorInfo")
	requireHarmless(t, got.text)
}

// requireHarmless checks that an answer shows nothing of the inside.
func requireHarmless(t *testing.T, text string) {
	t.Helper()
	for _, inside := range []string{"goroutine", ".go:", "SELECT ", "INSERT ", "pgx", "SQLSTATE", "rcs_", "rcl_", "runtime."} {
		require.NotContains(t, text, inside)
	}
}

// provocation causes one reason over every protocol.
type provocation struct {
	reason fault.Reason
	token  func(f fixture) string // the admin's if nil
	rpc    func(ctx context.Context, c *client.Client, f fixture) error
	rest   func(f fixture) request
	// meta are metadata keys that the error must carry.
	meta []string
}

func (p provocation) run(t *testing.T, f fixture) {
	t.Helper()
	token := f.server.AdminToken
	if p.token != nil {
		token = p.token(f)
	}
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			c := f.server.Client(t, token, client.WithProtocol(protocol))
			got := requireFault(t, p.rpc(t.Context(), c, f), p.reason)
			for _, key := range p.meta {
				require.Contains(t, got.Metadata, key)
			}
		})
	}
	t.Run("rest", func(t *testing.T) {
		t.Parallel()
		call := p.rest(f)
		call.token = token
		requireREST(t, call.do(t, f.server), p.reason)
	})
}

// decoded returns an RPC answer's text with its packed details unpacked.
func decoded(t *testing.T, got answer) string {
	t.Helper()
	out := got.text
	var body struct {
		Error   json.RawMessage `json:"error"`
		Details []struct {
			Value string `json:"value"`
		} `json:"details"`
	}
	text := got.text
	if i := strings.IndexByte(text, '{'); i >= 0 {
		text = text[i:] // after the framing of a stream's end
	}
	if json.Unmarshal([]byte(text), &body) == nil {
		if len(body.Error) > 0 {
			require.NoError(t, json.Unmarshal(body.Error, &body))
		}
		for _, detail := range body.Details {
			value, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(detail.Value, "="))
			require.NoError(t, err)
			out += string(value)
		}
	}
	return out
}
