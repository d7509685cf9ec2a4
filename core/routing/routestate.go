package routing

import (
	"slices"

	"github.com/recourse-dev/recourse/core/recovery"
)

// RouteState is where a prompt is on its way through the candidates. It is not
// stored: it follows from wakeup, run, decision and cycle.
type RouteState string

// The route states.
const (
	RouteSelecting       RouteState = "selecting"         // the next claim chooses
	RouteStarting        RouteState = "starting"          // a first launch is on its way
	RouteActive          RouteState = "active"            // the agent has the prompt
	RouteReroutePending  RouteState = "reroute_pending"   // a candidate left, the next claim takes another
	RouteSwitching       RouteState = "switching"         // the launch of another candidate is on its way
	RouteRetryWait       RouteState = "retry_wait"        // the same candidate again, after its delay
	RouteWaitingForReset RouteState = "waiting_for_reset" // nothing before an instant
	RouteRetrying        RouteState = "retrying"          // the launch of the same candidate is on its way
	RouteActionRequired  RouteState = "action_required"   // a person must act
	RouteStopped         RouteState = "stopped"           // nothing more happens
)

// RouteStates lists every route state.
func RouteStates() []RouteState {
	return []RouteState{
		RouteSelecting, RouteStarting, RouteActive, RouteReroutePending, RouteSwitching,
		RouteRetryWait, RouteWaitingForReset, RouteRetrying, RouteActionRequired, RouteStopped,
	}
}

// RouteFacts are what the view is made from.
type RouteFacts struct {
	Wakeup recovery.WakeupStatus
	Run    recovery.RunStatus  // of the newest run, RunNone before the first
	Action recovery.Action     // of the last decision, "" before the first
	Park   recovery.ParkReason // of a parked wakeup
	// Moved says that the candidate of the last run that failed is out of the cycle.
	Moved bool
}

// RouteFactsOf takes what the view needs. failedProfile is the profile of the
// last run that failed, "" if none has.
func RouteFactsOf(wakeup recovery.WakeupStatus, run recovery.RunStatus, last *recovery.Decision, cycle Cycle, failedProfile string) RouteFacts {
	f := RouteFacts{Wakeup: wakeup, Run: run}
	if last != nil {
		f.Action, f.Park = last.Action, last.ParkReason
	}
	if failedProfile != "" {
		_, f.Moved = cycle.Has(failedProfile)
	}
	return f
}

// routeRow gives a state to all facts that it matches; an empty list matches any.
type routeRow struct {
	wakeups []recovery.WakeupStatus
	runs    []recovery.RunStatus
	actions []recovery.Action
	parks   []recovery.ParkReason
	moved   bool // only if Moved
	state   RouteState
}

var onTheWay = []recovery.RunStatus{recovery.RunClaimed, recovery.RunSending}

// routeTable is walked from the top; the first row that matches decides.
var routeTable = []routeRow{
	{wakeups: []recovery.WakeupStatus{recovery.WakeupQueued}, moved: true, state: RouteReroutePending},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupQueued}, actions: []recovery.Action{recovery.ActionNextCandidate}, state: RouteReroutePending},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupQueued}, state: RouteSelecting},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupRunning}, runs: onTheWay, moved: true, state: RouteSwitching},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupRunning}, runs: onTheWay, actions: []recovery.Action{recovery.ActionNextCandidate}, state: RouteSwitching},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupRunning}, runs: onTheWay, actions: []recovery.Action{recovery.ActionRetry, recovery.ActionWait}, state: RouteRetrying},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupRunning}, runs: onTheWay, state: RouteStarting},
	// Of a lost run nobody knows; until its grace ends the agent may be at work.
	{wakeups: []recovery.WakeupStatus{recovery.WakeupRunning}, state: RouteActive},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupScheduledRetry}, actions: []recovery.Action{recovery.ActionWait}, state: RouteWaitingForReset},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupScheduledRetry}, state: RouteRetryWait},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupParked}, parks: []recovery.ParkReason{recovery.ParkProviderCapacity, recovery.ParkOutsideRunWindow}, state: RouteWaitingForReset},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupParked}, state: RouteActionRequired},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupFailed, recovery.WakeupTimedOut}, state: RouteActionRequired},
	{wakeups: []recovery.WakeupStatus{recovery.WakeupCompleted, recovery.WakeupCancelled}, state: RouteStopped},
}

// RouteStateOf gives the state of every wakeup and run that may stand together;
// "" for those that may not.
func RouteStateOf(f RouteFacts) RouteState {
	if i := rowOf(f); i >= 0 {
		return routeTable[i].state
	}
	return ""
}

// rowOf is the row that decides, -1 if wakeup and run may not stand together.
func rowOf(f RouteFacts) int {
	if !legal(f.Wakeup, f.Run) {
		return -1
	}
	return slices.IndexFunc(routeTable, func(r routeRow) bool { return r.matches(f) })
}

func legal(wakeup recovery.WakeupStatus, run recovery.RunStatus) bool {
	return slices.ContainsFunc(recovery.SessionStatuses(), func(s recovery.SessionStatus) bool { return recovery.Legal(s, wakeup, run) })
}

func (r routeRow) matches(f RouteFacts) bool {
	return in(r.wakeups, f.Wakeup) && in(r.runs, f.Run) && in(r.actions, f.Action) && in(r.parks, f.Park) && (!r.moved || f.Moved)
}

func in[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }
