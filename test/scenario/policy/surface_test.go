package policy

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// One instant is decided; every surface shows that one, to the millisecond.
func TestRetryAtIsTheSameOnEverySurface(t *testing.T) {
	t.Parallel()
	w := start(t)
	streamed := w.watchSSE()
	id := w.begin(nil)
	claim := w.deliver(w.claim(id))
	answer := w.fail(claim, overloaded())
	want := answer.GetDecision().GetRetryAt().AsTime()
	require.Zero(t, want.Nanosecond()%int(time.Millisecond))
	settled := answer.GetRun().GetSettledAt().AsTime()
	require.False(t, want.Before(settled.Add(5*time.Second)))
	require.False(t, want.After(settled.Add(6*time.Second+time.Millisecond)), "at most 20 % of jitter")

	surfaces := map[string]time.Time{"the report's wakeup": answer.GetWakeup().GetDueAt().AsTime()}
	got := w.wakeup(id)
	surfaces["wakeup"] = got.GetDueAt().AsTime()
	surfaces["wakeup's decision"] = got.GetLastDecision().GetRetryAt().AsTime()
	list, err := w.c.Recovery.ListWakeups(t.Context(), &v1.ListWakeupsRequest{})
	require.NoError(t, err)
	surfaces["list"] = list.GetWakeups()[0].GetDueAt().AsTime()
	run, err := w.c.Recovery.GetRun(t.Context(), &v1.GetRunRequest{RunId: claim.GetRun().GetRunId()})
	require.NoError(t, err)
	surfaces["run"] = run.GetRun().GetDecision().GetRetryAt().AsTime()
	var byREST v1.GetWakeupResponse
	w.rest(http.MethodGet, "/wakeups/"+id, nil, &byREST)
	surfaces["REST"] = byREST.GetWakeup().GetDueAt().AsTime()
	recovery, err := w.c.Recovery.GetSessionRecovery(t.Context(), &v1.GetSessionRecoveryRequest{SessionId: got.GetSessionId()})
	require.NoError(t, err)
	surfaces["session"] = recovery.GetRecovery().GetRetryAt().AsTime()
	early, err := w.c.Recovery.ClaimWakeups(t.Context(), &v1.ClaimWakeupsRequest{WakeupIds: []string{id}, Supervisor: me})
	require.NoError(t, err)
	surfaces["a claim that is early"] = early.GetNextDueAt().AsTime()
	events, err := w.c.Recovery.ListEvents(t.Context(), &v1.ListEventsRequest{PageSize: 1000})
	require.NoError(t, err)
	for _, e := range events.GetEvents() {
		if text, ok := e.GetPayload().AsMap()["retry_at"].(string); ok {
			surfaces["event"] = parse(t, text)
		}
	}
	surfaces["SSE"] = parse(t, <-streamed)
	require.Len(t, surfaces, 10)
	for name, at := range surfaces {
		require.True(t, want.Equal(at), "%s shows %s, decided is %s", name, at, want)
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

// watchSSE gives the first retry_at that the event stream shows.
func (w *world) watchSSE() <-chan string {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), http.MethodGet, w.server.URL+"/v1/workspaces/default/events:stream", nil)
	require.NoError(w, err)
	request.Header.Set("Authorization", "Bearer "+w.server.AdminToken)
	request.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w, err)
	require.Equal(w, http.StatusOK, answer.StatusCode)
	w.Cleanup(func() { _ = answer.Body.Close() })
	found := make(chan string, 1)
	go func() {
		defer close(found)
		lines := bufio.NewScanner(answer.Body)
		for lines.Scan() {
			if at := retryAtOf(lines.Text()); at != "" {
				found <- at
				return
			}
		}
	}()
	return found
}

// retryAtOf finds the field at any depth of a line of data.
func retryAtOf(line string) string {
	data, ok := strings.CutPrefix(line, "data:")
	if !ok {
		return ""
	}
	var message any
	if json.Unmarshal([]byte(data), &message) != nil {
		return ""
	}
	return dig(message)
}

func dig(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	if at, ok := object["retry_at"].(string); ok {
		return at
	}
	for _, inner := range object {
		if at := dig(inner); at != "" {
			return at
		}
	}
	return ""
}
