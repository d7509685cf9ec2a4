package classification

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/classification/scan"
)

// Classifier is a compiled catalogue. It is immutable and safe for concurrent use.
type Classifier struct {
	version, digest string
	zones           Zones
	rules           []rule
	literals        *scan.Automaton
	variants        [][]int32 // automaton literal → literals of that text
	literal         []literalInfo
	anchors         []hint.Anchor
	anchorOf        []int32 // literal → 1 + index into anchors, 0 for the others
	fields          fieldIndex
	status          [600][]int32 // rules triggered by a status
	always          []int32      // rules triggered by every signal
	quiet           []int32      // rules that silence lines
	scratch         sync.Pool
}

// rule is a Rule with its literals, fields and expressions resolved.
type rule struct {
	Rule
	index    int32
	channels uint32 // bit set, 0 means all
	text     [][]int32
	none     []int32
	regexps  []*regexp.Regexp
	fields   []fieldCheck
	after    []int32
	within   int32
	off      bool
}

// literalInfo says how a literal may stand in a text and which rules it triggers.
type literalInfo struct {
	openLeft, openRight bool
	size                int32
	triggers            []int32
}

// Compile prepares a catalogue. Errors name the rule. Rules are kept in the given
// order, which decides nothing; zones may be nil, then only UTC clocks are read.
func Compile(version, digest string, rules []Rule, zones Zones) (*Classifier, error) {
	b := builder{
		c:   &Classifier{version: version, digest: digest, zones: zones, anchors: hint.Anchors()},
		ids: map[string]int32{}, lits: map[string]int32{}, texts: map[string]int32{},
	}
	b.c.fields.byKey = map[string]keyEntry{}
	for i, r := range rules {
		if _, dup := b.ids[r.ID]; dup || r.ID == "" {
			return nil, fmt.Errorf("rule %q: the id is empty or used twice", r.ID)
		}
		b.ids[r.ID] = int32(i)
	}
	for i, r := range rules {
		if err := b.add(int32(i), r); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
	}
	b.finish()
	return b.c, nil
}

// Without gives a copy of the classifier in which some rules match nothing. It
// shares the compiled parts, so that trying a catalogue without a rule is cheap.
func (c *Classifier) Without(ids ...string) *Classifier {
	out := &Classifier{
		version: c.version, digest: c.digest, zones: c.zones, rules: slices.Clone(c.rules), literals: c.literals,
		variants: c.variants, literal: c.literal, anchors: c.anchors, anchorOf: c.anchorOf, fields: c.fields,
		status: c.status, always: c.always, quiet: c.quiet,
	}
	for i := range out.rules {
		out.rules[i].off = out.rules[i].off || slices.Contains(ids, out.rules[i].ID)
	}
	out.scratch.New = c.scratch.New
	return out
}

type builder struct {
	c     *Classifier
	ids   map[string]int32
	lits  map[string]int32 // literals as written
	texts map[string]int32 // their texts in the automaton
	order []string
}

func (b *builder) add(i int32, r Rule) error {
	if err := check(r); err != nil {
		return err
	}
	out := rule{Rule: r, index: i, within: int32(r.When.Within)}
	if out.within == 0 {
		out.within = DefaultWithin
	}
	for _, k := range r.When.Channels {
		out.channels |= channelBit(k)
	}
	for _, id := range r.When.After {
		other, ok := b.ids[id]
		if !ok {
			return fmt.Errorf("after names %q, which is no rule", id)
		}
		out.after = append(out.after, other)
	}
	for _, expr := range r.When.Regexp {
		re, err := regexp.Compile(expr)
		if err != nil {
			return err
		}
		out.regexps = append(out.regexps, re)
	}
	for _, f := range r.When.Fields {
		out.fields = append(out.fields, b.c.fields.check(f))
	}
	for g, group := range r.When.Text {
		out.text = append(out.text, b.group(group))
		if g == 0 && r.Effect != EffectQuiet {
			b.trigger(i, out.text[0])
		}
	}
	out.none = b.group(r.When.None)
	switch {
	case r.Effect == EffectQuiet:
		b.c.quiet = append(b.c.quiet, i)
	case len(out.text) == 0:
		b.triggerWithoutText(i, out)
	}
	b.c.rules = append(b.c.rules, out)
	return nil
}

// check refuses rules that could not mean what they say.
func check(r Rule) error {
	w := r.When
	switch {
	case r.Effect == EffectFailure && ClassOf(r.Code) == ClassUnclassified && r.Code != UnknownProviderError && r.Code != Unclassified:
		return fmt.Errorf("code %q has no class", r.Code)
	case r.Effect != EffectFailure && r.Code != "":
		return fmt.Errorf("effect %q takes no code", r.Effect)
	case w.Prose && r.Effect != EffectMark && (r.Effect != EffectFailure || ClassOf(r.Code) != ClassNonProvider):
		return fmt.Errorf("what tools and models say names no %q", r.Code)
	case len(w.Text)+len(w.Fields)+len(w.Status)+len(w.Channels) == 0:
		return fmt.Errorf("it matches everything")
	case r.Effect == EffectQuiet && len(w.Text)+len(w.Regexp) == 0:
		return fmt.Errorf("it silences every line")
	case len(w.Regexp) > 0 && len(w.Text) == 0 && r.Effect != EffectQuiet, w.Sentence && len(w.Text) == 0, len(w.None) > 0 && len(w.Text)+len(w.Fields)+len(w.Status) == 0:
		return fmt.Errorf("regexp, none and sentence need a condition to stand beside")
	}
	for _, s := range w.Status {
		if s.From < 100 || s.To > 599 || s.From > s.To {
			return fmt.Errorf("%d-%d is no range of statuses", s.From, s.To)
		}
	}
	for _, group := range w.Text {
		if len(group) == 0 {
			return fmt.Errorf("a group of literals is empty")
		}
	}
	for _, lit := range slices.Concat(slices.Concat(w.Text...), w.None) {
		if len(strings.Trim(scan.FoldString(lit), "* ")) < 2 {
			return fmt.Errorf("literal %q is too short", lit)
		}
	}
	return nil
}

func (b *builder) group(literals []string) (ids []int32) {
	for _, lit := range literals {
		ids = append(ids, b.literal(lit))
	}
	return ids
}

// literal gives the id of a literal; a star makes it a different one.
func (b *builder) literal(lit string) int32 {
	folded := scan.FoldString(lit)
	if id, ok := b.lits[folded]; ok {
		return id
	}
	core := strings.Trim(folded, "*")
	id := int32(len(b.c.literal))
	b.lits[folded] = id
	text, known := b.texts[core]
	if !known {
		text = int32(len(b.order))
		b.texts[core] = text
		b.order = append(b.order, core)
		b.c.variants = append(b.c.variants, nil)
	}
	b.c.variants[text] = append(b.c.variants[text], id)
	b.c.literal = append(b.c.literal, literalInfo{
		openLeft:  strings.HasPrefix(folded, "*") || !wordAt(core, 0),
		openRight: strings.HasSuffix(folded, "*") || !wordAt(core, len(core)-1),
		size:      int32(len(core)),
	})
	return id
}

func wordAt(s string, i int) bool { return isWordByte(s[i]) }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}

func (b *builder) trigger(rule int32, literals []int32) {
	for _, id := range literals {
		t := &b.c.literal[id].triggers
		*t = append(*t, rule)
	}
}

// triggerWithoutText finds what brings up a rule that has no literal: its first
// field, else its statuses, else any signal of its channels.
func (b *builder) triggerWithoutText(i int32, r rule) {
	for _, f := range r.fields {
		if !f.not {
			b.c.fields.trigger(f, i)
			return
		}
	}
	if len(r.When.Status) == 0 {
		b.c.always = append(b.c.always, i)
	}
	for _, s := range r.When.Status {
		for n := s.From; n <= s.To; n++ {
			b.c.status[n] = append(b.c.status[n], i)
		}
	}
}

// finish adds the anchors of stated times and builds the automaton.
func (b *builder) finish() {
	for i, a := range b.c.anchors {
		id := b.literal("*" + a.Words + "*")
		for int(id) >= len(b.c.anchorOf) {
			b.c.anchorOf = append(b.c.anchorOf, 0)
		}
		b.c.anchorOf[id] = int32(i + 1)
	}
	b.c.literals = scan.NewAutomaton(b.order)
	b.c.fields.addMeanings(statusKeys, hint.Fields())
	n, rules, atoms := len(b.c.literal), len(b.c.rules), len(b.c.fields.atoms)
	b.c.scratch.New = func() any { return newView(n, rules, atoms) }
}
