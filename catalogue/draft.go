package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/catalogue/zone"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// Wish says what a new rule is to make of a failure.
type Wish struct {
	Code   classification.Code
	ID     string // "" makes one of the code and the words
	About  string // "" says the words
	Source string // where the evidence comes from
	Date   string // when it was seen, YYYY-MM-DD
}

// Draft is a new rule that has proved itself together with the rules it is for.
type Draft struct {
	ID       string
	Code     classification.Code
	Priority int
	Looks    string                // what it looks for, in words
	Before   classification.Result // what the failure was taken for without it
	YAML     []byte                // a rule file
}

// The least priority of a drafted rule: exact words outrank patterns.
const (
	draftPriority = 710
	aboveWinner   = 10
)

// Draft makes a rule from the evidence of one failure: the most telling field or
// words in it that bring the wished code and change no other fixture's answer.
// What it writes down is redacted. It fails if nothing in the evidence will do.
func (c *Catalogue) Draft(e evidence.Envelope, w Wish) (Draft, error) {
	before := c.Classifier.Classify(e, classification.Options{Explain: true})
	switch {
	case classification.ClassOf(w.Code) == classification.ClassUnclassified:
		return Draft{}, fmt.Errorf("%q is no cause that a rule could name", w.Code)
	case before.Code == w.Code && before.Confidence == classification.High:
		return Draft{}, fmt.Errorf("it is %s already, by the rule %s", before.Code, before.RuleID)
	case w.ID != "" && !idForm.MatchString(w.ID):
		return Draft{}, fmt.Errorf("the id %q is not of the form area.family.detail", w.ID)
	case w.ID != "" && c.has(w.ID):
		return Draft{}, fmt.Errorf("there is a rule %q already", w.ID)
	}
	safe := evidence.RedactEnvelope(e)
	clues := append(fieldClues(safe), textClues(safe)...)
	if len(clues) == 0 {
		return Draft{}, fmt.Errorf("there is nothing in the evidence that a rule could look for: only what models and tools said, bare statuses or numbers")
	}
	priority := max(draftPriority, c.highest(before)+aboveWinner)
	var why error
	for _, clue := range clues {
		r := clue.rule(w, safe, priority)
		r.Id = c.freeID(r.GetId())
		d, err := c.prove(r, clue, e, safe)
		if err == nil {
			d.Before, d.Looks = before, clue.String()
			return d, nil
		}
		if why == nil {
			why = fmt.Errorf("%s: %w", clue, err)
		}
	}
	return Draft{}, fmt.Errorf("no rule from this evidence proves itself; %w", why)
}

// prove gives a rule its fixtures and holds it to every check of the loader.
func (c *Catalogue) prove(r *cataloguev1.Rule, clue clue, e, safe evidence.Envelope) (Draft, error) {
	compiled, err := convert(r)
	if err != nil {
		return Draft{}, err
	}
	entry := entry{file: "the new rule", overlay: true, source: r, compiled: compiled}
	with := &Catalogue{entries: append(slices.Clone(c.entries), entry)}
	with.Classifier, err = classification.Compile(c.Classifier.Version(), c.Classifier.Digest(), compiledRules(with.entries), zone.Find)
	if err != nil {
		return Draft{}, err
	}
	if got := with.Classifier.Classify(e, classification.Options{}); got.RuleID != r.GetId() || got.Code != classification.Code(r.GetCode()) {
		return Draft{}, fmt.Errorf("the failure would still be %s by %q", got.Code, got.RuleID)
	}
	r.Fixtures = clue.fixtures(c, with, safe)
	if findings := proveFixtures(with, entry); len(findings) > 0 {
		return Draft{}, Findings(findings)
	}
	if findings := Lint(with); len(findings) > 0 {
		return Draft{}, findings
	}
	text, err := marshal(r)
	if err != nil {
		return Draft{}, err
	}
	return Draft{ID: r.GetId(), Code: compiled.Code, Priority: compiled.Priority, YAML: append([]byte(draftHead), text...)}, nil
}

const draftHead = "# Made from the evidence of one failure. Widen it by hand, then: agentctl rules test FOLDER\n"

// highest is the priority of the strongest rule that held for the failure.
func (c *Catalogue) highest(r classification.Result) (most int) {
	for _, k := range r.Explain.Candidates {
		for _, e := range c.entries {
			if e.compiled.ID == k.RuleID && k.Code != "" && matched(r, k.RuleID) {
				most = max(most, e.compiled.Priority)
			}
		}
	}
	return most
}

func (c *Catalogue) has(id string) bool {
	return slices.ContainsFunc(c.entries, func(e entry) bool { return e.compiled.ID == id })
}

// freeID numbers an id that is taken.
func (c *Catalogue) freeID(id string) string {
	free := id
	for n := 2; c.has(free); n++ {
		free = id + "_" + strconv.Itoa(n)
	}
	return free
}

// slug makes words a part of an id.
func slug(words string) string {
	const most = 40
	var b strings.Builder
	for _, r := range strings.ToLower(words) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '\'' || r == '’':
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	text := strings.Trim(b.String(), "_")
	return strings.Trim(text[:min(len(text), most)], "_")
}
