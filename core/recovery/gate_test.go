package recovery_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// breaks maps each stop reason to a change that makes it hold.
var breaks = map[recovery.StopReason]func(*recovery.Facts, *classification.Result){
	recovery.StopStaleGeneration:   func(f *recovery.Facts, _ *classification.Result) { f.EvidenceGeneration-- },
	recovery.StopUncorrelated:      func(f *recovery.Facts, _ *classification.Result) { f.Correlated = false },
	recovery.StopTerminalMode:      func(f *recovery.Facts, _ *classification.Result) { f.Mode = recovery.ModeTerminal },
	recovery.StopTimedOut:          func(f *recovery.Facts, _ *classification.Result) { f.TimedOut = true },
	recovery.StopUnclassified:      func(_ *recovery.Facts, r *classification.Result) { r.AgentRetrying = true },
	recovery.StopNonProvider:       func(_ *recovery.Facts, r *classification.Result) { setCode(r, classification.TaskError) },
	recovery.StopLowConfidence:     func(_ *recovery.Facts, r *classification.Result) { r.Confidence = classification.Medium },
	recovery.StopAmbiguousDelivery: func(f *recovery.Facts, _ *classification.Result) { f.Effects.Delivery = evidence.DeliveryAmbiguous },
	recovery.StopTransportLostAfterStart: func(f *recovery.Facts, r *classification.Result) {
		if r.Code != classification.TaskError {
			setCode(r, classification.AgentTransportLost)
		}
	},
	recovery.StopEffectsObserved: func(f *recovery.Facts, _ *classification.Result) { f.Effects.ToolActivity = evidence.EffectSeen },
}

func setCode(r *classification.Result, code classification.Code) {
	r.Code, r.Class = code, classification.ClassOf(code)
}

func TestGateGivesTheFirstReasonThatHolds(t *testing.T) {
	t.Parallel()
	reasons := recovery.StopReasons()
	require.Len(t, breaks, len(reasons))
	for i, first := range reasons {
		for _, second := range reasons[i:] {
			f, r := calm(recovery.ContextDynamic), failure(classification.ProviderOverloaded)
			breaks[first](&f, &r)
			breaks[second](&f, &r)
			boundary, stop := recovery.Gate(f, r)
			assert.Equal(t, first, stop, "with %s and %s", first, second)
			assert.Equal(t, recovery.BoundaryNone, boundary)
		}
	}
}

func TestGateIsCarefulWithWhatIsMissing(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*recovery.Facts, *classification.Result)
		want   recovery.StopReason
	}{
		"evidence of a later generation": {func(f *recovery.Facts, _ *classification.Result) { f.EvidenceGeneration++ }, recovery.StopStaleGeneration},
		"evidence without generation":    {func(f *recovery.Facts, _ *classification.Result) { f.EvidenceGeneration = 0 }, recovery.StopStaleGeneration},
		"no mode":                        {func(f *recovery.Facts, _ *classification.Result) { f.Mode = "" }, recovery.StopTerminalMode},
		"a mode nobody knows":            {func(f *recovery.Facts, _ *classification.Result) { f.Mode = "yolo" }, recovery.StopTerminalMode},
		"no code":                        {func(_ *recovery.Facts, r *classification.Result) { r.Code = "" }, recovery.StopUnclassified},
		"a code nobody knows":            {func(_ *recovery.Facts, r *classification.Result) { r.Code = "gremlins" }, recovery.StopUnclassified},
		"a class that is not the code's": {func(_ *recovery.Facts, r *classification.Result) { r.Class = classification.ClassHard }, recovery.StopUnclassified},
		"an unknown provider error":      {func(_ *recovery.Facts, r *classification.Result) { setCode(r, classification.UnknownProviderError) }, recovery.StopUnclassified},
		"no confidence":                  {func(_ *recovery.Facts, r *classification.Result) { r.Confidence = "" }, recovery.StopLowConfidence},
		"a delivery nobody knows":        {func(f *recovery.Facts, _ *classification.Result) { f.Effects.Delivery = "perhaps" }, recovery.StopAmbiguousDelivery},
		"an effect nobody knows":         {func(f *recovery.Facts, _ *classification.Result) { f.Effects.PartialResult = "perhaps" }, recovery.StopEffectsObserved},
		"zero effects":                   {func(f *recovery.Facts, _ *classification.Result) { f.Effects = evidence.Effects{} }, recovery.StopEffectsObserved},
		"output without an output flag":  {func(f *recovery.Facts, _ *classification.Result) { f.Phase = evidence.PhasePostOutput }, recovery.StopEffectsObserved},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, r := calm(recovery.ContextInteractive), failure(classification.ProviderOverloaded)
			c.change(&f, &r)
			boundary, stop := recovery.Gate(f, r)
			assert.Equal(t, c.want, stop)
			assert.Equal(t, recovery.BoundaryNone, boundary)
		})
	}
}

func TestGateBoundaries(t *testing.T) {
	t.Parallel()
	declared := func(f recovery.Facts) recovery.Facts { f.ReplaySafeBy = "ada"; return f }
	unattended := func(f recovery.Facts) recovery.Facts { f.Unattended = true; return f }
	seen := func() recovery.Facts {
		f := calm(recovery.ContextInteractive)
		f.Effects = toolSeen()
		return f
	}
	cases := []struct {
		name  string
		facts recovery.Facts
		want  recovery.Boundary
	}{
		{"nothing done wins over all", withResume(unattended(declared(calm(recovery.ContextInteractive)))), recovery.BoundaryEffectFree},
		{"then the agent's own resume", withResume(unattended(declared(seen()))), recovery.BoundaryNativeResume},
		{"then a continuation", unattended(declared(seen())), recovery.BoundaryContinuation},
		{"then a person's word", declared(seen()), recovery.BoundaryDeclaredRepeatable},
		{"else none", seen(), recovery.BoundaryNone},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boundary, stop := recovery.Gate(c.facts, failure(classification.ModelCapacity))
			assert.Equal(t, c.want, boundary)
			assert.Equal(t, c.want == recovery.BoundaryNone, stop == recovery.StopEffectsObserved)
		})
	}
}

// The effects of a resumed run are not those of its prompt.
func TestAResumedRunNeverLeadsBackToThePrompt(t *testing.T) {
	t.Parallel()
	f := withResume(calm(recovery.ContextInteractive))
	f.Continued = true
	d := decide(f, failure(classification.ProviderOverloaded))
	assert.Equal(t, recovery.BoundaryNativeResume, d.Boundary)
	assert.True(t, d.SendContinue)

	f.Agent.SessionMissing = true
	d = decide(f, failure(classification.ProviderOverloaded))
	assert.Equal(t, recovery.Reason(recovery.StopEffectsObserved), d.Reason, "its session is gone: a person")
	assert.Equal(t, recovery.NextInspect, recovery.Summarise(f, failure(classification.ProviderOverloaded), d).Next)

	f.ReplaySafeBy = "ada"
	assert.Equal(t, recovery.BoundaryDeclaredRepeatable, decide(f, failure(classification.ProviderOverloaded)).Boundary)
}

func TestAmbiguousDeliveryStopsWhateverWasDeclared(t *testing.T) {
	t.Parallel()
	f := withResume(calm(recovery.ContextDynamic))
	f.Unattended, f.ReplaySafeBy = true, "ada"
	f.Effects.Delivery = evidence.DeliveryAmbiguous
	_, stop := recovery.Gate(f, failure(classification.ProviderOverloaded))
	assert.Equal(t, recovery.StopAmbiguousDelivery, stop)
}

func TestTransportLossAfterStartStopsOnlyUnattendedRoutes(t *testing.T) {
	t.Parallel()
	for _, phase := range phases() {
		f, r := calm(recovery.ContextDynamic), failure(classification.AgentTransportLost)
		f.Phase, f.ReplaySafeBy = phase, "ada"
		_, stop := recovery.Gate(f, r)
		assert.Equal(t, phase != evidence.PhaseLaunch, stop == recovery.StopTransportLostAfterStart, "dynamic, phase %q", phase)
		f.Context = recovery.ContextInteractive
		_, stop = recovery.Gate(f, r)
		assert.Equal(t, recovery.StopNone, stop, "interactive, phase %q", phase)
	}
}

func TestEffectFlagsAreNamed(t *testing.T) {
	t.Parallel()
	e := evidence.Effects{AssistantOutput: evidence.EffectUnknown, ToolActivity: evidence.EffectSeen, PartialResult: evidence.EffectNone}
	assert.Equal(t, []string{"assistant_output"}, recovery.Unproven(e))
	assert.Equal(t, []string{"tool_activity"}, recovery.Observed(e))
	assert.Empty(t, recovery.Unproven(evidence.NoEffects()))
	assert.Empty(t, recovery.Observed(evidence.NoEffects()))
}

func TestFactsOfAnEnvelope(t *testing.T) {
	t.Parallel()
	envelope := func() evidence.Envelope {
		return evidence.Envelope{
			SessionID: "s1", Generation: 3, AgentKind: "codex", AgentVersion: "0.169.0",
			Phase: evidence.PhaseLaunch, Effects: evidence.NoEffects(),
			Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: "boom"}},
		}
	}
	session := recovery.SessionRef{ID: "s1", Generation: 4}
	got := recovery.FactsOf(envelope(), session)
	assert.True(t, got.Correlated)
	assert.Equal(t, int64(4), got.CurrentGeneration)
	assert.Equal(t, int64(3), got.EvidenceGeneration)
	assert.Equal(t, evidence.PhaseLaunch, got.Phase)
	assert.Equal(t, evidence.NoEffects(), got.Effects)
	assert.Equal(t, recovery.Agent{Kind: "codex", Version: "0.169.0"}, got.Agent)

	silent, foreign, other := envelope(), envelope(), envelope()
	silent.Signals = nil
	foreign.Signals[0].Foreign = true
	other.SessionID = "s2"
	for name, e := range map[string]evidence.Envelope{"silence": silent, "only foreign signals": foreign, "another session": other} {
		assert.False(t, recovery.FactsOf(e, session).Correlated, name)
	}
	nameless := envelope()
	nameless.SessionID = ""
	assert.False(t, recovery.FactsOf(nameless, recovery.SessionRef{}).Correlated, "no session id proves nothing")
}
