package catalogue_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

func exited(code int) evidence.Signal {
	return evidence.Signal{Kind: evidence.KindProcessExit, ExitCode: &code}
}

func printed(kind evidence.Kind, text string) evidence.Envelope {
	return evidence.Envelope{
		AgentKind: "codex", ObservedAt: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Signals: []evidence.Signal{{Kind: kind, Text: text}, exited(1)},
	}
}

var secret = "sk-" + "ant-" + strings.Repeat("a1B2", 10)

// Whatever a draft looks for, the file it writes loads beside the embedded rules
// and names the failure as wished.
func TestADraftProvesItself(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		e     evidence.Envelope
		code  classification.Code
		looks string
	}{
		{"words", printed(evidence.KindStderr, "starting\nERROR 17: the house allowance is gone for ada@example.org\nbye"), classification.QuotaLimited, "the house allowance is gone for"},
		{"a field", printed(evidence.KindHTTP, `{"error":{"type":"cellar_flooded","message":"Come back later, 0x17"}}`), classification.ProviderUnavailable, `error.type with the value "cellar_flooded"`},
		{"a field deep in prose", printed(evidence.KindStderr, `Error: 420 {"error":{"code":"cellar_flooded","details":[{"reason":"pump_broken"}]}} (request 9)`), classification.ProviderUnavailable, `error.code with the value "cellar_flooded"`},
		{"against a rule that won", printed(evidence.KindStderr, "429 Too Many Requests: the house purse holds no coins"), classification.SubscriptionRequired, "the house purse holds no coins"},
		{"with a wait", printed(evidence.KindStderr, "The house butler asks for patience. Please try again in 90s."), classification.RateLimited, "the house butler asks for patience"},
		{"beside a secret", printed(evidence.KindStderr, "house key "+secret+" was melted down by the smith"), classification.AuthRequired, "was melted down by the smith"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plain, err := catalogue.Plain()
			if err != nil {
				t.Fatal(err)
			}
			d, err := plain.Draft(c.e, catalogue.Wish{Code: c.code, Source: "a test", Date: "2026-11-30"})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.ToLower(d.Looks), c.looks) {
				t.Errorf("it looks for %s, not %s", d.Looks, c.looks)
			}
			if strings.Contains(string(d.YAML), secret) || strings.Contains(string(d.YAML), "ada@") {
				t.Errorf("a secret is written down:\n%s", d.YAML)
			}
			dir := folder(t, map[string]string{"new.yaml": string(d.YAML)})
			with, err := catalogue.Overlaid(dir)
			if err != nil {
				t.Fatalf("%v\n%s", err, d.YAML)
			}
			r := with.Classifier.Classify(c.e, classification.Options{})
			if r.Code != c.code || r.RuleID != d.ID || r.Confidence != classification.High {
				t.Errorf("%s by %s:\n%s", r.Code, r.RuleID, d.YAML)
			}
			if before := plain.Classifier.Classify(c.e, classification.Options{}); before.Code != d.Before.Code || before.Code == c.code {
				t.Errorf("before it was %s, told as %s", before.Code, d.Before.Code)
			}
		})
	}
}

func TestWhatNoRuleCanBeMadeOf(t *testing.T) {
	t.Parallel()
	plain, err := catalogue.Plain()
	if err != nil {
		t.Fatal(err)
	}
	said := printed(evidence.KindStdout, "the house allowance is gone")
	said.Signals[0].Prose = true
	house := printed(evidence.KindStderr, "the house allowance is gone")
	for name, c := range map[string]struct {
		e    evidence.Envelope
		wish catalogue.Wish
		want string
	}{
		"what a model said":        {said, catalogue.Wish{Code: classification.QuotaLimited}, "nothing in the evidence"},
		"numbers":                  {printed(evidence.KindStderr, "0x17 4711 [12:30]"), catalogue.Wish{Code: classification.QuotaLimited}, "nothing in the evidence"},
		"no cause":                 {house, catalogue.Wish{Code: classification.Unclassified}, "is no cause"},
		"no code":                  {house, catalogue.Wish{Code: "quota_gone"}, "is no cause"},
		"named so already":         {printed(evidence.KindStderr, "API Error: 529 Overloaded"), catalogue.Wish{Code: classification.ProviderOverloaded}, "already"},
		"an id of another form":    {house, catalogue.Wish{Code: classification.QuotaLimited, ID: "House"}, "not of the form"},
		"an id that is taken":      {house, catalogue.Wish{Code: classification.QuotaLimited, ID: "http.bare.429"}, "already"},
		"words that are another's": {printed(evidence.KindStderr, "prompt is too long"), catalogue.Wish{Code: classification.QuotaLimited, Source: "a test", Date: "2026-11-30"}, "proves itself"},
	} {
		if d, err := plain.Draft(c.e, c.wish); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q\n%s", name, err, c.want, d.YAML)
		}
	}
}

// A second draft for other words goes beside the first, under an id of its own.
func TestDraftsLieTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	wish := catalogue.Wish{Code: classification.QuotaLimited, Source: "a test", Date: "2026-11-30"}
	for _, text := range []string{"the house allowance is gone", "the house allowance is gone? the garden purse is gone"} {
		c, err := catalogue.Plain()
		if inside, _ := os.ReadDir(dir); len(inside) > 0 {
			c, err = catalogue.Overlaid(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		wish.Code = map[bool]classification.Code{true: classification.QuotaLimited, false: classification.SubscriptionRequired}[strings.HasSuffix(text, "allowance is gone")]
		d, err := c.Draft(printed(evidence.KindStderr, text), wish)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, d.ID+".yaml"), d.YAML, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := catalogue.Overlaid(dir); err != nil {
		t.Error(err)
	}
}
