package gateway

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func contract() routes {
	return readRoutes(
		recoursev1.File_recourse_v1_classification_service_proto,
		recoursev1.File_recourse_v1_recovery_service_proto,
		recoursev1.File_recourse_v1_routing_service_proto,
		recoursev1.File_recourse_v1_workspace_service_proto,
	)
}

func TestEveryRouteFindsItself(t *testing.T) {
	t.Parallel()
	all := contract()
	require.Greater(t, len(all), 25)
	for _, r := range all {
		path := ""
		for _, segment := range r.segments {
			if segment == "{}" {
				segment = "some-id"
			}
			path += "/" + segment
		}
		if r.verb != "" {
			path += ":" + r.verb
		}
		got, ok, allowed := all.find(r.method, path)
		require.True(t, ok, path)
		require.Equal(t, r.input, got.input, path)
		require.Contains(t, allowed, r.method)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	all := contract()
	for path, want := range map[string]string{
		"/v1/workspaces/default/wakeups/w1":        "GetWakeupRequest",
		"/v1/workspaces/default/wakeups":           "ListWakeupsRequest",
		"/v1/workspaces/default/profiles/fast":     "GetProfileRequest",
		"/v1/workspaces/default/profiles":          "ListProfilesRequest",
		"/v1/workspaces/default/events:watch":      "WatchEventsRequest",
		"/v1/workspaces/default/events":            "ListEventsRequest",
		"/v1/rules/claude.overloaded":              "GetRuleRequest",
		"/v1/workspaces/default/wakeups/odd:id":    "GetWakeupRequest",
		"/v1/workspaces/default/wakeups/":          "",
		"/v1/workspaces//wakeups":                  "",
		"/v1/workspaces/default/wakeups/w1/runs":   "",
		"/v1":                                      "",
		"/v1/workspaces/default/events:watch/":     "",
		"/v1/workspaces/default/runs/r1:beginSend": "GetRunRequest",
		"/v2/workspaces":                           "",
	} {
		got, ok, _ := all.find("GET", path)
		require.Equal(t, want != "", ok, path)
		if ok {
			require.Equal(t, want, string(got.input.Name()), path)
		}
	}
}

func TestUnknownParameters(t *testing.T) {
	t.Parallel()
	all := contract()
	list, _, _ := all.find("GET", "/v1/workspaces/w/wakeups")
	for query, unknown := range map[string]string{
		"": "", "pageSize=1&page_token=x&statuses=A&statuses=B": "", "sessionId=x": "",
		"page": "page", "pageSize.x=1": "pageSize.x", "token=x": "token", "=x": "",
	} {
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		if query == "=x" {
			require.NotPanics(t, func() { list.unknownParameter(values) })
			continue
		}
		require.Equal(t, unknown, list.unknownParameter(values), query)
	}
	begin, _, _ := all.find("POST", "/v1/workspaces/w/prompts:begin")
	require.Equal(t, "sessionId", begin.unknownParameter(url.Values{"sessionId": {"x"}}), "the body is the whole request")
}

func FuzzFind(f *testing.F) {
	all := contract()
	f.Add("GET", "/v1/workspaces/default/wakeups/w:x")
	f.Add("POST", "/v1/:")
	f.Fuzz(func(t *testing.T, method, path string) {
		if _, ok, allowed := all.find(method, path); ok && len(allowed) == 0 {
			t.Errorf("%s %q is found but not allowed", method, path)
		}
	})
}
