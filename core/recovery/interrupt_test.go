package recovery_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestWhatDisarmsAWaitingWakeup(t *testing.T) {
	t.Parallel()
	replaced := recovery.Effect{To: recovery.WakeupCancelled, NextGeneration: true, CarryPayload: true}
	cancelled := recovery.Effect{To: recovery.WakeupCancelled}
	want := map[recovery.Interrupt]recovery.Effect{
		recovery.InterruptNewPrompt:     replaced,
		recovery.InterruptStartFresh:    replaced,
		recovery.InterruptProfileChange: cancelled,
		recovery.InterruptCancelWait:    cancelled,
		recovery.InterruptStop:          cancelled,
		recovery.InterruptSuperseded:    cancelled,
		recovery.InterruptRetryNow:      {To: recovery.WakeupQueued},
	}
	for _, status := range []recovery.WakeupStatus{recovery.WakeupScheduledRetry, recovery.WakeupParked} {
		situation := recovery.SituationOf(status, recovery.RunSettled)
		for _, i := range recovery.Interrupts() {
			assert.Equal(t, want[i], recovery.Interrupted(situation, i), "%s × %s", status, i)
		}
	}
}

func TestARunningTurnIsEndedOnlyByAStop(t *testing.T) {
	t.Parallel()
	for _, i := range recovery.Interrupts() {
		effect := recovery.Interrupted(recovery.SituationRunning, i)
		assert.Empty(t, effect.To, "%s", i)
		assert.Equal(t, i == recovery.InterruptStop || i == recovery.InterruptSuperseded, effect.RequestStop, "%s", i)
	}
	for _, i := range []recovery.Interrupt{recovery.InterruptNewPrompt, recovery.InterruptProfileChange, recovery.InterruptStartFresh} {
		assert.Equal(t, fault.ReasonSessionBusy, recovery.Interrupted(recovery.SituationRunning, i).Refused)
	}
}

func TestOnlyAPromptNobodyHasSeenTakesMore(t *testing.T) {
	t.Parallel()
	for _, s := range recovery.Situations() {
		assert.Equal(t, s == recovery.SituationFresh, recovery.Interrupted(s, recovery.InterruptNewPrompt).Coalesce, "%s", s)
	}
}

func TestADeliveredPromptIsNotCarriedIntoTheNext(t *testing.T) {
	t.Parallel()
	for _, i := range recovery.Interrupts() {
		assert.False(t, recovery.Interrupted(recovery.SituationLost, i).CarryPayload, "%s", i)
		assert.False(t, recovery.Interrupted(recovery.SituationEnded, i).CarryPayload, "%s", i)
	}
}

// Every cell exists, each transition is legal from every state of its
// situation, and a refusal changes nothing.
func TestEveryInterruptCell(t *testing.T) {
	t.Parallel()
	reached := map[recovery.Situation]bool{}
	for _, wakeup := range recovery.WakeupStatuses() {
		for _, run := range append(recovery.RunStatuses(), recovery.RunNone) {
			situation := recovery.SituationOf(wakeup, run)
			reached[situation] = true
			for _, i := range recovery.Interrupts() {
				effect := recovery.Interrupted(situation, i)
				assert.NotEqual(t, fault.ReasonInternal, effect.Refused, "%s × %s has no cell", situation, i)
				assert.True(t, effect.To == "" || wakeup.CanBecome(effect.To), "%s × %s → %s", wakeup, i, effect.To)
				if effect.Refused != "" {
					assert.Equal(t, recovery.Effect{Refused: effect.Refused}, effect)
				}
			}
		}
	}
	for _, s := range recovery.Situations() {
		assert.True(t, reached[s], "%s is never met", s)
	}
	assert.Equal(t, fault.ReasonInternal, recovery.Interrupted("limbo", recovery.InterruptStop).Refused)
	assert.Equal(t, fault.ReasonInternal, recovery.Interrupted(recovery.SituationFresh, "dance").Refused)
}
