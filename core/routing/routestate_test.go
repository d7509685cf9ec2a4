package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// Every combination of wakeup, run, decision, park and cycle has a state just
// when wakeup and run may stand together, and no row and no state is dead.
func TestEveryCombinationHasARouteState(t *testing.T) {
	t.Parallel()
	actions := []recovery.Action{"", recovery.ActionRetry, recovery.ActionWait, recovery.ActionNextCandidate, recovery.ActionPark, recovery.ActionStop}
	runs := append([]recovery.RunStatus{recovery.RunNone}, recovery.RunStatuses()...)
	seen, rows := map[routing.RouteState]bool{}, map[int]bool{}
	for _, wakeup := range recovery.WakeupStatuses() {
		for _, run := range runs {
			legal := slices.ContainsFunc(recovery.SessionStatuses(), func(s recovery.SessionStatus) bool { return recovery.Legal(s, wakeup, run) })
			for _, action := range actions {
				for _, park := range append([]recovery.ParkReason{""}, recovery.ParkReasons()...) {
					for _, moved := range []bool{false, true} {
						f := routing.RouteFacts{Wakeup: wakeup, Run: run, Action: action, Park: park, Moved: moved}
						got := routing.RouteStateOf(f)
						seen[got] = true
						rows[routing.RouteRowOf(f)] = true
						assert.Equal(t, legal, slices.Contains(routing.RouteStates(), got), "%+v: %q", f, got)
						checkRouteState(t, f, got)
					}
				}
			}
		}
	}
	for _, s := range routing.RouteStates() {
		assert.True(t, seen[s], "nothing is ever %s", s)
	}
	for i := range routing.RouteRows() {
		assert.True(t, rows[i], "row %d never decides", i)
	}
	assert.Empty(t, routing.RouteStateOf(routing.RouteFacts{Wakeup: "gremlins"}))
}

// checkRouteState holds the view against what the states promise.
func checkRouteState(t *testing.T, f routing.RouteFacts, got routing.RouteState) {
	t.Helper()
	switch got {
	case routing.RouteActive, routing.RouteStarting, routing.RouteSwitching, routing.RouteRetrying:
		assert.Equal(t, recovery.WakeupRunning, f.Wakeup, "%+v", f)
	case routing.RouteRetryWait, routing.RouteWaitingForReset:
		assert.True(t, f.Wakeup.Waiting(), "%+v", f)
		assert.True(t, f.Wakeup != recovery.WakeupParked || f.Park.Timed(), "no countdown without a deadline: %+v", f)
	case routing.RouteSelecting, routing.RouteReroutePending:
		assert.Equal(t, recovery.WakeupQueued, f.Wakeup, "%+v", f)
		assert.Equal(t, f.Moved || f.Action == recovery.ActionNextCandidate, got == routing.RouteReroutePending, "%+v", f)
	case routing.RouteActionRequired:
		assert.True(t, f.Wakeup == recovery.WakeupFailed || f.Wakeup == recovery.WakeupTimedOut || f.Wakeup == recovery.WakeupParked && !f.Park.Timed(), "%+v", f)
	case routing.RouteStopped:
		assert.True(t, f.Wakeup.Ended(), "%+v", f)
	}
}

func TestTheWayOfAPromptInStates(t *testing.T) {
	t.Parallel()
	cycle := routing.BeginCycle(1).Use("p-claude")
	left := cycle.Exclude(out("p-claude")).Use("p-codex")
	decided := func(a recovery.Action, p recovery.ParkReason) *recovery.Decision {
		return &recovery.Decision{Action: a, ParkReason: p}
	}
	for _, c := range []struct {
		wakeup recovery.WakeupStatus
		run    recovery.RunStatus
		last   *recovery.Decision
		cycle  routing.Cycle
		failed string
		want   routing.RouteState
	}{
		{recovery.WakeupQueued, recovery.RunNone, nil, routing.BeginCycle(1), "", routing.RouteSelecting},
		{recovery.WakeupRunning, recovery.RunSending, nil, cycle, "", routing.RouteStarting},
		{recovery.WakeupRunning, recovery.RunDelivered, nil, cycle, "", routing.RouteActive},
		{recovery.WakeupScheduledRetry, recovery.RunSettled, decided(recovery.ActionRetry, ""), cycle, "p-claude", routing.RouteRetryWait},
		{recovery.WakeupRunning, recovery.RunClaimed, decided(recovery.ActionRetry, ""), cycle, "p-claude", routing.RouteRetrying},
		{recovery.WakeupRunning, recovery.RunClaimed, decided(recovery.ActionRetry, ""), left, "p-claude", routing.RouteSwitching},
		{recovery.WakeupQueued, recovery.RunSettled, decided(recovery.ActionNextCandidate, ""), left, "p-claude", routing.RouteReroutePending},
		{recovery.WakeupRunning, recovery.RunClaimed, decided(recovery.ActionNextCandidate, ""), left, "p-claude", routing.RouteSwitching},
		{recovery.WakeupScheduledRetry, recovery.RunSettled, decided(recovery.ActionWait, ""), left, "p-codex", routing.RouteWaitingForReset},
		{recovery.WakeupParked, recovery.RunSettled, decided(recovery.ActionPark, recovery.ParkProviderCapacity), left, "p-codex", routing.RouteWaitingForReset},
		{recovery.WakeupParked, recovery.RunSettled, decided(recovery.ActionPark, recovery.ParkProviderActionRequired), left, "p-codex", routing.RouteActionRequired},
		{recovery.WakeupRunning, recovery.RunClaimed, decided(recovery.ActionPark, recovery.ParkProviderCapacity), cycle.Next(noon), "p-codex", routing.RouteStarting},
		{recovery.WakeupFailed, recovery.RunSettled, decided(recovery.ActionStop, ""), cycle, "p-claude", routing.RouteActionRequired},
		{recovery.WakeupCompleted, recovery.RunSettled, nil, cycle, "", routing.RouteStopped},
	} {
		f := routing.RouteFactsOf(c.wakeup, c.run, c.last, c.cycle, c.failed)
		assert.Equal(t, c.want, routing.RouteStateOf(f), "%+v", f)
	}
}
