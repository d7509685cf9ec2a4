package work_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// waiting is a wakeup that waits for a retry, or for a deadline of a park.
func waiting(status recovery.WakeupStatus) work.Locked {
	l := delivered(work.DeliveryWorker, work.SendPrompt)
	l.Session.State = recovery.SessionIdle
	l.Run.State = recovery.RunSettled
	l.Wakeup.Status, l.Wakeup.DueAt, l.Wakeup.Attention = status, noon.Add(-time.Second), work.AttentionDeadline
	l.Wakeup.Progress.Transient.Retries = 2
	l.Wakeup.LastDecision = &recovery.Decision{
		Action: recovery.ActionRetry, Reason: recovery.ReasonShortRetry, Remedy: recovery.RemedyWait,
		Boundary: recovery.BoundaryEffectFree, RetryAt: l.Wakeup.DueAt, Receipt: recovery.Receipt{Kind: recovery.ReceiptEstimated},
	}
	return l
}

func claimRequest() work.ClaimRequest {
	s := recovery.Defaults()
	s.Zones = time.LoadLocation
	return work.ClaimRequest{RunID: "next", Settings: s}
}

// What a decision scheduled just before the switch moved is caught at its claim.
func TestAClaimSeesTheOffSwitch(t *testing.T) {
	t.Parallel()
	for _, status := range []recovery.WakeupStatus{recovery.WakeupScheduledRetry, recovery.WakeupParked} {
		l := waiting(status)
		l.RecoveryOff = true
		c, err := work.ClaimWakeup(l, claimRequest())
		require.NoError(t, err)
		require.False(t, c.NewRun)
		assert.Equal(t, recovery.WakeupParked, c.Wakeup.Status)
		assert.Equal(t, work.AttentionPerson, c.Wakeup.Attention)
		assert.Equal(t, recovery.ParkRecoveryOff, c.Wakeup.LastDecision.ParkReason)
		assert.True(t, c.Wakeup.LastDecision.Owned())
		assert.Equal(t, l.Wakeup.Version+1, c.Wakeup.Version)
		l.Wakeup = *c.Wakeup
		require.Error(t, l.Held())
		var early *work.NotDue
		assert.False(t, errors.As(l.Held(), &early), "there is no instant to wait for")
	}
	queued := waiting(recovery.WakeupQueued)
	queued.Wakeup.Attention, queued.RecoveryOff = work.AttentionNone, true
	c, err := work.ClaimWakeup(queued, claimRequest())
	require.NoError(t, err)
	assert.True(t, c.NewRun, "what a person made due is theirs")
}

func TestAClaimAfterItsHoursWaitsForTheNext(t *testing.T) {
	t.Parallel()
	l := waiting(recovery.WakeupScheduledRetry)
	l.Wakeup.Profile.Policy.Consent.RunWindow = recovery.RunWindow{Start: 22 * 60, End: 6 * 60, Zone: "UTC"}
	c, err := work.ClaimWakeup(l, claimRequest())
	require.NoError(t, err)
	require.False(t, c.NewRun)
	assert.Equal(t, time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC), c.Wakeup.DueAt)
	assert.Equal(t, c.Wakeup.DueAt, c.Wakeup.LastDecision.RetryAt, "one instant, wherever it is shown")
	assert.Equal(t, recovery.WakeupScheduledRetry, c.Wakeup.Status)
	l.Wakeup = *c.Wakeup
	var early *work.NotDue
	require.ErrorAs(t, l.Held(), &early)
	l.Now = c.Wakeup.DueAt
	c, err = work.ClaimWakeup(l, claimRequest())
	require.NoError(t, err)
	assert.True(t, c.NewRun)
}

func TestTheSwitchMovesWhatWaitsAndNothingElse(t *testing.T) {
	t.Parallel()
	s := recovery.Defaults()
	for _, status := range recovery.WakeupStatuses() {
		l := waiting(status)
		if !status.Waiting() {
			l.Wakeup.DueAt, l.Wakeup.Attention = time.Time{}, work.AttentionNone
		}
		c, err := work.SwitchOff(l)
		require.NoError(t, err)
		require.Equal(t, status.Waiting(), c.Wakeup != nil, "%s", status)
		if c.Wakeup == nil {
			continue
		}
		l.Wakeup = *c.Wakeup
		again, err := work.SwitchOff(l)
		require.NoError(t, err)
		assert.Nil(t, again.Wakeup, "a second look changes nothing")
		on, err := work.SwitchOn(l, s)
		require.NoError(t, err)
		assert.Equal(t, recovery.WakeupQueued, on.Wakeup.Status)
		assert.Equal(t, noon, on.Wakeup.DueAt)
		assert.Equal(t, 2, on.Wakeup.Progress.Transient.Retries, "no budget comes back")
		l.Wakeup = *on.Wakeup
		again, err = work.SwitchOn(l, s)
		require.NoError(t, err)
		assert.Nil(t, again.Wakeup)
	}
	person := waiting(recovery.WakeupParked)
	person.Wakeup.DueAt, person.Wakeup.LastDecision.ParkReason = time.Time{}, recovery.ParkBudgetExhausted
	on, err := work.SwitchOn(person, s)
	require.NoError(t, err)
	assert.Nil(t, on.Wakeup, "another reason is another person's")
}

func TestAWorkspaceChangesWhatIsNamed(t *testing.T) {
	t.Parallel()
	before := access.Workspace{ID: "w", DisplayName: "W", RecoveryMode: recovery.ModePolicy}
	off := true
	after, event := work.UpdateWorkspace{Off: &off, By: "ada"}.Settle(before)
	assert.True(t, after.RecoveryOff)
	assert.Equal(t, before.DisplayName, after.DisplayName)
	assert.Equal(t, map[string]any{"display_name": "W", "recovery_mode": "policy", "recovery_off": true, "actor": "ada"}, event.Payload)
	same, _ := work.UpdateWorkspace{}.Settle(before)
	assert.Equal(t, before, same)
}
