package catalogue

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// ids lists every id that was ever published, one a line.
//
//go:embed ids.txt
var ids string

// Lint proves a catalogue: the form of each rule, every fixture, no published id
// gone, no tie between rules of different codes, every rule needed by a fixture
// of its own, and every code reachable.
func Lint(c *Catalogue) Findings {
	var out Findings
	for _, e := range c.entries {
		for _, m := range form(e) {
			out = append(out, Finding{e.file, e.compiled.ID, "", m})
		}
		out = append(out, proveFixtures(c, e)...)
		if !Needed(c, e.compiled.ID) {
			out = append(out, Finding{e.file, e.compiled.ID, "", "no fixture changes when the rule is dropped"})
		}
	}
	out = append(out, gone(c)...)
	return append(out, unreachable(c)...)
}

var idForm = regexp.MustCompile(`^[a-z0-9]+(\.[a-z0-9_]+)+$`)

// form checks what can be told from a rule alone.
func form(e entry) (wrong []string) {
	r, p := e.source, e.source.GetProvenance()
	if !idForm.MatchString(r.GetId()) {
		wrong = append(wrong, "the id is not of the form area.family.detail")
	}
	if r.GetAbout() == "" {
		wrong = append(wrong, "about is empty: say which family it stands for")
	}
	if p.GetSource() == "" || !isDate(p.GetDate()) {
		wrong = append(wrong, "provenance needs a source and a date")
	}
	if len(r.GetFixtures().GetMatch()) == 0 || len(r.GetFixtures().GetMiss()) == 0 {
		wrong = append(wrong, "it needs a fixture that matches and one that is a near miss")
	}
	return wrong
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// proveFixtures runs an entry's fixtures.
func proveFixtures(c *Catalogue, e entry) (out []Finding) {
	add := func(name, message string) {
		out = append(out, Finding{e.file, e.compiled.ID, name, message})
	}
	for i, f := range e.source.GetFixtures().GetMatch() {
		name := fmt.Sprintf("match %d", i)
		if m := proveMatch(c, e, f, i == 0); m != "" {
			add(name, m)
		}
	}
	for i, f := range e.source.GetFixtures().GetMiss() {
		name := fmt.Sprintf("miss %d", i)
		env, err := envelope(f)
		if err != nil {
			add(name, err.Error())
			continue
		}
		r := c.Classifier.Classify(env, classification.Options{Explain: true})
		if e.compiled.Effect == classification.EffectFailure && r.RuleID == e.compiled.ID || e.compiled.Effect != classification.EffectFailure && matched(r, e.compiled.ID) {
			add(name, "the rule decides it")
		} else if m := differs(f, r); m != "" {
			add(name, m)
		} else if r.ConflictsWith != "" {
			add(name, fmt.Sprintf("%s and %s tie with different codes", r.RuleID, r.ConflictsWith))
		}
	}
	return out
}

// proveMatch checks that the rule matches its fixture and gives its code, that
// it wins the first one, so that dropping the rule is seen, that no other code
// ties with it, and that the redacted fixture gives the same answer.
func proveMatch(c *Catalogue, e entry, f *cataloguev1.Fixture, first bool) string {
	env, err := envelope(f)
	if err != nil {
		return err.Error()
	}
	r := c.Classifier.Classify(env, classification.Options{Explain: true})
	switch {
	case r.ConflictsWith != "":
		return fmt.Sprintf("%s and %s tie with different codes", r.RuleID, r.ConflictsWith)
	case e.compiled.Effect == classification.EffectQuiet && f.GetCode() == "":
		return "a line that is silenced needs the code that remains"
	case e.compiled.Effect != classification.EffectQuiet && !matched(r, e.compiled.ID):
		return fmt.Sprintf("the rule does not match it (%s by %q)", r.Code, r.RuleID)
	case e.compiled.Effect == classification.EffectFailure && (first && r.RuleID != e.compiled.ID || r.Code != e.compiled.Code):
		return fmt.Sprintf("%q wins (%s)", r.RuleID, r.Code)
	}
	if m := differs(f, r); m != "" {
		return m
	}
	again := c.Classifier.Classify(evidence.RedactEnvelope(env), classification.Options{})
	if again.Code != r.Code || again.RuleID != r.RuleID || again.RetryAfter != r.RetryAfter {
		return fmt.Sprintf("after redaction it is %s by %q, not %s", again.Code, again.RuleID, r.Code)
	}
	return ""
}

// matched reports whether a rule held for some signal of an explained result.
func matched(r classification.Result, id string) bool {
	return slices.ContainsFunc(r.Explain.Candidates, func(k classification.Candidate) bool {
		return k.RuleID == id && (k.Lost == "" || strings.HasPrefix(k.Lost, "outranked") || strings.HasPrefix(k.Lost, "taken back"))
	})
}

// gone finds published ids that no rule has any more, and rules that were never
// published. An id names a meaning in stored results, so it stays.
func gone(c *Catalogue) (out []Finding) {
	published := strings.Fields(ids)
	for _, id := range published {
		if !slices.ContainsFunc(c.entries, func(e entry) bool { return e.compiled.ID == id }) {
			out = append(out, Finding{"ids.txt", id, "", "the rule is gone; keep it, or let it match nothing new"})
		}
	}
	return out
}

// unreachable finds codes that no rule gives.
func unreachable(c *Catalogue) (out []Finding) {
	for _, info := range classification.Codes() {
		has := slices.ContainsFunc(c.entries, func(e entry) bool { return e.compiled.Code == info.Code })
		if !has && info.Code != classification.Unclassified {
			out = append(out, Finding{"rules", string(info.Code), "", "no rule gives this code"})
		}
	}
	return out
}
