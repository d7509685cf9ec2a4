package classification

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Options change what a classification tells, never what it decides.
type Options struct {
	Explain bool // fill in Result.Explain
}

// The EndedBy of a child whose own retries were cut short, and of one that a person stopped.
const (
	bySupervisor = "supervisor"
	byUser       = "user"
)

// Classify names the cause that an envelope shows. It never fails: what cannot be
// told is unclassified. The same envelope always gives the same result.
func (c *Classifier) Classify(e evidence.Envelope, opt Options) Result {
	v := c.scratch.Get().(*view)
	defer func() {
		if v.release() {
			c.scratch.Put(v)
		}
	}()
	v.begin()
	p := pass{c: c, v: v, e: &e, explain: opt.Explain}
	for i, s := range e.Signals {
		p.signal(i, s)
	}
	return p.result()
}

// pass is one classification in progress.
type pass struct {
	c        *Classifier
	v        *view
	e        *evidence.Envelope
	explain  bool
	failures []found
	inFlight []found
	retrying bool
	retryIn  time.Duration
	ended    bool // the child is gone, and says itself that it failed
	cutShort bool // it was ended while it retried by itself
	vouched  bool
	tried    []Candidate
}

// signal looks at one signal and files what matches it.
func (p *pass) signal(i int, s evidence.Signal) {
	if s.Foreign {
		return
	}
	if s.Kind == evidence.KindProcessExit && s.EndedBy != byUser {
		p.ended = p.ended || s.ExitCode == nil || *s.ExitCode != 0
		p.cutShort = p.cutShort || s.EndedBy == bySupervisor
	}
	p.v.load(p.c, s, !s.Prose || p.vouched)
	own := p.collect(i, s)
	if !p.v.trusting && p.vouched {
		p.v.load(p.c, s, true)
		own = p.collect(i, s)
	}
	if s.InFlight {
		own.retrying = true
	}
	p.file(own)
}

// outcome is what one signal's matching rules say together.
type outcome struct {
	failures  []found
	recovered *rule
	noise     bool
	retrying  bool
}

func (p *pass) collect(i int, s evidence.Signal) (o outcome) {
	for n := 0; n < len(p.v.queue); n++ {
		r := &p.c.rules[p.v.queue[n]]
		if r.off {
			continue
		}
		at, why := p.c.matches(r, p.v, p.e)
		p.note(r, i, why)
		if why != "" {
			continue
		}
		p.v.seen[r.index] = true
		switch r.Effect {
		case EffectFailure:
			o.failures = append(o.failures, p.found(r, i, at))
		case EffectNoise:
			o.noise = true
		case EffectRetrying:
			o.retrying = true
		case EffectRecovered:
			o.recovered = r
		case EffectVouch:
			p.vouched = true
		}
	}
	return o
}

// file adds a signal's outcome to what is known so far.
func (p *pass) file(o outcome) {
	switch {
	case o.noise:
	case o.retrying:
		p.retrying = true
		p.inFlight = append(p.inFlight, o.failures...)
		if wait := p.v.ownTimer(p.c, p.e); wait > 0 {
			p.retryIn = wait
		}
	case o.recovered != nil:
		p.recover(o)
	default:
		p.failures = append(p.failures, o.failures...)
	}
}

// recover takes back what a success disproves; failures that the success itself
// states, as a refused tool, stay.
func (p *pass) recover(o outcome) {
	p.failures = append(keep(p.failures, o.recovered), o.failures...)
	p.inFlight = keep(p.inFlight, o.recovered)
	p.retrying, p.retryIn = false, 0
}

func keep(all []found, recovered *rule) []found {
	kept := all[:0]
	for _, f := range all {
		if f.rule.Sticky && len(recovered.Clears) > 0 || !clears(recovered, f.channel) {
			kept = append(kept, f)
		}
	}
	return kept
}

// lastCauses are the in-flight causes that became the failure: all of them if
// the supervisor cut the retries short; if the child failed by itself, those that
// it printed, for nothing is in flight in a child that is gone.
func (p *pass) lastCauses() []found {
	if p.cutShort || !p.ended {
		return p.inFlight[:len(p.inFlight)*btoi(p.cutShort)]
	}
	kept := p.inFlight[:0]
	for _, f := range p.inFlight {
		switch f.channel {
		case evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult:
		default:
			kept = append(kept, f)
		}
	}
	return kept
}

func clears(r *rule, k evidence.Kind) bool {
	for _, cleared := range r.Clears {
		if cleared == k {
			return true
		}
	}
	return len(r.Clears) == 0
}
