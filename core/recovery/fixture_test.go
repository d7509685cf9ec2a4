package recovery_test

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// noon is the instant at which the tests decide.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// calm are facts under which nothing but the cause decides.
func calm(context recovery.Context) recovery.Facts {
	f := recovery.Facts{
		CurrentGeneration: 3, EvidenceGeneration: 3,
		Correlated: true,
		Phase:      evidence.PhasePreOutput,
		Effects:    evidence.NoEffects(),
		Mode:       recovery.ModePolicy,
		Context:    context,
	}
	if context == recovery.ContextDynamic {
		f.Policy = recovery.Unattended(recovery.Defaults())
	}
	return f
}

// failure is a certain classification of the code, without any hint.
func failure(code classification.Code) classification.Result {
	return classification.Result{
		Code: code, Class: classification.ClassOf(code), Confidence: classification.High,
		Throttle: classification.ThrottleUnknown, RuleID: "test.rule", OccurredAt: noon,
		Provider: "anthropic", Model: "opus",
	}
}

func retryAfter(r classification.Result, d time.Duration) classification.Result {
	r.RetryAfter, r.RetryAfterSet, r.HintSource = d, true, "header retry-after"
	return r
}

func resetAt(r classification.Result, at time.Time) classification.Result {
	r.ResetAt, r.HintSource = at, "field resets_at"
	return r
}

func throttled(r classification.Result, t classification.Throttle) classification.Result {
	r.Throttle = t
	return r
}

func decide(f recovery.Facts, r classification.Result) recovery.Decision {
	return recovery.Decide(f, r, recovery.Defaults(), noon, 0)
}

func phases() []evidence.Phase {
	return []evidence.Phase{evidence.PhaseUnknown, evidence.PhaseLaunch, evidence.PhasePreOutput, evidence.PhasePostOutput}
}

func effectValues() []evidence.Effect {
	return []evidence.Effect{evidence.EffectNone, evidence.EffectUnknown, evidence.EffectSeen}
}

func deliveries() []evidence.Delivery {
	return []evidence.Delivery{"", evidence.DeliveryAcknowledged, evidence.DeliveryAmbiguous}
}

func contexts() []recovery.Context {
	return []recovery.Context{recovery.ContextInteractive, recovery.ContextDynamic}
}

// allEffects are every combination of the three flags and the delivery.
func allEffects() []evidence.Effects {
	var all []evidence.Effects
	for _, output := range effectValues() {
		for _, tool := range effectValues() {
			for _, partial := range effectValues() {
				for _, delivery := range deliveries() {
					all = append(all, evidence.Effects{AssistantOutput: output, ToolActivity: tool, PartialResult: partial, Delivery: delivery})
				}
			}
		}
	}
	return all
}

// allHints are results of the code with every kind of stated deadline.
func allHints(code classification.Code) []classification.Result {
	r := failure(code)
	hints := []classification.Result{r}
	for _, d := range []time.Duration{-time.Minute, 0, 10 * time.Second, time.Minute, time.Minute + time.Second, 4 * time.Hour, 8 * 24 * time.Hour, 9 * 24 * time.Hour, 41 * 24 * time.Hour} {
		hints = append(hints, retryAfter(r, d), resetAt(r, noon.Add(d)))
	}
	return hints
}

// withResume are facts of an agent whose native resume is proven.
func withResume(f recovery.Facts) recovery.Facts {
	f.Agent = recovery.Agent{Kind: "claude", Version: "2.1.328 (Claude Code)", SessionKnown: true}
	return f
}

func toolSeen() evidence.Effects {
	e := evidence.NoEffects()
	e.ToolActivity = evidence.EffectSeen
	return e
}

func unknownEffects() evidence.Effects {
	return evidence.Effects{Delivery: evidence.DeliveryAcknowledged}
}
