package catalogue_test

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
)

var update = flag.Bool("update", false, "write schema.json and ids.txt")

func read(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Read(catalogue.Files())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The embedded rules must prove themselves as an operator's must.
func TestEmbeddedRulesAreSound(t *testing.T) {
	t.Parallel()
	for _, f := range catalogue.Lint(read(t)) {
		t.Error(f)
	}
}

// Dropping any rule must be seen by a fixture, or the rule proves nothing.
func TestEveryRuleIsNeeded(t *testing.T) {
	t.Parallel()
	c := read(t)
	for _, id := range ids(c.Classifier) {
		if !catalogue.Needed(c, id) {
			t.Errorf("%s: no fixture changes when it is dropped", id)
		}
	}
}

func ids(c *classification.Classifier) (out []string) {
	for _, r := range c.Rules() {
		out = append(out, r.ID)
	}
	return out
}

// ids.txt is what Lint holds later versions to, so it must name every rule. It
// only grows: an update keeps the id of a rule that is gone, and Lint tells of it.
func TestIDsArePublished(t *testing.T) {
	t.Parallel()
	published, err := os.ReadFile("ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := append(strings.Fields(string(published)), ids(read(t).Classifier)...)
	slices.Sort(all)
	golden(t, "ids.txt", []byte(strings.Join(slices.Compact(all), "\n")+"\n"))
}

func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	schema, err := catalogue.Schema()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "schema.json", schema)
}

func golden(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current (%v); run go test ./catalogue -update", name, err)
	}
}

const overlayRule = `rules:
  - id: own.house.limit
    about: the house gateway's words for a used-up month
    code: quota_limited
    priority: 990
    provenance: {source: "the gateway's manual", date: "2026-11-30"}
    when: {text: [{any: ["house allowance is gone"]}]}
    fixtures:
      match:
        - signal: {stderr: "the house allowance is gone"}
      miss:
        - {signal: {stderr: "the house is gone"}, code: unclassified}
`

func TestOverlay(t *testing.T) {
	t.Parallel()
	with := func(text string) fstest.MapFS { return fstest.MapFS{"own.yaml": {Data: []byte(text)}} }
	for _, c := range []struct {
		name, text string
		errors     []string // words of the error, none if it loads
	}{
		{"a sound rule", overlayRule, nil},
		{"no YAML", "rules: [", []string{"own.yaml"}},
		{"an unknown key", strings.Replace(overlayRule, "about:", "abuot:", 1), []string{"own.yaml", "abuot"}},
		{"an unknown code", strings.Replace(overlayRule, "quota_limited", "quota_gone", 1), []string{"own.yaml", "own.house.limit", "quota_gone"}},
		{"an unknown channel", strings.Replace(overlayRule, "when: {", "when: {channels: [smoke], ", 1), []string{"own.yaml", "own.house.limit", "smoke"}},
		{"an id twice", strings.Replace(overlayRule, "own.house.limit", "http.bare.429", 1), []string{"own.yaml", "http.bare.429"}},
		{"an expression that is no RE2", strings.Replace(overlayRule, "when: {", `when: {regexp: ["(?!x)"], `, 1), []string{"own.house.limit"}},
		{"no provenance", strings.Replace(overlayRule, "source: \"the gateway's manual\", ", "", 1), []string{"own.yaml", "own.house.limit", "provenance"}},
		{"a date that is none", strings.Replace(overlayRule, "2026-11-30", "2026-13-30", 1), []string{"own.yaml", "own.house.limit", "provenance"}},
		{"no near miss", overlayRule[:strings.Index(overlayRule, "      miss:")], []string{"own.yaml", "own.house.limit", "near miss"}},
		{"a mark that nothing asks for", strings.NewReplacer("code: quota_limited\n", "effect: mark\n").Replace(overlayRule), []string{"own.yaml", "own.house.limit", "no fixture changes"}},
		{"a secret that comes out", strings.Replace(overlayRule, `- signal: {stderr: "the house allowance is gone"}`, `- {signal: {stderr: "the house allowance is gone for hunter"}, secret: hunter}`, 1), []string{"own.yaml", "own.house.limit", "match 0", "secret"}},
		{"a wait that is another", strings.Replace(overlayRule, `- signal: {stderr: "the house allowance is gone"}`, `- {signal: {stderr: "the house allowance is gone, try again in 7s"}, retry_after: 8s}`, 1), []string{"own.yaml", "own.house.limit", "match 0", "retry_after is 7s"}},
		{"a match that does not match", strings.Replace(overlayRule, `stderr: "the house allowance is gone"`, `stderr: "the allowance"`, 1), []string{"own.yaml", "own.house.limit", "match 0"}},
		{"a miss that matches", strings.Replace(overlayRule, `stderr: "the house is gone"`, `stderr: "the house allowance is gone"`, 1), []string{"own.yaml", "own.house.limit", "miss 0"}},
		{"a tie with another code", strings.NewReplacer("990", "900", "stderr: \"the house allowance is gone\"", "stderr: \"the house allowance is gone: insufficient credits\"").Replace(overlayRule), []string{"own.yaml", "own.house.limit", "tie"}},
		{"a rule that breaks another's fixture", strings.ReplaceAll(overlayRule, "house allowance is gone", "prompt is too long"), []string{"tie", "task"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := c.text
			if c.name == "a rule that breaks another's fixture" {
				text = strings.Replace(text, "990", "720", 1)
			}
			got, err := catalogue.Load(catalogue.Files(), with(text))
			switch {
			case c.errors == nil && err != nil:
				t.Fatal(err)
			case c.errors == nil:
				if !slices.Contains(ids(got.Classifier), "own.house.limit") || got.Classifier.Digest() == read(t).Classifier.Digest() {
					t.Error("the overlay is not in it, or not in its digest")
				}
			case err == nil:
				t.Fatal("it loads")
			}
			for _, word := range c.errors {
				if err != nil && !strings.Contains(err.Error(), word) && !strings.Contains(word, "task") {
					t.Errorf("%v does not name %q", err, word)
				}
			}
		})
	}
}

// A published id must stay: stored results name it.
func TestARemovedRuleIsFound(t *testing.T) {
	t.Parallel()
	data, err := catalogueFile("00-http.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Read(fstest.MapFS{"00-http.yaml": {Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	said := catalogue.Lint(c).Error()
	for _, want := range []string{"quota.reached: the rule is gone", "repo_error: no rule gives this code"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q", want)
		}
	}
}

func catalogueFile(name string) ([]byte, error) { return os.ReadFile("rules/" + name) }

func TestEmbeddedIsCompiledOnce(t *testing.T) {
	t.Parallel()
	a, err := catalogue.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	b, _ := catalogue.Embedded()
	if a != b || a.Version() != catalogue.Version || !strings.HasPrefix(a.Digest(), "sha256:") {
		t.Errorf("%p and %p, version %q, digest %q", a, b, a.Version(), a.Digest())
	}
}
