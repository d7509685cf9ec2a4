package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestABoundOfThePromptParksWhatWouldGoOn(t *testing.T) {
	t.Parallel()
	w := start(t)
	dear := overloaded()
	dear.cost = 2.5
	for name, c := range map[string]struct {
		consent *v1.Consent
		preset  v1.PolicyPreset
		failure failure
		want    v1.ParkReason
	}{
		"cost":   {&v1.Consent{MaxCostPerRunUsd: 2}, v1.PolicyPreset_POLICY_PRESET_INTERACTIVE, dear, v1.ParkReason_PARK_REASON_BUDGET_EXHAUSTED},
		"runs":   {&v1.Consent{MaxAttemptsPerDay: 1}, v1.PolicyPreset_POLICY_PRESET_INTERACTIVE, overloaded(), v1.ParkReason_PARK_REASON_BUDGET_EXHAUSTED},
		"waits":  {&v1.Consent{MaxTotalWait: durationpb.New(10 * time.Second)}, v1.PolicyPreset_POLICY_PRESET_PATIENT, limited("50"), v1.ParkReason_PARK_REASON_BUDGET_EXHAUSTED},
		"window": {&v1.Consent{RunWindow: closedNow()}, v1.PolicyPreset_POLICY_PRESET_INTERACTIVE, overloaded(), v1.ParkReason_PARK_REASON_OUTSIDE_RUN_WINDOW},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{T: t, server: w.server, c: w.c}
			policy := &v1.PolicyChoice{Preset: c.preset, Consent: c.consent}
			id := w.begin(policy)
			answer := w.fail(w.deliver(w.claim(id)), c.failure)
			require.Equal(t, v1.Action_ACTION_PARK, answer.GetDecision().GetAction(), "%v", answer.GetDecision())
			require.Equal(t, c.want, answer.GetDecision().GetParkReason())
			stored := w.wakeup(id)
			require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_PARKED, stored.GetStatus())
			require.Equal(t, c.consent.String(), stored.GetProfile().GetPolicy().GetConsent().String())
			if c.want == v1.ParkReason_PARK_REASON_OUTSIDE_RUN_WINDOW {
				require.Equal(t, v1.Attention_ATTENTION_DEADLINE, stored.GetAttention())
				require.Equal(t, answer.GetDecision().GetRetryAt().AsTime(), stored.GetDueAt().AsTime())
				require.True(t, stored.GetDueAt().AsTime().After(time.Now()))
				require.Equal(t, v1.ReceiptKind_RECEIPT_KIND_PERSON, answer.GetDecision().GetReceipt().GetKind())
				return
			}
			require.Equal(t, v1.Attention_ATTENTION_PERSON, stored.GetAttention())
			require.Nil(t, stored.GetDueAt())
		})
	}
}

// closedNow is a window of one minute that began twelve hours away.
func closedNow() *v1.RunWindow {
	now := time.Now().UTC()
	minute := int32((now.Hour()*60 + now.Minute() + 720) % 1440)
	return &v1.RunWindow{StartMinute: minute, EndMinute: (minute + 1) % 1440, TimeZone: "UTC"}
}

func TestAFirstRunOfAWorkerWaitsForItsHours(t *testing.T) {
	t.Parallel()
	w := start(t)
	closed := w.beginForWorkers(&v1.PolicyChoice{Consent: &v1.Consent{RunWindow: closedNow()}})
	open := w.beginForWorkers(nil)
	claim := w.claim("")
	require.Equal(t, open, claim.GetWakeup().GetWakeupId(), "the older one is not in its hours")
	waiting := w.wakeup(closed)
	require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_QUEUED, waiting.GetStatus())
	require.Greater(t, time.Until(waiting.GetDueAt().AsTime()), 11*time.Hour)
	require.Zero(t, waiting.GetRunCount())
}

func TestAConsentThatNoDecisionCouldGoByIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	for field, consent := range map[string]*v1.Consent{
		"profile.policy.consent.run_window.time_zone":  {RunWindow: &v1.RunWindow{StartMinute: 1, EndMinute: 2, TimeZone: "Mars/Olympus"}},
		"profile.policy.consent.run_window.end_minute": {RunWindow: &v1.RunWindow{StartMinute: 60, EndMinute: 60, TimeZone: "UTC"}},
	} {
		_, err := w.c.Recovery.BeginPrompt(t.Context(), &v1.BeginPromptRequest{
			Delivery: v1.DeliveryMode_DELIVERY_MODE_CALLER, Supervisor: me, Profile: profile(&v1.PolicyChoice{Consent: consent}),
		})
		require.Error(t, err)
		f := fault.From(err)
		require.Equal(t, fault.InvalidArgument, f.Kind)
		require.Len(t, f.Violations, 1)
		require.Equal(t, field, f.Violations[0].Field)
	}
}
