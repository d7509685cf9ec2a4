package error_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// nowhere is an id of the right form that nothing has.
const nowhere = "01900000-0000-7000-8000-000000000000"

const workspace = "/v1/workspaces/default"

var provocations = []provocation{
	{
		reason: fault.ReasonInvalidRequest,
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.ListWakeups(ctx, &recoursev1.ListWakeupsRequest{PageSize: 1001})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/wakeups?pageSize=1001"} },
	},
	{
		reason: fault.ReasonTokenInvalid,
		token:  func(f fixture) string { return f.server.AdminToken + "a" },
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Workspace.GetCaller(ctx, &recoursev1.GetCallerRequest{})
			return err
		},
		rest: func(fixture) request { return request{path: "/v1/caller"} },
	},
	{
		reason: fault.ReasonTokenMissing,
		token:  func(fixture) string { return "" },
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Workspace.GetCaller(ctx, &recoursev1.GetCallerRequest{})
			return err
		},
		rest: func(fixture) request { return request{path: "/v1/caller"} },
	},
	{
		reason: fault.ReasonRoleInsufficient, meta: []string{"role", "required_role"},
		token: func(f fixture) string { return f.viewer },
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Workspace.ListApiTokens(ctx, &recoursev1.ListApiTokensRequest{})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/tokens"} },
	},
	{
		reason: fault.ReasonWorkspaceMismatch, meta: []string{"workspace_id"},
		token: func(f fixture) string { return f.viewer },
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.ListRuns(ctx, &recoursev1.ListRunsRequest{WorkspaceId: "other"})
			return err
		},
		rest: func(fixture) request { return request{path: "/v1/workspaces/other/runs"} },
	},
	{
		reason: fault.ReasonWorkspaceNotFound, meta: []string{"workspace_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.ListRuns(ctx, &recoursev1.ListRunsRequest{WorkspaceId: "other"})
			return err
		},
		rest: func(fixture) request { return request{path: "/v1/workspaces/other/runs"} },
	},
	{
		reason: fault.ReasonTokenNotFound, meta: []string{"token_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Workspace.RevokeApiToken(ctx, &recoursev1.RevokeApiTokenRequest{TokenId: nowhere})
			return err
		},
		rest: func(fixture) request {
			return request{method: http.MethodPost, path: workspace + "/tokens/" + nowhere + ":revoke", body: "{}"}
		},
	},
	{
		reason: fault.ReasonSessionNotFound, meta: []string{"session_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.BeginPrompt(ctx, &recoursev1.BeginPromptRequest{SessionId: nowhere, Profile: &recoursev1.ProfileSnapshot{}})
			return err
		},
		rest: func(fixture) request {
			return request{method: http.MethodPost, path: workspace + "/prompts:begin", body: `{"sessionId":"` + nowhere + `","profile":{}}`}
		},
	},
	{
		reason: fault.ReasonWakeupNotFound, meta: []string{"wakeup_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.GetWakeup(ctx, &recoursev1.GetWakeupRequest{WakeupId: nowhere})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/wakeups/" + nowhere} },
	},
	{
		reason: fault.ReasonRunNotFound, meta: []string{"run_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.GetRun(ctx, &recoursev1.GetRunRequest{RunId: nowhere})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/runs/" + nowhere} },
	},
	{
		reason: fault.ReasonRuleNotFound, meta: []string{"rule_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Classification.GetRule(ctx, &recoursev1.GetRuleRequest{RuleId: "no.such.rule"})
			return err
		},
		rest: func(fixture) request { return request{path: "/v1/rules/no.such.rule"} },
	},
	{
		reason: fault.ReasonPageTokenInvalid,
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Recovery.ListWakeups(ctx, &recoursev1.ListWakeupsRequest{PageToken: "!"})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/wakeups?pageToken=!"} },
	},
}

func TestErrorsOverEveryProtocol(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.makeProfiles(t)
	for _, p := range slices.Concat(provocations, durable, profiled) {
		t.Run(string(p.reason), func(t *testing.T) {
			t.Parallel()
			p.run(t, f)
		})
	}
}
