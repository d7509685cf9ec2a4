package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// held are the fences of the rightful holder of a run with a fresh lease.
func held(run recovery.RunStatus) recovery.RunFacts {
	return recovery.RunFacts{
		Run: run, Wakeup: recovery.WakeupRunning,
		TokenMatches: true, GenerationCurrent: true, LeaseRemaining: 30 * time.Second,
	}
}

func expired(run recovery.RunStatus) recovery.RunFacts {
	f := held(run)
	f.TokenMatches, f.LeaseRemaining = false, 0
	return f
}

func advance(f recovery.RunFacts, e recovery.RunEvent) recovery.Step {
	return recovery.Advance(f, e, recovery.Defaults())
}

func TestLeaseExpiry(t *testing.T) {
	t.Parallel()
	assert.Equal(t, recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupQueued, Outcome: recovery.OutcomeNotSent},
		advance(expired(recovery.RunClaimed), recovery.EventLeaseExpired), "nothing left: armed again")
	assert.Equal(t, recovery.Step{Run: recovery.RunLost, Wakeup: recovery.WakeupFailed, Outcome: recovery.OutcomeAmbiguous, StopReason: recovery.StopAmbiguousDelivery},
		advance(expired(recovery.RunSending), recovery.EventLeaseExpired), "it may have left: a person")
	assert.Equal(t, recovery.Step{Run: recovery.RunLost, StartGrace: true},
		advance(expired(recovery.RunDelivered), recovery.EventLeaseExpired), "the agent has it: lost, never launched again")
	for _, run := range []recovery.RunStatus{recovery.RunSettled, recovery.RunLost} {
		assert.Equal(t, fault.ReasonStaleVersion, advance(expired(run), recovery.EventLeaseExpired).Refused, "%s", run)
	}
	for _, run := range recovery.RunStatuses() {
		if run.Live() {
			assert.Equal(t, fault.ReasonStaleVersion, advance(held(run), recovery.EventLeaseExpired).Refused, "%s: the heartbeat was faster", run)
		}
	}
}

func TestGraceEndsOnlyForALostRun(t *testing.T) {
	t.Parallel()
	for _, run := range recovery.RunStatuses() {
		step := advance(expired(run), recovery.EventGraceEnded)
		if run != recovery.RunLost {
			assert.Equal(t, fault.ReasonStaleVersion, step.Refused, "%s", run)
			continue
		}
		assert.Equal(t, recovery.Step{Wakeup: recovery.WakeupFailed, StopReason: recovery.StopAmbiguousDelivery}, step)
	}
}

func TestBeginSendNeedsEverything(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*recovery.RunFacts)
		want   fault.Reason
	}{
		"all is well":                   {func(*recovery.RunFacts) {}, ""},
		"exactly the margin":            {func(f *recovery.RunFacts) { f.LeaseRemaining = 10 * time.Second }, ""},
		"less than the margin":          {func(f *recovery.RunFacts) { f.LeaseRemaining = 10*time.Second - 1 }, fault.ReasonStaleLease},
		"an expired lease":              {func(f *recovery.RunFacts) { f.LeaseRemaining = -time.Hour }, fault.ReasonStaleLease},
		"a wrong token":                 {func(f *recovery.RunFacts) { f.TokenMatches = false }, fault.ReasonStaleLease},
		"a newer generation":            {func(f *recovery.RunFacts) { f.GenerationCurrent = false }, fault.ReasonStaleGeneration},
		"a stop that was asked for":     {func(f *recovery.RunFacts) { f.StopRequested = true }, fault.ReasonStaleLease},
		"a cancelled wakeup":            {func(f *recovery.RunFacts) { f.Wakeup = recovery.WakeupCancelled }, fault.ReasonStaleLease},
		"a second BeginSend":            {func(f *recovery.RunFacts) { f.Run = recovery.RunSending }, fault.ReasonStaleVersion},
		"a BeginSend after delivery":    {func(f *recovery.RunFacts) { f.Run = recovery.RunDelivered }, fault.ReasonStaleVersion},
		"a BeginSend after the outcome": {func(f *recovery.RunFacts) { f.Run = recovery.RunSettled }, fault.ReasonRunAlreadySettled},
		"a BeginSend of a lost run":     {func(f *recovery.RunFacts) { f.Run = recovery.RunLost }, fault.ReasonStaleLease},
	}
	for name, c := range cases {
		f := held(recovery.RunClaimed)
		c.change(&f)
		step := advance(f, recovery.EventBeginSend)
		assert.Equal(t, c.want, step.Refused, name)
		assert.Equal(t, c.want == "", step.Run == recovery.RunSending, name)
	}
}

// What a report leads to.
var (
	success = recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupCompleted, Outcome: recovery.OutcomeSucceeded}
	decided = recovery.Step{Run: recovery.RunSettled, ByDecision: true, Outcome: recovery.OutcomeFailed}
	onlyRun = recovery.Step{Run: recovery.RunSettled, Outcome: recovery.OutcomeFailed}
	late    = recovery.Step{LateEvidence: true}
)

func TestReports(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		run   recovery.RunStatus
		event recovery.RunEvent
		with  func(*recovery.RunFacts)
		want  recovery.Step
	}{
		{"success", recovery.RunDelivered, recovery.EventReportSuccess, nil, success},
		{"success whose MarkDelivered was lost", recovery.RunSending, recovery.EventReportSuccess, nil, success},
		{"success before BeginSend", recovery.RunClaimed, recovery.EventReportSuccess, nil, recovery.Step{Refused: fault.ReasonRunNotSent}},
		{"failure", recovery.RunDelivered, recovery.EventReportFailure, nil, decided},
		{"failure of the launch", recovery.RunClaimed, recovery.EventReportFailure, nil, decided},
		{"a second settle", recovery.RunSettled, recovery.EventReportSuccess, nil, recovery.Step{Refused: fault.ReasonRunAlreadySettled}},
		{"a stranger's", recovery.RunDelivered, recovery.EventReportSuccess, func(f *recovery.RunFacts) { f.TokenMatches = false }, recovery.Step{Refused: fault.ReasonStaleLease}},
		{"a stranger's after the settle", recovery.RunSettled, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.TokenMatches = false }, recovery.Step{Refused: fault.ReasonStaleLease}},
		{"late success within the grace", recovery.RunLost, recovery.EventReportSuccess, nil, success},
		{"late success after the grace", recovery.RunLost, recovery.EventReportSuccess, func(f *recovery.RunFacts) { f.Wakeup = recovery.WakeupFailed }, success},
		{"late failure within the grace", recovery.RunLost, recovery.EventReportFailure, nil, decided},
		{"late failure after the grace starts nothing", recovery.RunLost, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.Wakeup = recovery.WakeupFailed }, onlyRun},
		{"late after a person acted", recovery.RunLost, recovery.EventReportSuccess, func(f *recovery.RunFacts) { f.PersonActed = true }, late},
		{"late after a newer prompt", recovery.RunLost, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.GenerationCurrent = false }, late},
		{
			"failure of a stopped run", recovery.RunDelivered, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.StopRequested = true },
			recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupCancelled, Outcome: recovery.OutcomeCancelled},
		},
		{"success that the stop did not reach", recovery.RunDelivered, recovery.EventReportSuccess, func(f *recovery.RunFacts) { f.StopRequested = true }, success},
		{
			"failure of a superseded prompt", recovery.RunDelivered, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.GenerationCurrent = false },
			recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupCancelled, Outcome: recovery.OutcomeFailed},
		},
		{"failure after the wakeup was cancelled", recovery.RunDelivered, recovery.EventReportFailure, func(f *recovery.RunFacts) { f.Wakeup = recovery.WakeupCancelled }, onlyRun},
		{"exec failed", recovery.RunSending, recovery.EventNotSent, nil, recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupQueued, Outcome: recovery.OutcomeNotSent}},
		{
			"exec failed after a stop", recovery.RunSending, recovery.EventNotSent, func(f *recovery.RunFacts) { f.StopRequested = true },
			recovery.Step{Run: recovery.RunSettled, Wakeup: recovery.WakeupCancelled, Outcome: recovery.OutcomeNotSent},
		},
		{"not sent, says who delivered", recovery.RunDelivered, recovery.EventNotSent, nil, recovery.Step{Refused: fault.ReasonStaleVersion}},
		{
			"not sent, says a lost one", recovery.RunLost, recovery.EventNotSent, func(f *recovery.RunFacts) { f.Wakeup = recovery.WakeupFailed },
			recovery.Step{Run: recovery.RunSettled, Outcome: recovery.OutcomeNotSent},
		},
		{"a heartbeat", recovery.RunDelivered, recovery.EventHeartbeat, nil, recovery.Step{RenewLease: true}},
		{"a heartbeat of a lost run ends its child", recovery.RunLost, recovery.EventHeartbeat, nil, recovery.Step{Refused: fault.ReasonStaleLease}},
		{"a repeated MarkDelivered", recovery.RunDelivered, recovery.EventMarkDelivered, nil, recovery.Step{RenewLease: true}},
		{"MarkDelivered before BeginSend", recovery.RunClaimed, recovery.EventMarkDelivered, nil, recovery.Step{Refused: fault.ReasonRunNotSent}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := held(c.run)
			if c.with != nil {
				c.with(&f)
			}
			assert.Equal(t, c.want, advance(f, c.event))
		})
	}
}

// Every cell exists, every step is legal, and nothing but what is known not to
// have been sent arms a wakeup again.
func TestEveryDispatchCell(t *testing.T) {
	t.Parallel()
	outcomes := map[recovery.RunOutcome]bool{recovery.OutcomeCancelled: true} // by a stop only
	for _, run := range recovery.RunStatuses() {
		for _, event := range recovery.RunEvents() {
			f := expired(run)
			f.TokenMatches = true
			if event == recovery.EventBeginSend {
				f.LeaseRemaining = time.Minute
			}
			step := advance(f, event)
			assert.NotEqual(t, fault.ReasonInternal, step.Refused, "%s × %s has no cell", run, event)
			if step.Refused != "" {
				assert.Equal(t, recovery.Step{Refused: step.Refused}, step, "a refusal changes nothing")
				continue
			}
			assert.True(t, step.Run == "" || run.CanBecome(step.Run), "%s → %s", run, step.Run)
			assert.True(t, step.Wakeup == "" || recovery.WakeupRunning.CanBecome(step.Wakeup), "wakeup → %s", step.Wakeup)
			outcomes[step.Outcome] = true
			assert.False(t, step.ByDecision && step.Wakeup != "")
			assert.Equal(t, step.Wakeup == recovery.WakeupFailed, step.StopReason != "", "who fails says why")
			if step.Wakeup == recovery.WakeupQueued {
				assert.Equal(t, recovery.OutcomeNotSent, step.Outcome)
			}
		}
	}
	for _, outcome := range recovery.RunOutcomes() {
		assert.True(t, outcomes[outcome], "%s is never an outcome", outcome)
	}
	assert.Equal(t, fault.ReasonInternal, advance(held("zombie"), recovery.EventHeartbeat).Refused)
	assert.Equal(t, fault.ReasonInternal, advance(held(recovery.RunClaimed), "dance").Refused)
}
