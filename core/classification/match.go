package classification

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
)

// match is a rule that holds for a signal.
type match struct {
	rule   *rule
	signal int
	at     int32 // offset in the folded text, 0 for a field or a status
}

// Why a candidate rule does not match; these are shown by an explanation.
const (
	lostChannel     = "another channel"
	lostContext     = "another agent, provider or phase"
	lostStatus      = "another status"
	lostField       = "a field differs"
	lostText        = "the words do not stand together"
	lostNone        = "a word that excludes it stands there"
	lostPattern     = "the expression does not match"
	lostSentence    = "the words begin no sentence"
	lostAlone       = "the text says more"
	lostWait        = "the stated wait is out of bounds"
	lostAfter       = "what must come before it is missing"
	lostProse       = "what a tool or model said"
	lostQuiet       = "its line is about something else"
	lostUnconfirmed = "no failed process stands behind it"
	lostBudget      = "the work budget is spent"
)

// matches decides whether a rule holds for the loaded signal.
func (c *Classifier) matches(r *rule, v *view, e *evidence.Envelope) (at int32, why string) {
	w := &r.When
	switch {
	case r.channels != 0 && r.channels&v.channel == 0:
		return 0, lostChannel
	case !v.trusting && !r.readsProse():
		return 0, lostProse
	case !fits(w.Agents, e.AgentKind) || !fits(w.Providers, e.Provider) || len(w.Phases) > 0 && !slices.Contains(w.Phases, e.Phase):
		return 0, lostContext
	case !v.hasStatus(w.Status):
		return 0, lostStatus
	case !v.hasFields(r.fields):
		return 0, lostField
	case w.Confirmed && !v.confirmed(e):
		return 0, lostUnconfirmed
	case w.Alone > 0 && len(v.folded.B) > w.Alone:
		return 0, lostAlone
	case len(r.after) > 0 && !v.sawAny(r.after):
		return 0, lostAfter
	}
	if at, why = v.hasText(c, r); why != "" {
		return 0, why
	}
	if w.MinWait > 0 || w.MaxWait > 0 {
		if wait := v.wait(c, e); wait <= 0 || wait < w.MinWait || w.MaxWait > 0 && wait > w.MaxWait {
			return 0, lostWait
		}
	}
	return at, ""
}

// readsProse reports whether a rule may look at a signal that nothing vouches
// for: at its structured part, or at its words if the rule says so.
func (r *rule) readsProse() bool {
	structured := r.Effect == EffectVouch || r.Effect == EffectRecovered
	return r.When.Prose || structured && len(r.text) == 0
}

// fits reports whether a label is allowed; an entry with ! excludes a label.
func fits(allowed []string, value string) bool {
	positive := false
	for _, a := range allowed {
		if label, excluded := strings.CutPrefix(a, "!"); excluded {
			if label == value {
				return false
			}
			continue
		}
		if a == value {
			return true
		}
		positive = true
	}
	return !positive
}

// confirmed reports whether the loaded signal's channel shows a failure by itself.
func (v *view) confirmed(e *evidence.Envelope) bool {
	printed := v.signal.Kind == evidence.KindStdout || v.signal.Kind == evidence.KindStderr
	if !printed || e.AgentKind == "" || e.AgentKind == agentNone {
		return true
	}
	for i := len(e.Signals) - 1; i >= 0; i-- {
		if s := &e.Signals[i]; s.Kind == evidence.KindProcessExit {
			return s.EndedBy == "" && (s.ExitCode == nil || *s.ExitCode != 0)
		}
	}
	return false
}

// agentNone is the agent kind of a direct call to a provider.
const agentNone = "api"

func (v *view) hasStatus(ranges []StatusRange) bool {
	for _, r := range ranges {
		for _, s := range v.statuses {
			if s >= r.From && s <= r.To {
				return true
			}
		}
	}
	return len(ranges) == 0
}

func (v *view) hasFields(checks []fieldCheck) bool {
	for _, f := range checks {
		found := false
		for _, id := range f.atoms {
			found = found || v.atoms[id]
		}
		if found == f.not {
			return false
		}
	}
	return true
}

func (v *view) sawAny(rules []int32) bool {
	for _, r := range rules {
		if v.seen[r] {
			return true
		}
	}
	return false
}

// maxTries bounds the places at which one rule is tried in one signal; a
// bounded signal has no more blocks than this.
const maxTries = 64

// hasText tries the places of the first group's literals, the last ones first.
func (v *view) hasText(c *Classifier, r *rule) (at int32, why string) {
	if len(r.text) == 0 {
		if v.anyHit(r.none, 0, int32(len(v.folded.B))) {
			return 0, lostNone
		}
		return 0, ""
	}
	why = lostText
	for _, id := range r.text[0] {
		tries := 0
		for h := v.head[id]; h != 0 && tries < maxTries; tries++ {
			lost := v.holdsAt(c, r, v.hits[h-1])
			if lost == "" {
				return v.hits[h-1].start, ""
			}
			why = lost
			h = v.hits[h-1].next
		}
	}
	return 0, why
}

func (v *view) holdsAt(c *Classifier, r *rule, h hit) (why string) {
	from, to := h.start-r.within, h.end+r.within
	for _, group := range r.text[1:] {
		if !v.anyHit(group, from, to) {
			return lostText
		}
	}
	switch {
	case v.anyHit(r.none, from, to):
		return lostNone
	case r.When.Sentence && !v.beginsSentence(h.start):
		return lostSentence
	case len(r.regexps) > 0:
		if why = v.expressions(r, h); why != "" {
			return why
		}
	}
	if v.silenced(c, h) {
		return lostQuiet
	}
	return ""
}

// anyHit reports whether one of the literals stands between two offsets.
func (v *view) anyHit(literals []int32, from, to int32) bool {
	for _, id := range literals {
		for h := v.head[id]; h != 0; h = v.hits[h-1].next {
			if v.hits[h-1].end <= from {
				break
			}
			if v.hits[h-1].start < to {
				return true
			}
		}
	}
	return false
}

// expressions tries a rule's expressions around a hit, within the work budget.
func (v *view) expressions(r *rule, h hit) (why string) {
	from, to := max(0, int(h.start)-256), min(len(v.folded.B), int(h.end)+512)
	for _, re := range r.regexps {
		if v.budget < to-from {
			return lostBudget
		}
		v.budget -= to - from
		if re.Match(v.folded.B[from:to]) {
			return ""
		}
	}
	return lostPattern
}

// beginsSentence reports whether nothing but marks stands before an offset on its
// line, or a mark that ends a clause does: a colon, a bracket, a quote, a dash.
func (v *view) beginsSentence(at int32) bool {
	b := v.folded.B[:at]
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	if len(b) == 0 || b[len(b)-1] == '\n' {
		return true
	}
	last, _ := utf8.DecodeLastRune(b)
	return !unicode.IsLetter(last) && !unicode.IsDigit(last) && last != ',' && last != ';'
}
