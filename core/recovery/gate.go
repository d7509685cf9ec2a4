package recovery

import (
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// Gate says whether automatic work is allowed at all: either a boundary and
// StopNone, or BoundaryNone and the first stop reason that holds in the order
// of StopReasons. No policy overrides it.
func Gate(f Facts, r classification.Result) (Boundary, StopReason) {
	for _, check := range gateChecks {
		if check.holds(f, r) {
			return BoundaryNone, check.reason
		}
	}
	if b := boundaryOf(f); b != BoundaryNone {
		return b, StopNone
	}
	return BoundaryNone, StopEffectsObserved
}

// gateChecks are in the order of StopReasons; effects_observed is what is left
// when none holds and no boundary is found.
var gateChecks = []struct {
	reason StopReason
	holds  func(Facts, classification.Result) bool
}{
	{StopStaleGeneration, func(f Facts, _ classification.Result) bool { return f.EvidenceGeneration != f.CurrentGeneration }},
	{StopUncorrelated, func(f Facts, _ classification.Result) bool { return !f.Correlated }},
	{StopTerminalMode, func(f Facts, _ classification.Result) bool { return f.Mode != ModePolicy }},
	{StopTimedOut, func(f Facts, _ classification.Result) bool { return f.TimedOut }},
	{StopUnclassified, func(_ Facts, r classification.Result) bool {
		// The agent's own retry in flight is no failure yet: nothing to act on.
		return r.AgentRetrying || classOf(r) == classification.ClassUnclassified
	}},
	{StopNonProvider, func(_ Facts, r classification.Result) bool { return classOf(r) == classification.ClassNonProvider }},
	{StopLowConfidence, func(_ Facts, r classification.Result) bool { return r.Confidence != classification.High }},
	{StopAmbiguousDelivery, func(f Facts, _ classification.Result) bool { return !delivered(f.Effects.Delivery) }},
	{StopTransportLostAfterStart, func(f Facts, r classification.Result) bool {
		return f.Context == ContextDynamic && dynamicTable[r.Code].Rule == DynamicLaunchOnly && f.Phase != evidence.PhaseLaunch
	}},
}

// classOf distrusts a result whose class is not its code's: conflicting
// evidence fails closed.
func classOf(r classification.Result) classification.Class {
	class := classification.ClassOf(r.Code)
	if r.Class != class {
		return classification.ClassUnclassified
	}
	switch class {
	case classification.ClassTransient, classification.ClassHard, classification.ClassNonProvider:
		return class
	default:
		return classification.ClassUnclassified
	}
}

// delivered is false for every value that does not say that the outcome of
// the delivery is known.
func delivered(d evidence.Delivery) bool {
	return d == "" || d == evidence.DeliveryAcknowledged
}

func boundaryOf(f Facts) Boundary {
	switch {
	case effectFree(f):
		return BoundaryEffectFree
	case resumable(f.Agent, f.Effects):
		return BoundaryNativeResume
	}
	return boundaryWithoutResume(f)
}

// boundaryWithoutResume is the boundary that is left after effects where the
// native session cannot be used.
func boundaryWithoutResume(f Facts) Boundary {
	switch {
	case f.Unattended:
		return BoundaryContinuation
	case f.ReplaySafeBy != "":
		return BoundaryDeclaredRepeatable
	}
	return BoundaryNone
}

// effectFree needs every flag proved none, for all runs of the prompt. A phase
// that says that something came back contradicts three such flags, and a
// contradiction is no proof.
func effectFree(f Facts) bool {
	e := f.Effects
	return e.AssistantOutput.Safe() && e.ToolActivity.Safe() && e.PartialResult.Safe() &&
		f.Phase != evidence.PhasePostOutput && !f.Continued
}

// Unproven names the effect flags that the channel could not show, in the
// order of the envelope. With none seen, they are the only reason why a
// command is not effect free, so a person may be told what would prove it.
func Unproven(e evidence.Effects) []string {
	return flagsWith(e, func(v evidence.Effect) bool { return v != evidence.EffectNone && v != evidence.EffectSeen })
}

// Observed names the effect flags that were seen, in the order of the envelope.
func Observed(e evidence.Effects) []string {
	return flagsWith(e, func(v evidence.Effect) bool { return v == evidence.EffectSeen })
}

func flagsWith(e evidence.Effects, holds func(evidence.Effect) bool) []string {
	var names []string
	for _, flag := range []struct {
		name  string
		value evidence.Effect
	}{
		{"assistant_output", e.AssistantOutput},
		{"tool_activity", e.ToolActivity},
		{"partial_result", e.PartialResult},
	} {
		if holds(flag.value) {
			names = append(names, flag.name)
		}
	}
	return names
}
