package error_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

const source = workspace + "/events:stream"

// frames reads server-sent events until it has seen an event of this type.
func frames(t *testing.T, s *servertest.Server, query string, header map[string]string, until string) []string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+source+query, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+s.AdminToken)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	var out []string
	var frame strings.Builder
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if lines.Text() != "" {
			frame.WriteString(lines.Text() + "\n")
			continue
		}
		out = append(out, frame.String())
		if strings.Contains(frame.String(), "event: "+until+"\n") {
			return out
		}
		frame.Reset()
	}
	t.Fatalf("the stream ended before %s: %q", until, out)
	return nil
}

func TestEventSource(t *testing.T) {
	t.Parallel()
	f := fixture{server: servertest.Start(t), supervisor: &recoursev1.Supervisor{SupervisorId: "s", HostId: "h"}}
	first := frames(t, f.server, "", nil, "heartbeat")
	require.Contains(t, first[len(first)-1], `data: {"serverTime":"`)
	cursor := strings.TrimPrefix(strings.Split(first[len(first)-1], "\n")[0], "id: ")

	f.begin(t)
	seen := frames(t, f.server, "", map[string]string{"Last-Event-ID": cursor}, "office.wakeup.updated")
	last := seen[len(seen)-1]
	require.Regexp(t, `^id: \S+\nevent: office.wakeup.updated\ndata: \{"cursor":".*"payload":\{.*"status":"queued".*\}\}\n$`, last)
	require.NotEqual(t, cursor, strings.TrimPrefix(strings.Split(last, "\n")[0], "id: "))
	again := frames(t, f.server, "?cursor="+cursor+"&types=office.wakeup.updated", nil, "office.wakeup.updated")
	require.Equal(t, last, again[len(again)-1], "the same cursor gives the same event")
}

func TestEventSourceErrors(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	requireREST(t, request{path: source}.do(t, s), fault.ReasonTokenMissing)
	requireREST(t, request{path: source + "?curser=x", token: s.AdminToken}.do(t, s), fault.ReasonUnknownField)
	requireREST(t, request{path: source + "?cursor=broken", token: s.AdminToken}.do(t, s), fault.ReasonInvalidRequest)
	requireREST(t, request{path: "/v1/workspaces/other/events:stream", token: s.AdminToken}.do(t, s), fault.ReasonWorkspaceNotFound)
	got := request{method: http.MethodPost, path: source, token: s.AdminToken, body: "{}"}.do(t, s)
	requireREST(t, got, fault.ReasonMethodNotAllowed)
	require.Equal(t, http.MethodGet, got.header.Get("Allow"))
}
