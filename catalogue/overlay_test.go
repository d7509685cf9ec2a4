package catalogue_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// folder writes rule files into a folder of the test's own.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnOverlayDecides(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"90-house.yml": overlayRule, ".own.yaml": "rules: [", "README.md": "# ours"})
	c, err := catalogue.Overlaid(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := evidence.Envelope{AgentKind: "codex", Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: "ERROR: the house allowance is gone"}}}
	r := c.Classifier.Classify(e, classification.Options{})
	if r.RuleID != "own.house.limit" || r.Code != classification.QuotaLimited {
		t.Errorf("%s by %s", r.Code, r.RuleID)
	}
	if plain := classifier(t); r.CatalogueDigest == plain.Digest() || r.CatalogueVersion != catalogue.Version+"+overlay" || plain.Classify(e, classification.Options{}).Code == r.Code {
		t.Errorf("version %s, digest %s, which the plain catalogue has too", r.CatalogueVersion, r.CatalogueDigest)
	}
	infos := c.Rules()
	last := infos[len(infos)-1]
	if last.ID != "own.house.limit" || !last.Overlay || last.Dialect != "house" || last.File != filepath.Join(dir, "90-house.yml") || last.Matches != 1 || infos[0].Overlay {
		t.Errorf("told as %+v", last)
	}
}

// The same rules have the same digest wherever they lie; other rules have another.
func TestTheDigestIsOfTheRulesAlone(t *testing.T) {
	t.Parallel()
	digest := func(text string) string {
		c, err := catalogue.Overlaid(folder(t, map[string]string{"own.yaml": text}))
		if err != nil {
			t.Fatal(err)
		}
		return c.Classifier.Digest()
	}
	here, there := digest(overlayRule), digest(overlayRule)
	if here != there {
		t.Error("the folder's name is in the digest")
	}
	if here == digest(strings.Replace(overlayRule, "990", "991", 1)) {
		t.Error("a priority is not in the digest")
	}
}

// An operator mends everything in one go.
func TestEveryProblemOfEveryFileIsTold(t *testing.T) {
	t.Parallel()
	rename := func(id string, change ...string) string {
		return strings.NewReplacer(append([]string{"own.house.limit", id}, change...)...).Replace(overlayRule)
	}
	dir := folder(t, map[string]string{
		"a.yaml": "rules: [",
		"b.yaml": rename("own.b", "abou", "abuo"),
		"c.yaml": rename("own.c", "quota_limited", "quota_gone"),
		"d.yaml": rename("own.d", "when: {", `when: {regexp: ["(?<=x)y"], `),
		"e.yaml": rename("own.e", "when: {", `when: {after: [own.none], `),
		"f.yaml": rename("own.f", "house allowance is gone\"}", "house is warm\"}", "house allowance", "cellar allowance", "the house is gone", "the cellar allowance is gone"),
		"g.yaml": rename("http.bare.429"),
		"h.yaml": rename("Own H", "house allowance", "attic allowance"),
	})
	_, err := catalogue.Overlaid(dir)
	var findings catalogue.Findings
	if !errors.As(err, &findings) {
		t.Fatalf("%v", err)
	}
	for file, want := range map[string][]string{
		"a.yaml": {""}, "b.yaml": {"abuot"}, "c.yaml": {"own.c", `code "quota_gone" does not exist`}, "d.yaml": {"own.d", "(?<"}, "e.yaml": {"own.e", `"own.none", which is no rule`},
		"f.yaml": {"own.f", "match 0", "miss 0"}, "g.yaml": {"http.bare.429", "00-http.yaml has this id already"}, "h.yaml": {"Own H", "the id is not of the form"},
	} {
		var said []string
		for _, f := range findings {
			if f.File == filepath.Join(dir, file) && strings.Contains(err.Error(), "\n  "+f.String()) {
				said = append(said, f.String())
			}
		}
		all := strings.Join(said, "\n")
		for _, word := range want {
			if len(said) == 0 || !strings.Contains(all, word) {
				t.Errorf("%s: %q is not in %q", file, word, all)
			}
		}
	}
	if strings.Contains(err.Error(), "ids.txt") {
		t.Errorf("what is broken elsewhere makes embedded rules look gone:\n%v", err)
	}
}

func TestFoldersThatAreNone(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"rules.txt": overlayRule, "one.yaml.bak": overlayRule})
	for path, want := range map[string]string{
		dir:                             "holds no rule file",
		filepath.Join(dir, "none"):      "no such file",
		filepath.Join(dir, "rules.txt"): "is no folder",
	} {
		if _, err := catalogue.Overlaid(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// Two overlays are held to the same proofs against each other.
func TestTwoOverlays(t *testing.T) {
	t.Parallel()
	one := folder(t, map[string]string{"own.yaml": overlayRule})
	two := folder(t, map[string]string{"own.yaml": strings.Replace(overlayRule, "own.house", "own.other", 1)})
	if _, err := catalogue.Overlaid(one, two); err == nil || !strings.Contains(err.Error(), "own.other.limit") {
		t.Errorf("two rules for one text load: %v", err)
	}
	apart := folder(t, map[string]string{"own.yaml": strings.NewReplacer("own.house", "own.other", "house", "garden").Replace(overlayRule)})
	c, err := catalogue.Overlaid(one, apart)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(ids(c.Classifier), "own.house.limit") || !slices.Contains(ids(c.Classifier), "own.other.limit") {
		t.Error("one of them is not in it")
	}
}

// A rule as it is shown is a rule file that loads to the same rule.
func TestARuleIsShownAsItIsWritten(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Plain()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range c.Rules() {
		if len(info.When.After) > 0 {
			continue // alone it names a rule that is not there
		}
		text, ok := c.YAML(info.ID)
		if !ok {
			t.Fatalf("%s cannot be shown", info.ID)
		}
		again, err := catalogue.Read(fstest.MapFS{"one.yaml": {Data: text}})
		if err != nil {
			t.Fatalf("%s: %v\n%s", info.ID, err, text)
		}
		if second, ok := again.YAML(info.ID); !ok || string(second) != string(text) {
			t.Errorf("%s changes when it is read back:\n%s", info.ID, second)
		}
	}
	if _, ok := c.YAML("no.such.rule"); ok {
		t.Error("a rule that is not there is shown")
	}
}
