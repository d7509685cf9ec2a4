package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// delivered is a delivered run of a worker's wakeup, or of a caller's.
func delivered(delivery work.Delivery, send work.SendKind) work.Locked {
	return work.Locked{
		Session: work.Session{ID: "session", State: recovery.SessionRunning, Generation: 1, NativeSessionID: "native", Version: 3},
		Wakeup: work.Wakeup{
			ID: "wakeup", SessionID: "session", Generation: 1, Status: recovery.WakeupRunning, RunCount: 1, LastRunID: "run",
			Profile:  work.Profile{AgentKind: "opencode", AgentVersion: "1.0.0"},
			NextSend: send, NativeSessionID: "native", Version: 3, Delivery: delivery,
		},
		Run: work.Run{
			ID: "run", WakeupID: "wakeup", SessionID: "session", Generation: 1, State: recovery.RunDelivered, Send: send,
			Effects: evidence.NoEffects(), NativeSessionID: "native", LeaseExpiresAt: noon.Add(time.Minute), Version: 3,
		},
		TokenHash: work.HashToken("token"), Mode: recovery.ModePolicy, Now: noon,
	}
}

func failed(code classification.Code, phase evidence.Phase, effects evidence.Effects, signals ...evidence.Signal) work.Failure {
	if len(signals) == 0 {
		signals = []evidence.Signal{{Kind: evidence.KindStderr, Text: "it failed"}}
	}
	return work.Failure{
		Token:    "token",
		Envelope: evidence.Envelope{Phase: phase, Effects: effects, Signals: signals},
		Result: classification.Result{
			Code: code, Class: classification.ClassOf(code), Confidence: classification.High, Throttle: classification.ThrottleUnknown, OccurredAt: noon,
		},
		Settings: recovery.Defaults(),
	}
}

func acted() evidence.Effects {
	e := evidence.NoEffects()
	e.ToolActivity = evidence.EffectSeen
	return e
}

func TestWhatAWorkerSendsAfterEffectsIsFresh(t *testing.T) {
	t.Parallel()
	c, err := work.Fail(delivered(work.DeliveryWorker, work.SendPrompt), failed(classification.ProviderOverloaded, evidence.PhasePostOutput, acted()))
	require.NoError(t, err)
	assert.Equal(t, recovery.BoundaryContinuation, c.Report.Decision.Boundary)
	assert.Equal(t, recovery.WakeupScheduledRetry, c.Wakeup.Status)
	assert.Equal(t, work.SendFresh, c.Wakeup.NextSend)
	assert.Empty(t, c.Wakeup.NativeSessionID, "the next run begins a session of its own")

	l := delivered(work.DeliveryWorker, work.SendPrompt)
	l.Wakeup = *c.Wakeup
	l.Now = c.Wakeup.DueAt
	l.Session = *c.Session
	claim, err := work.ClaimWakeup(l, work.ClaimRequest{RunID: "next", Settings: recovery.Defaults()})
	require.NoError(t, err)
	assert.Equal(t, work.SendFresh, claim.Run.Send)
	assert.Empty(t, claim.Run.NativeSessionID)
}

func TestACallerWhoMaySeeItIsAskedAfterEffects(t *testing.T) {
	t.Parallel()
	c, err := work.Fail(delivered(work.DeliveryCaller, work.SendPrompt), failed(classification.ProviderOverloaded, evidence.PhasePostOutput, acted()))
	require.NoError(t, err)
	assert.Equal(t, recovery.ActionStop, c.Report.Decision.Action)
	assert.Equal(t, recovery.Reason(recovery.StopEffectsObserved), c.Report.Decision.Reason)
}

// A run that was continued or begun fresh and did nothing itself is no proof
// that nothing was done: the bare prompt never follows.
func TestTheBarePromptNeverFollowsAContinuedRun(t *testing.T) {
	t.Parallel()
	for _, send := range []work.SendKind{work.SendContinue, work.SendFresh} {
		for _, delivery := range []work.Delivery{work.DeliveryWorker, work.DeliveryCaller} {
			l := delivered(delivery, send)
			c, err := work.Fail(l, failed(classification.ProviderOverloaded, evidence.PhasePreOutput, evidence.NoEffects()))
			require.NoError(t, err)
			assert.NotEqual(t, work.SendPrompt, c.Wakeup.NextSend, "%s %s", delivery, send)
			if delivery == work.DeliveryCaller {
				assert.Equal(t, recovery.ActionStop, c.Report.Decision.Action)
			} else {
				assert.Equal(t, work.SendFresh, c.Wakeup.NextSend)
			}
		}
	}
}

func TestAFreshRunLeavesTheOldNativeSession(t *testing.T) {
	t.Parallel()
	claimed := func(send work.SendKind) work.Locked {
		l := delivered(work.DeliveryWorker, send)
		l.Session.State, l.Run.State, l.Run.NativeSessionID = recovery.SessionStarting, recovery.RunClaimed, ""
		l.Session.Replied = true
		return l
	}
	c, err := work.BeginSend(claimed(work.SendFresh), "token", recovery.Defaults())
	require.NoError(t, err)
	require.NotNil(t, c.Session)
	assert.Empty(t, c.Session.NativeSessionID)
	assert.False(t, c.Session.Replied)
	c, err = work.BeginSend(claimed(work.SendContinue), "token", recovery.Defaults())
	require.NoError(t, err)
	assert.Nil(t, c.Session, "a continued run keeps it")
}

func TestEveryBoundaryHasItsSend(t *testing.T) {
	t.Parallel()
	sends := map[work.SendKind]bool{}
	for _, b := range recovery.Boundaries() {
		send := work.SendAfter(recovery.Decision{Boundary: b})
		require.NotEmpty(t, send, "%s", b)
		sends[send] = true
	}
	assert.Len(t, sends, 3)
	assert.Empty(t, work.SendAfter(recovery.Decision{}))
}

func TestAHostThatCannotStartIsTheWorkerPoolsToMend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		delivery work.Delivery
		state    recovery.RunStatus
		signal   evidence.Signal
		want     recovery.Reason
	}{
		{"claimed, host full", work.DeliveryWorker, recovery.RunClaimed, evidence.Signal{Kind: evidence.KindStderr, Text: "no space left"}, recovery.ReasonLaunchRetry},
		{"sending, spawn failed", work.DeliveryWorker, recovery.RunSending, evidence.Signal{Kind: evidence.KindProcessExit}, recovery.ReasonLaunchRetry},
		{"sending, a process was there", work.DeliveryWorker, recovery.RunSending, evidence.Signal{Kind: evidence.KindProcessExit, ExitSignal: "SIGKILL"}, recovery.Reason(recovery.StopNonProvider)},
		{"delivered", work.DeliveryWorker, recovery.RunDelivered, evidence.Signal{Kind: evidence.KindProcessExit}, recovery.Reason(recovery.StopNonProvider)},
		{"a caller's own host", work.DeliveryCaller, recovery.RunClaimed, evidence.Signal{Kind: evidence.KindProcessExit}, recovery.Reason(recovery.StopNonProvider)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := delivered(c.delivery, work.SendPrompt)
			l.Run.State = c.state
			if c.state != recovery.RunDelivered {
				l.Session.State = recovery.SessionStarting
			}
			change, err := work.Fail(l, failed(classification.AgentRuntimeError, evidence.PhaseLaunch, evidence.NoEffects(), c.signal))
			require.NoError(t, err)
			assert.Equal(t, c.want, change.Report.Decision.Reason)
			if c.want == recovery.ReasonLaunchRetry {
				assert.Equal(t, recovery.WakeupScheduledRetry, change.Wakeup.Status)
				assert.Equal(t, noon.Add(2*time.Minute), change.Wakeup.DueAt)
				assert.Equal(t, 1, change.Wakeup.Progress.Runtime)
				assert.Equal(t, work.SendPrompt, change.Wakeup.NextSend)
				assert.Zero(t, change.Wakeup.RetryCount(), "no retry of a class was used")
			}
		})
	}
}

func TestTheOffSwitchParksWhatWouldHaveBeenRetried(t *testing.T) {
	t.Parallel()
	l := delivered(work.DeliveryCaller, work.SendPrompt)
	l.RecoveryOff = true
	c, err := work.Fail(l, failed(classification.ProviderOverloaded, evidence.PhasePreOutput, evidence.NoEffects()))
	require.NoError(t, err)
	assert.Equal(t, recovery.WakeupParked, c.Wakeup.Status)
	assert.Equal(t, work.AttentionPerson, c.Wakeup.Attention)
	assert.Zero(t, c.Wakeup.DueAt)
	last := c.Events[len(c.Events)-1]
	assert.Equal(t, "recovery_off", last.Payload["park_reason"])
}

func TestConsentIsHeldAgainstTheRunsAndTheirCost(t *testing.T) {
	t.Parallel()
	l := delivered(work.DeliveryWorker, work.SendPrompt)
	l.Wakeup.Profile.Policy.Consent = recovery.Consent{MaxAttemptsPerDay: 2, MaxCostPerRun: 1}
	l.RunsLastDay = 1
	in := failed(classification.ProviderOverloaded, evidence.PhasePreOutput, evidence.NoEffects())
	c, err := work.Fail(l, in)
	require.NoError(t, err)
	assert.Equal(t, recovery.WakeupScheduledRetry, c.Wakeup.Status)
	in.CostUSD = 1.5
	c, err = work.Fail(l, in)
	require.NoError(t, err)
	assert.Equal(t, recovery.ParkBudgetExhausted, c.Report.Decision.ParkReason)
	in.CostUSD, l.RunsLastDay = 0, 2
	c, err = work.Fail(l, in)
	require.NoError(t, err)
	assert.Equal(t, recovery.ParkBudgetExhausted, c.Report.Decision.ParkReason)
}
