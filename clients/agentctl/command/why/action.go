package why

import (
	"context"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// commands ask the server what a person may do about a wakeup now, and give the
// commands for that. What the server cannot say is left out: it is no reason to
// tell nothing.
func commands(ctx context.Context, api *connection.API, w *v1.Wakeup) string {
	answer, err := api.Recovery.GetSessionRecovery(ctx, &v1.GetSessionRecoveryRequest{WorkspaceId: api.WorkspaceID, SessionId: w.GetSessionId()})
	r := answer.GetRecovery()
	if err != nil || r.GetWakeupId() != w.GetWakeupId() {
		return ""
	}
	var out []string
	for _, c := range []struct {
		action  v1.UserAction
		command string
	}{
		{v1.UserAction_USER_ACTION_RETRY_NOW, "agentctl wakeups retry " + w.GetWakeupId()},
		{v1.UserAction_USER_ACTION_CANCEL_WAIT, "agentctl wakeups cancel " + w.GetWakeupId()},
		{v1.UserAction_USER_ACTION_STOP_RUN, "agentctl runs stop " + r.GetRunId()},
		{v1.UserAction_USER_ACTION_RESUME_SESSION, "agentctl sessions resume " + w.GetSessionId()},
		{v1.UserAction_USER_ACTION_START_FRESH, "agentctl sessions fresh " + w.GetSessionId()},
	} {
		if slices.Contains(r.GetActions(), c.action) {
			out = append(out, c.command)
		}
	}
	byCaller := w.GetDelivery() != v1.DeliveryMode_DELIVERY_MODE_WORKER
	if byCaller && w.GetEndedAt() != nil && w.GetStatus() != v1.WakeupStatus_WAKEUP_STATUS_COMPLETED {
		// Only its caller can claim what follows; it has the prompt.
		host := w.GetSupervisor().GetHostId()
		out = append(out, "only on host "+host+", which has the prompt: the next command above, or agentctl run --fresh --continue "+w.GetWakeupId()+" (begins a new session of the agent)")
	}
	return strings.Join(out, "; ")
}
