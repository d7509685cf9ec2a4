package catalogue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/catalogue/score"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

func classifier(tb testing.TB) *classification.Classifier {
	tb.Helper()
	c, err := catalogue.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// eachCase calls fn with every case of the project's own corpus.
func eachCase(tb testing.TB, fn func(corpus.Case)) {
	tb.Helper()
	files, err := filepath.Glob("cases/*.jsonl")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no cases: %v", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		if err := corpus.Read(f, func(k corpus.Case) error { fn(k); return nil }); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		f.Close()
	}
}

func TestOwnCorpus(t *testing.T) {
	t.Parallel()
	board := score.NewBoard()
	eachCase(t, func(k corpus.Case) { board.Add(k, classifier(t).Classify(k.Envelope(), classification.Options{})) })
	if err := board.Passes(); err != nil || board.Code.Total < 150 {
		t.Errorf("%d cases: %v; %+v", board.Code.Total, err, board.Wrong)
	}
}

// What is stored is redacted; classifying it again must give the same answer.
func TestRedactionChangesNoAnswer(t *testing.T) {
	t.Parallel()
	c := classifier(t)
	eachCase(t, func(k corpus.Case) {
		raw := c.Classify(k.Envelope(), classification.Options{})
		redacted := c.Classify(evidence.RedactEnvelope(k.Envelope()), classification.Options{})
		if raw.Code != redacted.Code || raw.RuleID != redacted.RuleID || raw.RetryAfter != redacted.RetryAfter || raw.ResetAt != redacted.ResetAt {
			t.Errorf("%s: %s by %s, redacted %s by %s", k.ID, raw.Code, raw.RuleID, redacted.Code, redacted.RuleID)
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := classifier(t)
	var cases []evidence.Envelope
	var want []string
	eachCase(t, func(k corpus.Case) {
		cases = append(cases, k.Envelope())
		want = append(want, c.Classify(k.Envelope(), classification.Options{}).RuleID)
	})
	done := make(chan error)
	for worker := range 4 {
		go func() {
			for i := range cases {
				n := (i + worker*17) % len(cases)
				if got := c.Classify(cases[n], classification.Options{}).RuleID; got != want[n] {
					done <- fmt.Errorf("case %d: %s, alone %s", n, got, want[n])
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// phrases are pieces of failure texts, to make prose that sounds like them.
func phrases(tb testing.TB) (out []string) {
	eachCase(tb, func(k corpus.Case) {
		for _, s := range k.Envelope().Signals {
			if s.Text != "" {
				out = append(out, s.Text)
			}
		}
	})
	return out
}

// Whatever a model or a tool says, nothing acts on it.
func TestProseIsNeverActionable(t *testing.T) {
	t.Parallel()
	c, said := classifier(t), phrases(t)
	rapid.Check(t, func(t *rapid.T) {
		var signals []evidence.Signal
		for range rapid.IntRange(1, 5).Draw(t, "signals") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(said), 1, 3).Draw(t, "text"), "\n")
			kind := rapid.SampledFrom([]evidence.Kind{evidence.KindACPUpdate, evidence.KindStdout, evidence.KindResultEvent, evidence.KindStderr}).Draw(t, "kind")
			event := rapid.SampledFrom([]string{"agent_message_chunk", "tool_call_update", "assistant", "item.completed", ""}).Draw(t, "event")
			signals = append(signals, evidence.Signal{Kind: kind, Event: event, Text: text, Prose: true})
		}
		r := c.Classify(evidence.Envelope{AgentKind: "claude", Signals: append(signals, evidence.Signal{Kind: evidence.KindACPResult, Event: "end_turn"})}, classification.Options{})
		if r.Class == classification.ClassTransient || r.Class == classification.ClassHard {
			t.Fatalf("%s by %s", r.Code, r.RuleID)
		}
	})
}

// FuzzClassify: any text gives a bounded, consistent answer without a panic.
func FuzzClassify(f *testing.F) {
	for _, text := range phrases(f)[:40] {
		f.Add(text, "", 429, int64(1780000000))
	}
	c, err := catalogue.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, data string, status int, unix int64) {
		e := evidence.Envelope{
			AgentKind: "codex", HostZone: "Europe/Berlin", ObservedAt: time.Unix(unix%4102444800, 0).UTC(),
			Signals: []evidence.Signal{{Kind: evidence.KindACPError, Text: text, Data: data, Code: status}, {Kind: evidence.KindStderr, Text: text}},
		}
		r := c.Classify(e, classification.Options{Explain: true})
		switch {
		case len(r.SafeExcerpt) > classification.MaxExcerpt:
			t.Fatalf("excerpt of %d bytes", len(r.SafeExcerpt))
		case r.Class != classification.ClassOf(r.Code):
			t.Fatalf("%s of class %s", r.Code, r.Class)
		case r.RetryAfterSet && (r.RetryAfter <= 0 || !r.HintAt().Equal(e.ObservedAt.Add(r.RetryAfter))):
			t.Fatalf("wait %v, reset %v", r.RetryAfter, r.ResetAt)
		}
		again := c.Classify(e, classification.Options{})
		if again.RuleID != r.RuleID || again.RetryAfter != r.RetryAfter || again.SafeExcerpt != r.SafeExcerpt {
			t.Fatalf("%s, then %s", r.RuleID, again.RuleID)
		}
	})
}

// A stated wait is no instant: the policy's margin after a reset is not for it.
func TestAStatedWaitIsNoInstant(t *testing.T) {
	t.Parallel()
	named := classifier(t)
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for text, instant := range map[string]bool{
		"Rate limit reached for gpt-5 on tokens per min (TPM). Please try again in 3s.": false,
		"You've hit your 5-hour limit · resets 3:48pm (UTC)":                            true,
	} {
		r := named.Classify(evidence.Envelope{ObservedAt: now, Signals: []evidence.Signal{
			{Kind: evidence.KindHTTP, Status: 429, Text: text},
		}}, classification.Options{})
		if !r.RetryAfterSet || r.ResetAt.IsZero() == instant {
			t.Errorf("%q: wait %v (%v), reset %v", text, r.RetryAfter, r.RetryAfterSet, r.ResetAt)
		}
	}
}
