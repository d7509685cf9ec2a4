package recovery

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// Consent is what a person allowed automatic work to use. Whatever is 0 sets
// no bound.
type Consent struct {
	// MaxTotalWait bounds all waits of one prompt together. Hours outside the
	// run window are no waits.
	MaxTotalWait time.Duration `json:"max_total_wait_ns,omitempty"`
	RunWindow    RunWindow     `json:"run_window,omitzero"`
	// MaxAttemptsPerDay is how many runs a prompt may have within 24 hours.
	MaxAttemptsPerDay int `json:"max_attempts_per_day,omitempty"`
	// MaxCostPerRun in US dollars, as the CLI reports it: after a run that cost
	// more, no other follows by itself.
	MaxCostPerRun float64 `json:"max_cost_per_run_usd,omitempty"`
}

// Usage is what consent is held against.
type Usage struct {
	RunsLastDay int     `json:"runs_last_day,omitempty"` // of the prompt, in the 24 hours before the failure, the failed one included
	CostUSD     float64 `json:"cost_usd,omitempty"`      // of the failed run
}

// Validate checks the bounds. The error is a *fault.Error of kind
// InvalidArgument that names the field.
func (c Consent) Validate(b Bounds, zones Zones) error {
	switch {
	case c.MaxTotalWait != 0 && c.MaxTotalWait < b.MinWait:
		return fault.Invalid("max_total_wait", "must be at least %s", b.MinWait)
	case c.MaxAttemptsPerDay < 0:
		return fault.Invalid("max_attempts_per_day", "must not be negative")
	case !(c.MaxCostPerRun >= 0):
		return fault.Invalid("max_cost_per_run_usd", "must be a number that is not negative")
	}
	return c.RunWindow.Validate(zones)
}

// consented holds a decision against the Off switch and the consent: what
// would go on by itself without leave is parked. What waits for a person anyway
// is left as it is.
func (e *evaluation) consented(d Decision) Decision {
	if !d.Automatic() && (d.Action != ActionPark || d.RetryAt.IsZero()) {
		return d
	}
	c := e.facts.Consent
	switch {
	case e.facts.RecoveryOff:
		return e.parkForPerson(ParkRecoveryOff, ReasonRecoveryOff, "off")
	case c.MaxCostPerRun > 0 && !(e.facts.Usage.CostUSD <= c.MaxCostPerRun):
		// A cost that is no number is no cost that anybody agreed to.
		return e.parkForPerson(ParkBudgetExhausted, ReasonBudgetExhausted, "max_cost_per_run")
	case c.MaxTotalWait > 0 && d.Progress.WaitedTotal > c.MaxTotalWait:
		return e.parkForPerson(ParkBudgetExhausted, ReasonBudgetExhausted, "max_total_wait")
	}
	opening, err := c.RunWindow.Opening(e.next(d), e.settings.Zones)
	if err != nil {
		return e.stop(ReasonPolicyInvalid)
	}
	if c.MaxAttemptsPerDay > 0 && e.facts.Usage.RunsLastDay >= c.MaxAttemptsPerDay && opening.Sub(e.now) < day {
		e.because("runs", strconv.Itoa(e.facts.Usage.RunsLastDay)+"/"+strconv.Itoa(c.MaxAttemptsPerDay))
		return e.parkForPerson(ParkBudgetExhausted, ReasonBudgetExhausted, "max_attempts_per_day")
	}
	if opening.After(e.next(d)) {
		return e.parkUntilOpening(d, opening)
	}
	return d
}

// next is when the attempt would come that follows a decision.
func (e *evaluation) next(d Decision) time.Time {
	if d.RetryAt.IsZero() {
		return e.now
	}
	return d.RetryAt
}

// parkForPerson takes back what was decided: nothing was used up by it.
func (e *evaluation) parkForPerson(park ParkReason, reason Reason, bound string) Decision {
	e.because("consent", bound)
	d := e.bounded(e.decision(ActionPark, reason))
	d.ParkReason = park
	return d
}

// parkUntilOpening moves an attempt to the first instant at which it may begin.
func (e *evaluation) parkUntilOpening(d Decision, opening time.Time) Decision {
	e.because("consent", "run_window")
	moved := e.attempt(ActionPark, ReasonOutsideRunWindow, opening, Receipt{Kind: ReceiptPerson, Source: "run_window"})
	moved.ParkReason = ParkOutsideRunWindow
	moved.Progress = d.Progress
	moved.Ordinal, moved.MaxAttempts = d.Ordinal, d.MaxAttempts
	return moved
}
