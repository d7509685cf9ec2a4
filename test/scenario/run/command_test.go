package run

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// failedOnce gives a server on which one prompt was retried and succeeded.
func failedOnce(t *testing.T) (*servertest.Server, *host, string) {
	t.Helper()
	s := servertest.Start(t)
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 0)
	return s, h, h.wakeups(t)[0]
}

func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	r.want(t, 0)
	var out map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.out), &out), "%s", r.out)
	return out
}

func TestEverySurfaceTellsTheSame(t *testing.T) {
	t.Parallel()
	s, h, id := failedOnce(t)

	got := h.run(t, "wakeups", "get", id).object(t)
	require.Equal(t, "WAKEUP_STATUS_COMPLETED", got["status"])
	require.EqualValues(t, 2, got["runCount"])
	require.Equal(t, "claude", got["profile"].(map[string]any)["agentKind"])

	rest := func(path string) map[string]any {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/v1/workspaces/default/"+path, nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+s.AdminToken)
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		require.Equal(t, http.StatusOK, answer.StatusCode)
		var body map[string]any
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&body))
		http.DefaultClient.CloseIdleConnections()
		return body
	}
	over := rest("wakeups/" + id)["wakeup"].(map[string]any)
	for _, key := range []string{"wakeupId", "sessionId", "status", "runCount", "lastClassification", "version", "createdAt"} {
		require.Equal(t, over[key], got[key], key)
	}

	runs := strings.Split(strings.TrimSpace(h.run(t, "runs", "list", "--wakeup", id, "-o", "json").out), "\n")
	require.Len(t, runs, 2)
	var first map[string]any
	require.NoError(t, json.Unmarshal([]byte(runs[1]), &first))
	require.Equal(t, "RUN_OUTCOME_FAILED", first["outcome"])
	require.Equal(t, "CODE_PROVIDER_OVERLOADED", first["classification"].(map[string]any)["code"])
	require.Equal(t, "ACTION_RETRY", first["decision"].(map[string]any)["action"])
	require.NotEmpty(t, first["classification"].(map[string]any)["ruleId"])
	require.NotEmpty(t, first["deliveredAt"], "the agent had the prompt, and the server was told")
	one := h.run(t, "runs", "get", first["runId"].(string)).object(t)
	require.NotEmpty(t, one["evidence"].(map[string]any)["signals"])

	list := h.run(t, "wakeups", "list")
	list.want(t, 0)
	require.Contains(t, list.out, id+"  completed  claude  provider_overloaded  2")
	if last := h.run(t, "why", "last"); !strings.Contains(last.out, id) {
		t.Errorf("why last tells of\n%s", last.out)
	}
	why := h.run(t, "why", id)
	why.want(t, 0)
	require.Contains(t, why.out, "it has succeeded")
	require.Contains(t, why.out, "529 Overloaded")
}

func TestEventsAreWatchedFromACursor(t *testing.T) {
	t.Parallel()
	s, h, id := failedOnce(t)
	listed, err := s.Client(t, s.AdminToken).Recovery.ListEvents(t.Context(), &recoursev1.ListEventsRequest{PageSize: 1000})
	require.NoError(t, err)
	events := listed.GetEvents()
	require.Greater(t, len(events), 3)

	r := h.run(t, "events", "watch", "--after", events[0].GetCursor(), "--count", "3", "-o", "json")
	r.want(t, 0)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 3)
	for i, line := range lines {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		require.Equal(t, events[i+1].GetEventId(), e["eventId"])
	}
	table := h.run(t, "events", "watch", "--after", events[0].GetCursor(), "--type", "recovery.updated", "--count", "1")
	table.want(t, 0)
	require.Contains(t, table.out, "recovery.updated")
	require.Contains(t, table.out, id)
}

func TestTokensAreMadeUsedAndRevoked(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	made := h.run(t, "tokens", "create", "ci", "--role", "viewer", "--ttl", "1h")
	made.want(t, 0, "its secret is shown only here")
	secret := strings.TrimSpace(made.out)
	require.NotContains(t, made.err, secret)

	other := newHost(t, nil)
	other.write(t, "token", secret+"\n")
	other.env = append(other.env, "AGENTCTL_SERVER="+s.URL)
	with := func(args ...string) result {
		return other.run(t, append([]string{"--token-file", "token"}, args...)...)
	}
	with("wakeups", "list").want(t, 0)
	with("tokens", "list").want(t, 4, "ROLE_INSUFFICIENT")
	claude := other.agent(t, "claude", act{out: claudeAnswered("ok")})
	with("run", "--", claude, "-p", "x").want(t, 4)
	require.Empty(t, other.attempts(t, "claude"), "it ran although the server refused its caller")

	list := h.run(t, "tokens", "list", "-o", "json")
	list.want(t, 0)
	require.NotContains(t, list.out, secret)
	var id string
	for _, line := range strings.Split(strings.TrimSpace(list.out), "\n") {
		var token map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &token))
		if token["displayName"] == "ci" {
			id = token["tokenId"].(string)
		}
	}
	h.run(t, "tokens", "revoke", id).want(t, 0, "is revoked")
	with("wakeups", "list").want(t, 4, "TOKEN_INVALID")
	h.run(t, "tokens", "list").want(t, 0)
	h.run(t, "tokens", "revoke", "no-such-token").want(t, 6)
}

func TestWhatNeedsOnlyAnAnswer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	link := h.run(t, "open", "--print")
	link.want(t, 0)
	require.True(t, strings.HasPrefix(link.out, s.URL+"/ui/login#"), link.out)

	version := h.run(t, "version", "-o", "json").object(t)
	require.Equal(t, version["catalogueDigest"], version["serverCatalogueDigest"])

	doctor := h.run(t, "doctor")
	doctor.want(t, 0)
	for _, says := range []string{"ok    config", "ok    server", "ok    clock", "ok    rules"} {
		require.Contains(t, doctor.out, says)
	}

	h.write(t, "failure.log", overloadedText)
	for _, args := range [][]string{{"classify", "failure.log", "-o", "json"}, {"classify", "--server", "failure.log", "-o", "json"}, {"classify", "--server=" + s.URL, "failure.log", "-o", "json"}, {"classify", "--server", s.URL, "failure.log", "-o", "json"}} {
		require.Equal(t, "CODE_PROVIDER_OVERLOADED", h.run(t, args...).object(t)["code"], "%v", args)
	}
	h.run(t, "wakeups", "get", "no-such-wakeup").want(t, 6)
	h.run(t, "demo", "--scenario", "auth,prose").want(t, 0, "Playing against the configured server")
	require.Contains(t, h.run(t, "wakeups", "list").out, "auth_required")
}
