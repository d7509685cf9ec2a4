package classification

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// note keeps a candidate for the explanation.
func (p *pass) note(r *rule, signal int, why string) {
	if p.explain {
		p.tried = append(p.tried, Candidate{RuleID: r.ID, Code: r.Code, Signal: signal, Lost: why, Matched: p.v.evidenceFor(r)})
	}
}

// evidenceFor tells which words or field brought a rule up.
func (v *view) evidenceFor(r *rule) string {
	for _, group := range r.text {
		for _, id := range group {
			if h := v.head[id]; h != 0 {
				last := v.hits[h-1]
				return evidence.Redact(string(v.folded.B[last.start:last.end]))
			}
		}
	}
	for i, f := range r.fields {
		for _, id := range f.atoms {
			if v.atoms[id] {
				return "field " + r.When.Fields[i].Paths[0]
			}
		}
	}
	if len(r.When.Status) > 0 {
		return "status"
	}
	return "channel " + string(v.signal.Kind)
}

// explanation is nil unless it was asked for. conflict names the rule that ties
// with the winner, "" if none does.
func (p *pass) explanation(winner *found, conflict string) *Explanation {
	if !p.explain {
		return nil
	}
	x := &Explanation{Signals: evidence.RedactEnvelope(*p.e).Signals, Candidates: p.tried}
	for i := range x.Candidates {
		k := &x.Candidates[i]
		if k.Lost != "" || k.Code == "" {
			continue
		}
		switch {
		case winner == nil:
			k.Lost = "taken back by what followed, or in flight"
		case k.RuleID == winner.rule.ID && k.Signal == winner.signal && conflict == "":
			k.Won = true
		case k.RuleID == winner.rule.ID && k.Signal == winner.signal:
			k.Lost = "ties with " + conflict
		case k.RuleID == conflict && k.Signal == winner.signal:
			k.Lost = "ties with " + winner.rule.ID
		default:
			k.Lost = "outranked by " + winner.rule.ID
		}
	}
	return x
}

// Rules lists the rules in catalogue order.
func (c *Classifier) Rules() []RuleInfo {
	out := make([]RuleInfo, len(c.rules))
	for i, r := range c.rules {
		out[i] = RuleInfo{Rule: r.Rule, Index: i}
	}
	return out
}

// Version is the catalogue's version, a semantic version.
func (c *Classifier) Version() string { return c.version }

// Digest identifies the rules and the zone database that results come from.
func (c *Classifier) Digest() string { return c.digest }
