package classification

import (
	"time"

	core "github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// CodeInfo is what is fixed about a code, and what the policies do with it when
// repeating is safe.
type CodeInfo struct {
	core.CodeInfo
	Interactive recovery.Action
	Patient     recovery.Action // with a stated reset that is near enough
	Remedy      recovery.Remedy
}

// Codes describes every code, in the order of the taxonomy. The actions are
// asked of the decision itself, so that they cannot differ from what it does.
func Codes() []CodeInfo {
	settings := recovery.Defaults()
	infos := core.Codes()
	out := make([]CodeInfo, 0, len(infos))
	for _, info := range infos {
		interactive := safest(info, recovery.Facts{Context: recovery.ContextInteractive})
		patient := safest(info, recovery.Facts{Context: recovery.ContextDynamic, Policy: recovery.Patient(settings, 0)})
		out = append(out, CodeInfo{
			CodeInfo: info, Interactive: interactive.Action, Patient: patient.Action, Remedy: recovery.CauseOf(info.Code).Remedy,
		})
	}
	return out
}

// safest decides on the first failure of a run that is proved to have done nothing.
func safest(info core.CodeInfo, f recovery.Facts) recovery.Decision {
	now := time.Unix(0, 0).UTC()
	f.CurrentGeneration, f.EvidenceGeneration, f.Correlated = 1, 1, true
	f.Mode, f.Effects, f.Phase = recovery.ModePolicy, evidence.NoEffects(), evidence.PhaseLaunch
	result := core.Result{
		Code: info.Code, Class: info.Class, Scope: info.Scope, Confidence: core.High,
		Throttle: core.ThrottleShort, OccurredAt: now,
	}
	if info.Class == core.ClassHard {
		result.ResetAt, result.HintSource = now.Add(time.Hour), "stated"
	}
	return recovery.Decide(f, result, recovery.Defaults(), now, 0)
}
