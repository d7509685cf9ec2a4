package policy

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestTheOffSwitchHoldsAndLetsGo(t *testing.T) {
	t.Parallel()
	w := start(t)
	waits := w.begin(nil)
	require.Equal(t, v1.Action_ACTION_RETRY, w.fail(w.deliver(w.claim(waits)), overloaded()).GetDecision().GetAction())
	running := w.deliver(w.claim(w.begin(nil)))

	require.True(t, w.switchOff(true).GetRecoveryOff())
	held := w.wakeup(waits)
	require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_PARKED, held.GetStatus())
	require.Equal(t, v1.Attention_ATTENTION_PERSON, held.GetAttention())
	require.Equal(t, v1.ParkReason_PARK_REASON_RECOVERY_OFF, held.GetLastDecision().GetParkReason())
	require.Nil(t, held.GetDueAt())
	require.Equal(t, held.GetLastDecision().String(), w.wakeup(waits).GetLastDecision().String())
	failed := w.fail(running, overloaded())
	require.Equal(t, v1.ParkReason_PARK_REASON_RECOVERY_OFF, failed.GetDecision().GetParkReason())
	_, err := w.c.Recovery.ClaimWakeups(t.Context(), &v1.ClaimWakeupsRequest{WakeupIds: []string{waits}, Supervisor: me})
	require.Equal(t, fault.ReasonNotClaimable, fault.From(err).Reason)
	w.claim(w.begin(nil)) // what a person begins is no recovery

	require.False(t, w.switchOff(false).GetRecoveryOff())
	require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_QUEUED, w.wakeup(waits).GetStatus())
	second := w.deliver(w.claim(waits))
	require.EqualValues(t, 2, second.GetRun().GetOrdinal())
	again := w.fail(second, overloaded())
	require.EqualValues(t, 2, again.GetDecision().GetOrdinal(), "the switch gives no budget back")
	require.Equal(t, []string{"true", "false"}, w.switches())
}

// switches tells what the workspace's events say about the switch.
func (w *world) switches() []string {
	w.Helper()
	answer, err := w.c.Recovery.ListEvents(w.Context(), &v1.ListEventsRequest{PageSize: 1000})
	require.NoError(w, err)
	var out []string
	for _, e := range answer.GetEvents() {
		if e.GetType() == "workspace.updated" {
			payload := e.GetPayload().AsMap()
			require.NotEmpty(w, payload["actor"])
			out = append(out, map[bool]string{true: "true", false: "false"}[payload["recovery_off"].(bool)])
		}
	}
	return out
}

func TestTheOffSwitchShortensNoStatedReset(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.begin(&v1.PolicyChoice{Preset: v1.PolicyPreset_POLICY_PRESET_PATIENT})
	before := w.fail(w.deliver(w.claim(id)), limited("45")).GetDecision()
	require.Equal(t, v1.Action_ACTION_WAIT_FOR_RESET, before.GetAction())
	w.switchOff(true)
	require.Nil(t, w.wakeup(id).GetDueAt())
	w.switchOff(false)
	after := w.wakeup(id)
	require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_PARKED, after.GetStatus())
	require.False(t, after.GetDueAt().AsTime().Before(before.GetStatedResetAt().AsTime()))
	require.Equal(t, after.GetDueAt().AsTime(), after.GetLastDecision().GetRetryAt().AsTime())
}

func TestAWorkspaceIsChangedByItsAdminsOnly(t *testing.T) {
	t.Parallel()
	w := start(t)
	terminal := &v1.UpdateWorkspaceRequest{
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"recovery_mode", "display_name"}}, RecoveryMode: v1.RecoveryMode_RECOVERY_MODE_TERMINAL, DisplayName: "Ours",
	}
	for _, role := range []v1.Role{v1.Role_ROLE_VIEWER, v1.Role_ROLE_MEMBER, v1.Role_ROLE_WORKER} {
		_, err := w.server.Client(t, w.server.Token(t, role)).Workspace.UpdateWorkspace(t.Context(), terminal)
		require.Equal(t, fault.PermissionDenied, fault.From(err).Kind, "%s", role)
	}
	var changed v1.UpdateWorkspaceResponse
	w.rest(http.MethodPatch, "", terminal, &changed)
	require.Equal(t, v1.RecoveryMode_RECOVERY_MODE_TERMINAL, changed.GetWorkspace().GetRecoveryMode())
	require.Equal(t, "Ours", changed.GetWorkspace().GetDisplayName())
	require.False(t, changed.GetWorkspace().GetRecoveryOff(), "what the mask does not name stays")
	got, err := w.c.Workspace.GetWorkspace(t.Context(), &v1.GetWorkspaceRequest{})
	require.NoError(t, err)
	require.Equal(t, changed.GetWorkspace().String(), got.GetWorkspace().String())
	failed := w.fail(w.deliver(w.claim(w.begin(nil))), overloaded())
	require.Equal(t, v1.StopReason_STOP_REASON_TERMINAL_MODE, failed.GetDecision().GetStopReason())
	for field, request := range map[string]*v1.UpdateWorkspaceRequest{
		"update_mask":   {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"created_at"}}},
		"display_name":  {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"display_name"}}},
		"recovery_mode": {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"recovery_mode"}}},
	} {
		_, err := w.c.Workspace.UpdateWorkspace(t.Context(), request)
		require.Equal(t, field, fault.From(err).Violations[0].Field)
	}
}

func TestAnUpdateIsRepeatedByItsRequestID(t *testing.T) {
	t.Parallel()
	w := start(t)
	request := &v1.UpdateWorkspaceRequest{UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"recovery_off"}}, RecoveryOff: true, RequestId: "once"}
	for range 2 {
		answer, err := w.c.Workspace.UpdateWorkspace(t.Context(), request)
		require.NoError(t, err)
		require.True(t, answer.GetWorkspace().GetRecoveryOff())
	}
	require.Equal(t, []string{"true"}, w.switches())
	request.RecoveryOff = false
	_, err := w.c.Workspace.UpdateWorkspace(t.Context(), request)
	require.Equal(t, fault.ReasonRequestIDReused, fault.From(err).Reason)
}
