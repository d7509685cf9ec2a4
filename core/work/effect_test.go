package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/work"
)

var (
	anyEffect   = rapid.SampledFrom([]evidence.Effect{evidence.EffectNone, evidence.EffectUnknown, evidence.EffectSeen})
	anyDelivery = rapid.SampledFrom([]evidence.Delivery{"", evidence.DeliveryAcknowledged, evidence.DeliveryAmbiguous})
	anyEffects  = rapid.Custom(func(t *rapid.T) evidence.Effects {
		return evidence.Effects{
			AssistantOutput: anyEffect.Draw(t, "output"), ToolActivity: anyEffect.Draw(t, "tool"),
			PartialResult: anyEffect.Draw(t, "partial"), Delivery: anyDelivery.Draw(t, "delivery"),
		}
	})
	rank = map[evidence.Effect]int{evidence.EffectNone: 0, evidence.EffectUnknown: 1, evidence.EffectSeen: 2}
)

func TestEffectsOnlyRise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyEffects.Draw(t, "a"), anyEffects.Draw(t, "b")
		joined := work.JoinEffects(a, b)
		require.Equal(t, joined, work.JoinEffects(joined, b), "idempotent")
		for _, flag := range [][3]evidence.Effect{
			{a.AssistantOutput, b.AssistantOutput, joined.AssistantOutput},
			{a.ToolActivity, b.ToolActivity, joined.ToolActivity},
			{a.PartialResult, b.PartialResult, joined.PartialResult},
		} {
			require.Equal(t, max(rank[flag[0]], rank[flag[1]]), rank[flag[2]])
		}
		if a.Delivery == evidence.DeliveryAmbiguous || b.Delivery == evidence.DeliveryAmbiguous {
			require.Equal(t, evidence.DeliveryAmbiguous, joined.Delivery)
		}
		raised := work.RaiseEffects(a, b)
		require.GreaterOrEqual(t, rank[raised.ToolActivity], rank[a.ToolActivity])
		require.Equal(t, a, work.RaiseEffects(a, evidence.Effects{}), "no news change nothing")
	})
}
