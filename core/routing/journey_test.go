package routing_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// journey plays one prompt through its candidates, while other runs change the
// circuits under it.
type journey struct {
	candidates []routing.Candidate
	policies   map[string]recovery.ClassPolicies
	circuits   map[routing.Key]routing.Circuit
	cycle      routing.Cycle
	progress   recovery.Progress
	last       string // the profile that progress belongs to
	now        time.Time
	runs       int

	launched []string             // profiles of this cycle's launches, in order
	hints    map[string]time.Time // stated deadlines by profile
	ended    bool
	parks    int
}

func journeyPolicies() []recovery.ClassPolicies {
	eager := recovery.Unattended(settings)
	eager.Hard = recovery.ClassPolicy{
		WaitForReset: recovery.WaitPolicy{Enabled: true, MaxWait: 6 * time.Hour},
		Retry:        recovery.RetryPolicy{Enabled: true, MaxRetries: 2, InitialInterval: time.Minute}, OnExhausted: recovery.ExhaustedSkip,
	}
	return []recovery.ClassPolicies{recovery.Unattended(settings), recovery.Patient(settings, 0), recovery.Immediate(), eager, recovery.Strict()}
}

func drawJourney(t *rapid.T) *journey {
	j := &journey{
		policies: map[string]recovery.ClassPolicies{}, circuits: map[routing.Key]routing.Circuit{},
		cycle: routing.BeginCycle(3), now: noon, hints: map[string]time.Time{},
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "candidates") {
		c := routing.Candidate{
			ProfileID: fmt.Sprintf("p%d", i),
			Provider:  rapid.SampledFrom([]string{"x", "y"}).Draw(t, "provider"),
			Account:   rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "account"),
			Model:     rapid.SampledFrom([]string{"m", "n"}).Draw(t, "model"),
		}
		j.candidates = append(j.candidates, c)
		j.policies[c.ProfileID] = rapid.SampledFrom(journeyPolicies()).Draw(t, "policy")
	}
	return j
}

func (j *journey) pace(t *rapid.T) routing.Pace {
	return routing.Pace{Settings: settings, Now: j.now, Jitter: rapid.Float64Range(0, 0.999).Draw(t, "jitter")}
}

// budget is the most launches that a cycle may have.
func (j *journey) budget() int {
	n := 0
	for _, c := range j.candidates {
		n++
		for _, p := range []recovery.ClassPolicy{j.policies[c.ProfileID].Transient, j.policies[c.ProfileID].Hard} {
			if p.Retry.Enabled {
				n += p.Retry.MaxRetries
			}
			if p.WaitForReset.Enabled {
				n++
			}
		}
	}
	return n
}

// others changes the circuits as other runs do.
func (j *journey) others(t *rapid.T) {
	for range rapid.IntRange(0, 2).Draw(t, "others") {
		c := rapid.SampledFrom(j.candidates).Draw(t, "of")
		key := rapid.SampledFrom(c.Keys()).Draw(t, "key")
		circuit, ok := j.circuits[key]
		if !ok {
			circuit = routing.NewCircuit(key)
		}
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			code := rapid.SampledFrom([]classification.Code{classification.QuotaLimited, classification.AuthRequired}).Draw(t, "code")
			circuit, _, _ = circuit.Open(spent("other", j.now, j.now, failure(code, j.now)), j.pace(t))
		case 1:
			circuit, _, _ = circuit.Succeeded("other", j.now, j.now)
		case 2:
			circuit, _, _ = circuit.TakeProbe("other", "host", lease, j.now)
		case 3:
			circuit, _, _ = circuit.ProbeLost(j.now)
		}
		j.circuits[key] = circuit
	}
}

func (j *journey) step(t *rapid.T) {
	j.others(t)
	p := j.pace(t)
	before := maps.Clone(j.circuits)
	s := routing.Select(j.candidates, j.circuits, j.cycle, p)
	if !maps.Equal(before, j.circuits) {
		t.Fatalf("a preview changed the circuits")
	}
	ways := 0
	for _, way := range []bool{s.Index >= 0, !s.Hold.IsZero(), !s.Park.IsZero()} {
		if way {
			ways++
		}
	}
	if ways != 1 {
		t.Fatalf("not one way: %+v", s)
	}
	j.cycle = s.Cycle
	switch {
	case s.Index >= 0:
		j.launch(t, s, p)
	case !s.Hold.IsZero():
		if !s.Hold.At.After(j.now) || s.Hold.Receipt.Kind == "" {
			t.Fatalf("held without an end: %+v", s)
		}
		j.now = s.Hold.At
	default:
		j.park(t, s)
	}
}

func (j *journey) launch(t *rapid.T, s routing.Selection, p routing.Pace) {
	c := j.candidates[s.Index]
	if _, out := j.cycle.Has(c.ProfileID); out {
		t.Fatalf("%s is launched after it left", c.ProfileID)
	}
	if j.now.Before(j.hints[c.ProfileID]) {
		t.Fatalf("%s is launched at %s, before %s", c.ProfileID, j.now, j.hints[c.ProfileID])
	}
	if i := slices.Index(j.launched, c.ProfileID); i >= 0 && j.launched[len(j.launched)-1] != c.ProfileID {
		t.Fatalf("ping-pong: %v, then %s", j.launched, c.ProfileID)
	}
	j.launched = append(j.launched, c.ProfileID)
	if len(j.launched) > j.budget() {
		t.Fatalf("%d launches: %v", len(j.launched), j.launched)
	}
	j.runs++
	run := fmt.Sprintf("run%d", j.runs)
	for _, key := range c.Keys() {
		circuit, stored := j.circuits[key]
		if !stored {
			continue
		}
		taken, _, probes := circuit.TakeProbe(run, "host", lease, j.now)
		if probes != slices.Contains(s.Probes, key) || !probes && circuit.NextStep(j.now).Kind != routing.StepGo {
			t.Fatalf("launched over %+v", circuit)
		}
		j.circuits[key] = taken
	}
	if j.last != c.ProfileID {
		j.last, j.progress = c.ProfileID, j.progress.NextCycle()
	}
	j.end(t, c, run, j.now)
}

func (j *journey) end(t *rapid.T, c routing.Candidate, run string, began time.Time) {
	j.now = j.now.Add(rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, time.Hour}).Draw(t, "took"))
	j.others(t)
	p := j.pace(t)
	r := rapid.SampledFrom(j.endings()).Draw(t, "ending")
	if r.Code == "" {
		j.circuits = routing.Apply(j.circuits, routing.AfterSuccess(j.circuits, c, run, began, j.now))
		j.ended = true
		return
	}
	facts := calm(j.policies[c.ProfileID])
	facts.Progress, facts.Unattended = j.progress, true
	out := routing.Follow(routing.FailedRun{
		RunID: run, StartedAt: began, Candidate: c, Candidates: j.candidates, Circuits: j.circuits, Cycle: j.cycle, Facts: facts, Result: r,
	}, p)
	j.circuits = routing.Apply(j.circuits, out.Changes)
	for _, key := range c.Keys() {
		if j.circuits[key].Holds(run) {
			t.Fatalf("the run has ended and still holds %+v", j.circuits[key])
		}
	}
	if hint := out.Decision.HintShown; hint.After(j.hints[c.ProfileID]) {
		j.hints[c.ProfileID] = hint
	}
	j.cycle, j.progress = out.Cycle, out.Progress
	j.check(t, out)
}

// endings are the ways in which a run ends here; the one without a code is success.
func (j *journey) endings() []classification.Result {
	all := []classification.Result{{}}
	for _, info := range classification.Codes() {
		r := failure(info.Code, j.now)
		short := r
		short.Throttle = classification.ThrottleShort
		all = append(all, r, short, retryAfter(r, 40*time.Second), resetAt(r, j.now.Add(3*time.Hour)), resetAt(r, j.now.Add(20*time.Hour)))
	}
	return all
}

// check holds what follows from a failure against what was promised.
func (j *journey) check(t *rapid.T, out routing.FollowUp) {
	d := out.Decision
	if !d.Owned() {
		t.Fatalf("nobody owns %+v", d)
	}
	switch {
	case d.Action == recovery.ActionRetry || d.Action == recovery.ActionWait:
		j.now = d.RetryAt
	case d.Action == recovery.ActionNextCandidate:
		if out.Next.Index < 0 {
			t.Fatalf("the next candidate is nobody: %+v, %+v", out.Next, j.circuits)
		}
	case d.Action == recovery.ActionPark:
		if out.Next.Index >= 0 || !out.Next.Park.Owned() {
			t.Fatalf("%+v parks, and %+v", d, out.Next)
		}
		j.park(t, out.Next)
	default:
		j.ended = true
	}
	for _, circuit := range j.circuits {
		if !circuit.Owned() {
			t.Fatalf("nobody owns %+v", circuit)
		}
	}
}

// park ends the cycle and begins the next one when the park says.
func (j *journey) park(t *rapid.T, s routing.Selection) {
	park := s.Park
	if !park.Owned() || len(s.Rejected) != len(j.candidates) {
		t.Fatalf("nobody owns %+v", s)
	}
	j.launched, j.parks = nil, j.parks+1
	j.last, j.progress = "", j.progress.NextCycle()
	if park.Until.IsZero() {
		for key, circuit := range j.circuits {
			j.circuits[key], _, _ = circuit.ForceHalfOpen("ann", j.now)
		}
		j.cycle, j.hints = j.cycle.Anew(), map[string]time.Time{}
		return
	}
	if !park.Until.After(j.now) {
		t.Fatalf("parked until the past: %+v at %s", park, j.now)
	}
	j.now = park.Until
	j.cycle = j.cycle.Next(j.now)
}

// Whatever fails and whatever others do: a cycle ends within its budget, no
// candidate is launched after it left, none takes turns with another, nothing
// runs before a stated deadline, and everything that waits has an end or an owner.
func TestEveryCycleEndsAndNothingIsStuck(t *testing.T) {
	t.Parallel()
	parks, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		j := drawJourney(t)
		for range 60 {
			if j.ended {
				break
			}
			j.step(t)
		}
		parks, runs = parks+j.parks, runs+j.runs
	})
	if !t.Failed() && (parks == 0 || runs < 100) {
		t.Fatalf("%d parks, %d runs: this proves nothing", parks, runs)
	}
}
