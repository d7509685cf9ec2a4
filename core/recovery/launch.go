package recovery

import (
	"strconv"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// LaunchPolicy names the worker pool's own budget in receipts and stored
// decisions; the number rises when its rules change.
const LaunchPolicy = "launch@1"

// launchable says that the worker pool may try again what its host could not
// start. The gate has stopped the failure, because no provider is to blame;
// this budget only asks whether the very same send may be tried: nothing of
// it has left, and the evidence is as certain as the gate wants it.
func launchable(f Facts, r classification.Result) bool {
	e := f.Effects
	nothingDone := e.AssistantOutput.Safe() && e.ToolActivity.Safe() && e.PartialResult.Safe() && delivered(e.Delivery)
	return f.Unattended && f.NotSent && f.Phase == evidence.PhaseLaunch && nothingDone &&
		CauseOf(r.Code).LaunchBudget && r.Confidence == classification.High
}

// launch tries a start again on the launch delays; their number is the budget.
// It uses no retry of any class.
func (e *evaluation) launch() Decision {
	delays, used := e.settings.LaunchDelays, max(e.facts.Progress.Runtime, 0)
	e.decideBy(LaunchPolicy)
	// What was to be sent is sent then; a prompt that had effects stays behind
	// the boundary that it had.
	e.boundary = boundaryOf(e.facts)
	e.because("boundary", string(e.boundary))
	if used >= len(delays) {
		e.because("retry", "budget_used/"+strconv.Itoa(len(delays)))
		d := e.stop(ReasonBudgetExhausted)
		d.Ordinal, d.MaxAttempts = used, len(delays)
		return d
	}
	d := e.scheduled(ReasonLaunchRetry, delays[used], used, len(delays), LaunchPolicy)
	d.Progress.Runtime = used + 1
	return d
}
