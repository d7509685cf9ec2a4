package error_test

import (
	"context"
	"net/http"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// durable are the errors of the durable path. None changes anything, so that
// all protocols may meet it on one server.
var durable = []provocation{
	{
		reason: fault.ReasonSessionBusy, meta: []string{"session_id", "run_id"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.BeginPrompt(ctx, &recoursev1.BeginPromptRequest{
				SessionId: f.busy.GetRun().GetSessionId(), Profile: &recoursev1.ProfileSnapshot{}, Supervisor: f.supervisor,
			})
			return err
		},
		rest: func(f fixture) request {
			return request{method: http.MethodPost, path: workspace + "/prompts:begin", body: `{"sessionId":"` + f.busy.GetRun().GetSessionId() + `","profile":{}}`}
		},
	},
	{
		reason: fault.ReasonNotClaimable, meta: []string{"wakeup_id", "status"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.ClaimWakeups(ctx, &recoursev1.ClaimWakeupsRequest{
				WakeupIds: []string{f.settled.GetWakeup().GetWakeupId()}, Supervisor: f.supervisor,
			})
			return err
		},
		rest: func(f fixture) request {
			return request{
				method: http.MethodPost, path: workspace + "/wakeups:claim",
				body: `{"wakeupIds":["` + f.settled.GetWakeup().GetWakeupId() + `"],"supervisor":{"supervisorId":"supervisor-1","hostId":"host-1"}}`,
			}
		},
	},
	{
		reason: fault.ReasonStaleLease, meta: []string{"run_id"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.HeartbeatRun(ctx, &recoursev1.HeartbeatRunRequest{RunId: f.busy.GetRun().GetRunId(), LeaseToken: "wrong"})
			return err
		},
		rest: func(f fixture) request {
			return request{method: http.MethodPost, path: workspace + "/runs/" + f.busy.GetRun().GetRunId() + ":heartbeat", body: `{"leaseToken":"wrong"}`}
		},
	},
	{
		reason: fault.ReasonRunNotSent, meta: []string{"run_id", "state"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.MarkDelivered(ctx, &recoursev1.MarkDeliveredRequest{RunId: f.busy.GetRun().GetRunId(), LeaseToken: f.busy.GetLeaseToken()})
			return err
		},
		rest: func(f fixture) request {
			return request{
				method: http.MethodPost, path: workspace + "/runs/" + f.busy.GetRun().GetRunId() + ":markDelivered",
				body: `{"leaseToken":"` + f.busy.GetLeaseToken() + `"}`,
			}
		},
	},
	{
		reason: fault.ReasonRunAlreadySettled, meta: []string{"run_id", "outcome"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.ReportSuccess(ctx, &recoursev1.ReportSuccessRequest{RunId: f.settled.GetRun().GetRunId(), LeaseToken: f.settled.GetLeaseToken()})
			return err
		},
		rest: func(f fixture) request {
			return request{
				method: http.MethodPost, path: workspace + "/runs/" + f.settled.GetRun().GetRunId() + ":reportSuccess",
				body: `{"leaseToken":"` + f.settled.GetLeaseToken() + `"}`,
			}
		},
	},
	{
		reason: fault.ReasonNotResumable, meta: []string{"session_id", "wakeup_id"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.ResumeSession(ctx, &recoursev1.ResumeSessionRequest{SessionId: f.settled.GetRun().GetSessionId()})
			return err
		},
		rest: func(f fixture) request {
			return request{method: http.MethodPost, path: workspace + "/sessions/" + f.settled.GetRun().GetSessionId() + ":resume", body: `{}`}
		},
	},
	{
		reason: fault.ReasonStaleVersion, meta: []string{"version"},
		rpc: func(ctx context.Context, c *client.Client, f fixture) error {
			_, err := c.Recovery.CancelWait(ctx, &recoursev1.CancelWaitRequest{WakeupId: f.waiting.GetWakeupId(), ExpectedVersion: f.waiting.GetVersion() + 1})
			return err
		},
		rest: func(f fixture) request {
			return request{method: http.MethodPost, path: workspace + "/wakeups/" + f.waiting.GetWakeupId() + ":cancelWait", body: `{"expectedVersion":99}`}
		},
	},
}
