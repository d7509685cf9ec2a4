package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// What the example asks, a real server answers: a structured stream that proves
// that nothing was done is repeated, plain text proves nothing.
func TestDecideFromRawOutput(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := s.Client(t, s.AdminToken)
	overloaded := strings.Join([]string{
		`{"type":"system","subtype":"init","session_id":"0b1f6c1e-2222-4333-8444-555555555555","model":"claude-sonnet-4-5","tools":[]}`,
		`{"type":"result","subtype":"success","is_error":true,"result":"API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}","session_id":"0b1f6c1e-2222-4333-8444-555555555555"}`,
	}, "\n")
	got, err := decide(t.Context(), c, "claude", overloaded, 0)
	require.NoError(t, err)
	require.Equal(t, recoursev1.Action_ACTION_RETRY, got.GetAction(), "%v", got)
	require.True(t, got.GetRetryAt().AsTime().After(time.Now().Add(-time.Minute)))

	got, err = decide(t.Context(), c, "claude", `API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, 0)
	require.NoError(t, err)
	require.Equal(t, recoursev1.Action_ACTION_STOP, got.GetAction())
	require.Equal(t, "effects_observed", got.GetReason())

	got, err = decide(t.Context(), c, "claude", overloaded, 5)
	require.NoError(t, err)
	require.Equal(t, recoursev1.StopReason_STOP_REASON_BUDGET_EXHAUSTED, got.GetStopReason())
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "http://a:1/": "http://a:1", "https://a/base/": "https://a/base",
		"localhost": "http://localhost", "": "", "ftp://a": "", "http://": "", "http://%zz": "",
	} {
		c, err := client.New(addr, "")
		if want == "" {
			require.Error(t, err, addr)
			continue
		}
		require.NoError(t, err, addr)
		require.Equal(t, want, c.Address())
	}
	_, err := client.New("a", "", client.WithProtocol("smoke signals"))
	require.ErrorContains(t, err, "smoke signals")
}

// A token goes to the server that was named, never to where that points.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var leaked string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked = r.Header.Get("Authorization") }))
	t.Cleanup(other.Close)
	first := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(first.Close)
	c, err := client.New(first.URL, "secret")
	require.NoError(t, err)
	t.Cleanup(c.Close)
	_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	require.True(t, fault.Is(err, client.ReasonUnreachable), "%v", err)
	require.Empty(t, leaked)
}

// Something in between may answer in the server's place.
func TestAnswersOfAProxy(t *testing.T) {
	t.Parallel()
	for status, body := range map[int]string{502: "<html>bad gateway</html>", 401: "", 404: "not here", 200: "<html>log in</html>", 503: `{"code":"unavailable"}`} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		c, err := client.New(proxy.URL, "token")
		require.NoError(t, err)
		_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
		require.True(t, fault.Is(err, client.ReasonUnreachable), "%d: %v", status, err)
		c.Close()
		proxy.Close()
	}
}

// A server that stops cuts off the calls that it has; their callers did not
// cancel them, and must not believe that they did.
func TestACallThatIsCutOffIsNotCancelled(t *testing.T) {
	t.Parallel()
	cut := map[string]http.HandlerFunc{
		"stream": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(499)
			_, _ = w.Write([]byte(`{"code":"canceled","message":"the call was cancelled"}`))
		},
	}
	for name, handler := range cut {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			c, err := client.New(server.URL, "token")
			require.NoError(t, err)
			t.Cleanup(c.Close)
			_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
			require.True(t, fault.Is(err, client.ReasonUnreachable), "%v", err)
		})
	}
}

func TestACallHasAnEnd(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(hang) })
	c, err := client.New(server.URL, "token", client.WithTimeout(10*time.Millisecond))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	require.True(t, fault.Is(err, fault.ReasonDeadlineExceeded), "%v", err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.Workspace.GetCaller(ctx, &recoursev1.GetCallerRequest{})
	require.True(t, fault.Is(err, fault.ReasonCanceled), "%v", err)
}

func TestExitCodesOfWhatNoCallMade(t *testing.T) {
	t.Parallel()
	require.Equal(t, client.ExitGeneral, client.ExitCode(errors.New("own")))
	require.Equal(t, client.ExitGeneral, client.ExitCode(fault.New(fault.Internal, "A_NEWER_SERVERS_REASON", "text")))
}
