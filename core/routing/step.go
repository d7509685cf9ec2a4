package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// StepKind is what a circuit lets a claimer do.
type StepKind string

// The step kinds.
const (
	StepGo           StepKind = "go"             // use the resource
	StepProbe        StepKind = "probe"          // use it as the one probe: TakeProbe first
	StepWait         StepKind = "wait"           // not before Until
	StepWaitForProbe StepKind = "wait_for_probe" // another run finds out
	StepPerson       StepKind = "person"         // a person must act first
)

// Step is what a circuit lets a claimer do now.
type Step struct {
	Kind    StepKind
	Until   time.Time        // of a wait; for that for a probe, the end of its lease
	Receipt recovery.Receipt // where Until comes from
	Remedy  recovery.Remedy  // what a person must do
	RunID   string           // the probe that is waited for
}

// ProbeLeaseSource names the wait for another run's probe in receipts.
const ProbeLeaseSource = "probe_lease@1"

// NextStep says what a claimer may do.
func (c Circuit) NextStep(now time.Time) Step {
	switch {
	case c.closed():
		return Step{Kind: StepGo}
	case c.State == HalfOpen && c.Probe.Live(now):
		receipt := recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: ProbeLeaseSource}
		return Step{Kind: StepWaitForProbe, Until: recovery.Published(c.Probe.LeaseExpiresAt), Receipt: receipt, RunID: c.Probe.RunID}
	case c.State == HalfOpen:
		return Step{Kind: StepProbe}
	case c.Until.IsZero():
		return Step{Kind: StepPerson, Remedy: c.Remedy}
	case c.Until.After(now):
		return Step{Kind: StepWait, Until: c.Until, Receipt: c.Receipt}
	}
	return Step{Kind: StepProbe}
}
