package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestNoStateBecomesItself(t *testing.T) {
	t.Parallel()
	for _, s := range recovery.SessionStatuses() {
		assert.False(t, s.CanBecome(s), "%s", s)
	}
	for _, s := range recovery.WakeupStatuses() {
		assert.False(t, s.CanBecome(s), "%s", s)
	}
	for _, s := range recovery.RunStatuses() {
		assert.False(t, s.CanBecome(s), "%s", s)
	}
}

func TestUnknownStatesGoNowhere(t *testing.T) {
	t.Parallel()
	assert.False(t, recovery.SessionStatus("").CanBecome(recovery.SessionIdle))
	assert.False(t, recovery.WakeupStatus("zombie").CanBecome(recovery.WakeupQueued))
	assert.False(t, recovery.RunNone.CanBecome(recovery.RunClaimed), "a claim makes a run, it changes none")
	assert.False(t, recovery.Legal("zombie", "zombie", recovery.RunNone))
	assert.False(t, recovery.Hold{}.Owned())
	assert.False(t, recovery.Decision{}.Owned())
}

// The one way of a run, and the one way back that a wakeup has.
func TestTransitionsThatMustNotExist(t *testing.T) {
	t.Parallel()
	for _, to := range recovery.RunStatuses() {
		assert.False(t, recovery.RunSettled.CanBecome(to), "settled → %s", to)
		if to != recovery.RunSettled {
			assert.False(t, recovery.RunLost.CanBecome(to), "lost → %s: never launched again", to)
		}
		assert.False(t, to.CanBecome(recovery.RunClaimed), "%s → claimed", to)
	}
	assert.False(t, recovery.RunClaimed.CanBecome(recovery.RunDelivered), "BeginSend comes first")
	assert.False(t, recovery.RunClaimed.CanBecome(recovery.RunLost), "nothing was sent, so nothing is lost")
	for _, from := range recovery.WakeupStatuses() {
		for _, to := range recovery.WakeupStatuses() {
			late := from == recovery.WakeupFailed && to == recovery.WakeupCompleted
			if from.Ended() && !late {
				assert.False(t, from.CanBecome(to), "%s → %s", from, to)
			}
			if to == recovery.WakeupRunning {
				assert.Equal(t, from.Claimable(), from.CanBecome(to))
			}
			if to == recovery.WakeupCompleted && from != recovery.WakeupRunning && !late {
				assert.False(t, from.CanBecome(to), "%s → completed without a run", from)
			}
		}
	}
}

func TestEveryUnfinishedStateHasAWayOut(t *testing.T) {
	t.Parallel()
	for _, from := range recovery.WakeupStatuses() {
		if !from.Ended() {
			assert.True(t, from.CanBecome(recovery.WakeupCancelled), "%s can be cancelled", from)
		}
	}
	for _, from := range recovery.SessionStatuses() {
		if from != recovery.SessionIdle {
			assert.True(t, from.CanBecome(recovery.SessionIdle), "%s", from)
		}
	}
	for _, from := range recovery.RunStatuses() {
		if from != recovery.RunSettled {
			assert.True(t, from.CanBecome(recovery.RunSettled), "%s", from)
		}
	}
}

func TestSessionForAWakeup(t *testing.T) {
	t.Parallel()
	cases := []struct {
		wakeup  recovery.WakeupStatus
		run     recovery.RunStatus
		stopped bool
		want    recovery.SessionStatus
	}{
		{recovery.WakeupQueued, recovery.RunNone, false, recovery.SessionIdle},
		{recovery.WakeupScheduledRetry, recovery.RunSettled, false, recovery.SessionIdle},
		{recovery.WakeupParked, recovery.RunSettled, false, recovery.SessionIdle},
		{recovery.WakeupRunning, recovery.RunClaimed, false, recovery.SessionStarting},
		{recovery.WakeupRunning, recovery.RunSending, false, recovery.SessionStarting},
		{recovery.WakeupRunning, recovery.RunDelivered, false, recovery.SessionRunning},
		{recovery.WakeupRunning, recovery.RunDelivered, true, recovery.SessionRunning}, // until its child has ended
		{recovery.WakeupRunning, recovery.RunLost, false, recovery.SessionRunning},
		{recovery.WakeupCompleted, recovery.RunSettled, false, recovery.SessionIdle},
		{recovery.WakeupFailed, recovery.RunSettled, false, recovery.SessionFailed},
		{recovery.WakeupTimedOut, recovery.RunSettled, false, recovery.SessionFailed},
		{recovery.WakeupCancelled, recovery.RunSettled, false, recovery.SessionIdle},
		{recovery.WakeupCancelled, recovery.RunSettled, true, recovery.SessionStopped},
	}
	for _, c := range cases {
		got := recovery.SessionFor(c.wakeup, c.run, c.stopped)
		assert.Equal(t, c.want, got, "%+v", c)
		assert.True(t, recovery.Legal(got, c.wakeup, c.run), "%+v", c)
	}
}

func TestWakeupAfterADecision(t *testing.T) {
	t.Parallel()
	want := map[recovery.Action]recovery.WakeupStatus{
		recovery.ActionRetry:         recovery.WakeupScheduledRetry,
		recovery.ActionWait:          recovery.WakeupScheduledRetry,
		recovery.ActionNextCandidate: recovery.WakeupQueued,
		recovery.ActionPark:          recovery.WakeupParked,
		recovery.ActionStop:          recovery.WakeupFailed,
	}
	for action, status := range want {
		assert.Equal(t, status, recovery.WakeupAfter(recovery.Decision{Action: action}))
		assert.True(t, recovery.WakeupRunning.CanBecome(status))
	}
	timedOut := recovery.Decision{Action: recovery.ActionStop, Reason: recovery.Reason(recovery.StopTimedOut)}
	assert.Equal(t, recovery.WakeupTimedOut, recovery.WakeupAfter(timedOut))
	assert.Equal(t, recovery.WakeupFailed, recovery.WakeupAfter(recovery.Decision{Action: "dance"}), "what nobody knows stops")
}

// Whatever a decision leaves behind is held by a deadline or a person.
func TestEveryDecisionLeavesAnOwnedWakeup(t *testing.T) {
	t.Parallel()
	broken := 0
	eachCell(func(f recovery.Facts, r classification.Result) {
		d := decide(f, r)
		hold := recovery.Hold{
			Wakeup: recovery.WakeupAfter(d), Run: recovery.RunSettled,
			DueAt: d.RetryAt, ParkReason: d.ParkReason, Reason: d.Reason, Remedy: d.Remedy,
		}
		if d.Action == recovery.ActionNextCandidate {
			hold.DueAt = noon
		}
		if !hold.Owned() && broken < 5 {
			broken++
			t.Errorf("%+v is owned by nobody", d)
		}
	})
}

func TestHoldsWithoutAnOwner(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		hold  recovery.Hold
		owned bool
	}{
		"queued without an instant":          {recovery.Hold{Wakeup: recovery.WakeupQueued}, false},
		"queued":                             {recovery.Hold{Wakeup: recovery.WakeupQueued, DueAt: noon}, true},
		"scheduled without an instant":       {recovery.Hold{Wakeup: recovery.WakeupScheduledRetry, Run: recovery.RunSettled}, false},
		"parked for capacity without timer":  {recovery.Hold{Wakeup: recovery.WakeupParked, ParkReason: recovery.ParkProviderCapacity, Remedy: recovery.RemedyWait}, false},
		"parked outside the window":          {recovery.Hold{Wakeup: recovery.WakeupParked, ParkReason: recovery.ParkOutsideRunWindow, DueAt: noon}, true},
		"parked for a person without remedy": {recovery.Hold{Wakeup: recovery.WakeupParked, ParkReason: recovery.ParkProviderActionRequired}, false},
		"parked for a person":                {recovery.Hold{Wakeup: recovery.WakeupParked, ParkReason: recovery.ParkProviderActionRequired, Remedy: recovery.RemedyPay}, true},
		"parked for nothing":                 {recovery.Hold{Wakeup: recovery.WakeupParked, Remedy: recovery.RemedyPay}, false},
		"running without a lease":            {recovery.Hold{Wakeup: recovery.WakeupRunning, Run: recovery.RunDelivered}, false},
		"running without a run":              {recovery.Hold{Wakeup: recovery.WakeupRunning, LeaseExpiresAt: noon}, false},
		"running":                            {recovery.Hold{Wakeup: recovery.WakeupRunning, Run: recovery.RunClaimed, LeaseExpiresAt: noon}, true},
		"lost without grace":                 {recovery.Hold{Wakeup: recovery.WakeupRunning, Run: recovery.RunLost, LeaseExpiresAt: noon}, false},
		"lost":                               {recovery.Hold{Wakeup: recovery.WakeupRunning, Run: recovery.RunLost, GraceEndsAt: noon}, true},
		"failed without a remedy":            {recovery.Hold{Wakeup: recovery.WakeupFailed, Reason: recovery.ReasonPersonRequired}, false},
		"cancelled":                          {recovery.Hold{Wakeup: recovery.WakeupCancelled}, true},
	}
	for name, c := range cases {
		assert.Equal(t, c.owned, c.hold.Owned(), name)
	}
	for _, p := range recovery.ParkReasons() {
		hold := recovery.Hold{Wakeup: recovery.WakeupParked, ParkReason: p, Remedy: recovery.RemedyWait, DueAt: noon.Add(time.Hour)}
		assert.True(t, hold.Owned(), "%s", p)
	}
}
