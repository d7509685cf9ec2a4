package error_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

// fixture is a server with work in every state that an error needs.
type fixture struct {
	server *servertest.Server
	viewer string // a viewer's token
	worker string // a worker's token

	supervisor *recoursev1.Supervisor
	busy       *recoursev1.Claim  // claimed, never sent
	settled    *recoursev1.Claim  // succeeded
	waiting    *recoursev1.Wakeup // queued
}

func setup(t *testing.T, options ...servertest.Option) fixture {
	t.Helper()
	// Tests wait for each other's turn; no lease must end meanwhile.
	s := servertest.Start(t, append(options, servertest.Configure(func(c *config.Config) { c.Lease = time.Hour }))...)
	f := fixture{
		server: s, viewer: s.Token(t, recoursev1.Role_ROLE_VIEWER), worker: s.Token(t, recoursev1.Role_ROLE_WORKER),
		supervisor: &recoursev1.Supervisor{SupervisorId: "supervisor-1", HostId: "host-1"},
	}
	f.busy = f.claim(t)
	f.settled = f.claim(t)
	c, ctx := s.Client(t, s.AdminToken).Recovery, t.Context()
	_, err := c.BeginSend(ctx, &recoursev1.BeginSendRequest{RunId: f.settled.GetRun().GetRunId(), LeaseToken: f.settled.GetLeaseToken()})
	require.NoError(t, err)
	_, err = c.MarkDelivered(ctx, &recoursev1.MarkDeliveredRequest{RunId: f.settled.GetRun().GetRunId(), LeaseToken: f.settled.GetLeaseToken()})
	require.NoError(t, err)
	_, err = c.ReportSuccess(ctx, &recoursev1.ReportSuccessRequest{RunId: f.settled.GetRun().GetRunId(), LeaseToken: f.settled.GetLeaseToken()})
	require.NoError(t, err)
	f.waiting = f.begin(t).GetWakeup()
	return f
}

func (f fixture) begin(t *testing.T) *recoursev1.BeginPromptResponse {
	t.Helper()
	begun, err := f.server.Client(t, f.server.AdminToken).Recovery.BeginPrompt(t.Context(), &recoursev1.BeginPromptRequest{
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude"}, Supervisor: f.supervisor,
	})
	require.NoError(t, err)
	return begun
}

func (f fixture) claim(t *testing.T) *recoursev1.Claim {
	t.Helper()
	begun := f.begin(t)
	claims, err := f.server.Client(t, f.server.AdminToken).Recovery.ClaimWakeups(t.Context(), &recoursev1.ClaimWakeupsRequest{
		WakeupIds: []string{begun.GetWakeup().GetWakeupId()}, Supervisor: f.supervisor, Wait: durationpb.New(0),
	})
	require.NoError(t, err)
	require.Len(t, claims.GetClaims(), 1)
	return claims.GetClaims()[0]
}
