package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// unstarted are facts of a run that a worker's host could not start.
func unstarted() recovery.Facts {
	f := launch(calm(recovery.ContextInteractive))
	f.Unattended, f.NotSent = true, true
	return f
}

func TestAHostThatCannotStartTheAgentTriesThreeTimes(t *testing.T) {
	t.Parallel()
	for _, context := range contexts() {
		f := unstarted()
		f.Context = context
		for n, want := range []time.Duration{2 * time.Minute, 10 * time.Minute, 30 * time.Minute} {
			d := decide(f, failure(classification.AgentRuntimeError))
			require.Equal(t, recovery.ActionRetry, d.Action)
			assert.Equal(t, recovery.ReasonLaunchRetry, d.Reason)
			assert.Equal(t, noon.Add(want), d.RetryAt)
			assert.Equal(t, recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: recovery.LaunchPolicy}, d.Receipt)
			assert.Equal(t, recovery.LaunchPolicy, d.Policy)
			assert.Equal(t, []int{n + 1, 3}, []int{d.Ordinal, d.MaxAttempts})
			assert.Equal(t, recovery.Progress{Runtime: n + 1}, d.Progress, "it uses no retry of any class")
			f.Progress = d.Progress
		}
		d := decide(f, failure(classification.AgentRuntimeError))
		assert.Equal(t, recovery.ActionStop, d.Action)
		assert.Equal(t, recovery.ReasonBudgetExhausted, d.Reason)
		assert.Equal(t, recovery.RemedyAskMaintainer, d.Remedy)
		assert.Equal(t, recovery.NextCheckAgent, recovery.Summarise(f, failure(classification.AgentRuntimeError), d).Next)
	}
}

func TestJitterOfALaunchNeverComesEarly(t *testing.T) {
	t.Parallel()
	r := failure(classification.AgentRuntimeError)
	d := recovery.Decide(unstarted(), r, recovery.Defaults(), noon, 0.999999)
	assert.Greater(t, d.RetryAt, noon.Add(2*time.Minute))
	assert.LessOrEqual(t, d.RetryAt.Sub(noon), 2*time.Minute+24*time.Second)
}

// Every cell: only a certain agent_runtime_error of an unattended run of which
// nothing was sent and nothing done is tried again; the budget is the pool's.
func TestEveryLaunchCell(t *testing.T) {
	t.Parallel()
	cells, tried := 0, 0
	for _, code := range allCodes() {
		for _, phase := range phases() {
			for _, effects := range allEffects() {
				for flags := range 1 << 4 {
					f := calm(recovery.ContextInteractive)
					f.Phase, f.Effects = phase, effects
					f.Unattended, f.NotSent, f.Continued = flags&1 != 0, flags&2 != 0, flags&4 != 0
					r := failure(code)
					if flags&8 != 0 {
						r.Confidence = classification.Medium
					}
					d := decide(f, r)
					want := code == classification.AgentRuntimeError && phase == evidence.PhaseLaunch && f.Unattended && f.NotSent &&
						r.Confidence == classification.High && len(recovery.Observed(effects))+len(recovery.Unproven(effects)) == 0 &&
						effects.Delivery != evidence.DeliveryAmbiguous
					require.Equal(t, want, d.Reason == recovery.ReasonLaunchRetry, "%s %+v gives %+v", code, f, d)
					require.True(t, d.Owned())
					if want && f.Continued {
						require.Equal(t, recovery.BoundaryContinuation, d.Boundary, "a prompt that had effects is never sent bare")
					}
					cells++
					if want {
						tried++
					}
				}
			}
		}
	}
	assert.Equal(t, 18*4*81*16, cells)
	assert.Equal(t, 2*2, tried, "the cell itself and its continued twin, by delivery unset and acknowledged")
}

func TestWhatStandsBeforeTheGateStopsALaunchToo(t *testing.T) {
	t.Parallel()
	for name, breakIt := range map[string]func(*recovery.Facts){
		"stale":      func(f *recovery.Facts) { f.CurrentGeneration++ },
		"foreign":    func(f *recovery.Facts) { f.Correlated = false },
		"terminal":   func(f *recovery.Facts) { f.Mode = recovery.ModeTerminal },
		"timed out":  func(f *recovery.Facts) { f.TimedOut = true },
		"supervised": func(f *recovery.Facts) { f.Unattended = false },
	} {
		f := unstarted()
		breakIt(&f)
		assert.Equal(t, recovery.ActionStop, decide(f, failure(classification.AgentRuntimeError)).Action, name)
	}
}

func TestAProviderFailureNeverUsesTheLaunchBudget(t *testing.T) {
	t.Parallel()
	for _, info := range classification.Codes() {
		if info.Code == classification.AgentRuntimeError {
			continue
		}
		d := decide(unstarted(), failure(info.Code))
		assert.Zero(t, d.Progress.Runtime, "%s", info.Code)
		assert.NotEqual(t, recovery.LaunchPolicy, d.Policy, "%s", info.Code)
	}
}

func TestALaunchOfAContinuedRunSendsWhatItWasToSend(t *testing.T) {
	t.Parallel()
	f := withResume(unstarted())
	f.Continued = true
	d := decide(f, failure(classification.AgentRuntimeError))
	assert.Equal(t, recovery.BoundaryNativeResume, d.Boundary)
	assert.True(t, d.SendContinue)
}
