package routing_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// reference is a circuit in seconds since noon, written down from the contract.
type reference struct {
	state    string
	fence    int  // of the last opening or closing
	due      int  // when it may be probed
	person   bool // nobody but a person makes it due
	stated   bool
	openings int
	holder   string
	leaseEnd int
}

type machine struct {
	circuit routing.Circuit
	ref     reference
	now     int
	runs    map[string]int // run → second of its claim
	grants  map[string]int // probe → end of its lease, by our own books
	hint    int            // the latest stated second that still binds
	last    routing.Circuit
	names   int
}

func instant(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }

func newMachine() *machine {
	return &machine{circuit: routing.NewCircuit(accountKey(claude)), ref: reference{state: "closed", fence: -1 << 30}, runs: map[string]int{}, grants: map[string]int{}}
}

func (m *machine) mayProbe() bool {
	switch m.ref.state {
	case "open":
		return !m.ref.person && m.now >= m.ref.due
	case "half_open":
		return m.ref.holder == "" || m.now >= m.ref.leaseEnd
	}
	return false
}

// apply takes a transition and checks that it happened just when it should.
func (m *machine) apply(t *rapid.T, what string, want bool) func(routing.Circuit, routing.Event, bool) {
	return func(c routing.Circuit, e routing.Event, changed bool) {
		if changed != want {
			t.Fatalf("%s: changed %v, want %v, from %+v", what, changed, want, m.circuit)
		}
		if !changed && (c != m.circuit || e != routing.Event{}) {
			t.Fatalf("%s changed %+v to %+v, event %+v, and does not say so", what, m.circuit, c, e)
		}
		if changed && (c.Version != m.circuit.Version+1 || !c.UpdatedAt.Equal(instant(m.now)) || c.Key != m.circuit.Key) {
			t.Fatalf("%s: %+v", what, c)
		}
		if changed && e.Kind != "" && (e.Version != c.Version || e.To != c.State || e.From != m.circuit.State) {
			t.Fatalf("%s: %+v tells %+v", what, c, e)
		}
		m.last, m.circuit = m.circuit, c
	}
}

func (m *machine) tick(t *rapid.T) {
	m.now += rapid.SampledFrom([]int{1, 1, 29, 30, 119, 120, 300, 3600}).Draw(t, "seconds")
}

func (m *machine) begin(*rapid.T) {
	m.names++
	m.runs[fmt.Sprintf("run%d", m.names)] = m.now
}

func (m *machine) anyRun(t *rapid.T) string {
	if m.names == 0 {
		m.begin(t)
	}
	if m.ref.holder != "" && rapid.Bool().Draw(t, "holder") {
		return m.ref.holder
	}
	return fmt.Sprintf("run%d", rapid.IntRange(max(1, m.names-5), m.names).Draw(t, "run"))
}

func (m *machine) stale(run string) bool {
	if m.ref.state == "closed" {
		return m.runs[run] < m.ref.fence
	}
	return m.runs[run] <= m.ref.fence
}

func (m *machine) take(t *rapid.T) {
	m.begin(t)
	run, want := fmt.Sprintf("run%d", m.names), m.mayProbe()
	for other, end := range m.grants {
		if want && end > m.now {
			t.Fatalf("%s may probe while %s does", run, other)
		}
	}
	if want && m.now < m.hint {
		t.Fatalf("probed before the hint: %+v", m.circuit)
	}
	m.apply(t, "take", want)(m.circuit.TakeProbe(run, "host", lease, instant(m.now)))
	if want {
		m.ref.state, m.ref.holder, m.ref.leaseEnd = "half_open", run, m.now+30
		m.grants = map[string]int{run: m.now + 30}
	}
}

func (m *machine) renew(t *rapid.T) {
	run := m.anyRun(t)
	want := m.ref.holder == run && m.now+30 > m.ref.leaseEnd
	m.apply(t, "renew", want)(m.circuit.RenewProbe(run, lease, instant(m.now)))
	if want {
		m.ref.leaseEnd = m.now + 30
		m.grants[run] = m.now + 30
	}
}

// fail is a failure of any run: a probe's answer, or evidence from outside.
func (m *machine) fail(t *rapid.T) {
	run := m.anyRun(t)
	code := rapid.SampledFrom([]classification.Code{classification.QuotaLimited, classification.AuthRequired, classification.RateLimited}).Draw(t, "code")
	r, hint := failure(code, instant(m.now)), 0
	if rapid.Bool().Draw(t, "stated") {
		hint = m.now + rapid.SampledFrom([]int{200, 4000, 90000}).Draw(t, "hint")
		r = resetAt(r, instant(hint))
	}
	f := spent(run, instant(m.runs[run]), instant(m.now), r)
	probe := m.ref.holder == run
	want := probe || m.ref.state != "half_open" && !m.stale(run)
	if probe {
		m.apply(t, "probe failed", true)(m.circuit.ProbeFailed(f, pace(instant(m.now))))
	} else {
		m.apply(t, "open", want)(m.circuit.Open(f, pace(instant(m.now))))
	}
	if want {
		m.open(code == classification.AuthRequired, hint)
	}
}

// open is the reference's opening, after the contract's table of numbers.
func (m *machine) open(person bool, hint int) {
	ladder := []int{120, 300, 600, 1200, 3600}
	before := m.ref
	m.ref.state, m.ref.fence, m.ref.holder, m.ref.person, m.ref.stated = "open", m.now, "", person, hint > 0 && !person
	m.grants = map[string]int{}
	m.ref.due = m.now + ladder[min(m.ref.openings, 4)]
	m.ref.openings++
	if hint > 0 {
		m.ref.due = hint + 30
	}
	if !person && before.state == "open" && !before.person && before.stated && before.due > m.ref.due {
		m.ref.due, m.ref.stated = before.due, true
	}
	m.hint = 0
	if m.ref.stated {
		m.hint = m.ref.due
	}
}

func (m *machine) unclear(t *rapid.T) {
	run := m.anyRun(t)
	want := m.ref.holder == run
	m.apply(t, "unclear", want)(m.circuit.ProbeUnclear(run, pace(instant(m.now))))
	if want {
		m.open(false, 0)
	}
}

func (m *machine) succeed(t *rapid.T) {
	run := m.anyRun(t)
	want := m.ref.state != "closed" && (m.ref.holder == run || !m.stale(run))
	m.apply(t, "succeed", want)(m.circuit.Succeeded(run, instant(m.runs[run]), instant(m.now)))
	if want {
		m.close()
	}
}

func (m *machine) close() {
	m.ref = reference{state: "closed", fence: m.now}
	m.grants, m.hint = map[string]int{}, 0
}

func (m *machine) giveBack(t *rapid.T) {
	run := m.anyRun(t)
	if rapid.Bool().Draw(t, "by the run") {
		want := m.ref.holder == run
		m.apply(t, "release", want)(m.circuit.ReleaseProbe(run, instant(m.now)))
		m.backIf(want)
		return
	}
	want := m.ref.state == "half_open" && m.ref.holder != "" && m.now >= m.ref.leaseEnd
	m.apply(t, "lost", want)(m.circuit.ProbeLost(instant(m.now)))
	m.backIf(want)
}

func (m *machine) backIf(want bool) {
	if want {
		m.ref.state, m.ref.holder, m.ref.person, m.ref.due = "open", "", false, m.now
		m.grants = map[string]int{}
	}
}

func (m *machine) person(t *rapid.T) {
	who := rapid.SampledFrom([]string{"", "ann"}).Draw(t, "who")
	if rapid.Bool().Draw(t, "reset") {
		want := who != "" && m.ref.state != "closed"
		m.apply(t, "reset", want)(m.circuit.ResetBy(who, instant(m.now)))
		if want {
			m.close()
		}
		return
	}
	lost := m.ref.state == "half_open" && m.ref.holder != "" && m.now >= m.ref.leaseEnd
	want := who != "" && (m.ref.state == "open" || lost)
	m.apply(t, "force", want)(m.circuit.ForceHalfOpen(who, instant(m.now)))
	if want {
		m.ref.state, m.ref.holder, m.ref.stated, m.ref.person, m.hint = "half_open", "", false, false, 0
		m.grants = map[string]int{}
	}
}

func (m *machine) check(t *rapid.T) {
	c, r := m.circuit, m.ref
	if string(c.State) != r.state || c.Openings != r.openings || c.Probe.RunID != r.holder {
		t.Fatalf("%+v, want %+v", c, r)
	}
	if probe := c.NextStep(instant(m.now)).Kind == routing.StepProbe; probe != m.mayProbe() {
		t.Fatalf("probe %v at %d: %+v, want %+v", probe, m.now, c, r)
	}
	if !c.Owned() {
		t.Fatalf("nobody owns %+v", c)
	}
	if !c.Until.IsZero() && c.Until.Before(c.OpenedAt) {
		t.Fatalf("due before it opened: %+v", c)
	}
	if c.State == routing.Open && c.Openings < 1 || c.State == routing.Closed && (c.Openings != 0 || !c.Until.IsZero() || c.Code != "") {
		t.Fatalf("%+v", c)
	}
	if c.Openings > m.last.Openings+1 || c.Openings < m.last.Openings && c.Openings != 0 {
		t.Fatalf("from %d to %d openings", m.last.Openings, c.Openings)
	}
	step := c.NextStep(instant(m.now))
	waits := step.Kind == routing.StepWait || step.Kind == routing.StepWaitForProbe
	if waits != step.Until.After(instant(m.now)) || waits != (step.Receipt.Kind != "") || (step.Kind == routing.StepPerson) != (step.Remedy != "" && step.Remedy != recovery.RemedyWait) {
		t.Fatalf("%+v of %+v", step, c)
	}
}

// Any interleaving of claims, ends of runs, lost leases, people and the clock
// does to a circuit what it does to the reference.
func TestCircuitsFollowTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine()
		t.Repeat(map[string]func(*rapid.T){
			"tick": m.tick, "tick again": m.tick, "begin": m.begin, "take": m.take, "renew": m.renew, "fail": m.fail, "fail again": m.fail,
			"unclear": m.unclear, "succeed": m.succeed, "give back": m.giveBack, "person": m.person, "": m.check,
		})
	})
}
