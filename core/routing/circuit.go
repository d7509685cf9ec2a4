package routing

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// State is the state of a circuit.
type State string

// The circuit states. The zero value counts as closed.
const (
	Closed   State = "closed"    // the resource may be used
	Open     State = "open"      // it may not, until an instant or a person's action
	HalfOpen State = "half_open" // one run, the probe, finds out
)

// States lists every circuit state.
func States() []State { return []State{Closed, Open, HalfOpen} }

// Probe is the one launch that finds out whether a resource works again. The
// zero value is nobody.
type Probe struct {
	RunID          string
	HostID         string
	LeaseExpiresAt time.Time
}

// Live says that the probe's lease holds.
func (p Probe) Live(now time.Time) bool { return p.RunID != "" && p.LeaseExpiresAt.After(now) }

// Circuit is the shared health of one resource.
type Circuit struct {
	Key   Key
	State State
	// Code and Class are of the failure that opened it.
	Code     classification.Code
	Class    classification.Class
	OpenedAt time.Time // of the last opening; zero while closed
	// Until is when a claim may probe; zero: a person must act first.
	Until   time.Time
	Receipt recovery.Receipt // where Until comes from
	// Openings counts those in a row without a success: the step of the ladder.
	Openings int
	Remedy   recovery.Remedy // what a person can do
	Probe    Probe
	// LastRunID is the run that last changed the circuit.
	LastRunID string
	Version   int64 // +1 at each transition; 0 was never stored
	UpdatedAt time.Time
}

// NewCircuit is the circuit of a resource that nothing is known against.
func NewCircuit(key Key) Circuit { return Circuit{Key: key, State: Closed} }

func (c Circuit) closed() bool { return c.State != Open && c.State != HalfOpen }

// Holds says that the run is the circuit's probe.
func (c Circuit) Holds(runID string) bool {
	return c.State == HalfOpen && runID != "" && c.Probe.RunID == runID
}

// stale says that a run began too early to say anything about the circuit as
// it is now: before its last opening or closing. Nothing is launched into an
// open circuit, so what began with the opening began before it.
func (c Circuit) stale(startedAt time.Time) bool {
	if c.closed() {
		return startedAt.Before(c.UpdatedAt)
	}
	return !startedAt.After(c.OpenedAt)
}

// Owned says that the circuit has a deadline or names a person's action. A
// circuit that is not owned would hold its resource for ever.
func (c Circuit) Owned() bool {
	switch c.State {
	case Open:
		if c.Until.IsZero() {
			return c.Remedy != "" && c.Remedy != recovery.RemedyWait
		}
		return c.Receipt.Kind != ""
	case HalfOpen:
		return !c.Until.IsZero() && (c.Probe.RunID == "" || !c.Probe.LeaseExpiresAt.IsZero())
	default:
		return true
	}
}

// changed is what every transition shares.
func (c Circuit) changed(to State, now time.Time) Circuit {
	c.State, c.UpdatedAt = to, now.UTC()
	c.Version++
	return c
}
