package classification_test

import (
	"bytes"
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/evidence"
)

// The first byte of a line picks the channel of its signal, the second its flags.
var (
	fuzzKinds = []evidence.Kind{
		evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindStderr,
		evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
	}
	fuzzAgents = []string{"", "api", "claude", "codex", "gemini", "qwen", "opencode", "copilot", "amp", "auggie", "cursor", "goose", "aider", "kiro", "other"}
)

// scripted makes an envelope of a script of one signal a line.
func scripted(agent uint8, script []byte, status int16) evidence.Envelope {
	e := evidence.Envelope{
		AgentKind: fuzzAgents[int(agent)%len(fuzzAgents)], Provider: "anthropic", HostZone: "Europe/Berlin",
		Phase: evidence.PhasePreOutput, ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC),
	}
	for line := range bytes.Lines(script) {
		if len(line) < 2 || len(e.Signals) == evidence.MaxSignals {
			continue
		}
		s := evidence.Signal{Kind: fuzzKinds[int(line[0])%len(fuzzKinds)], Text: string(line[2:])}
		s.InFlight, s.Prose, s.Foreign = line[1]&0x41 == 0x41, line[1]&0x42 == 0x42, line[1]&0x44 == 0x44
		switch s.Kind {
		case evidence.KindHTTP:
			s.Status, s.Headers = int(status)%600, map[string]string{"retry-after": string(line[2:])}
		case evidence.KindACPError:
			s.Code, s.Data = int(status), string(line[2:])
		case evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindResultEvent:
			s.Event, s.Data = "error", string(line[2:])
		case evidence.KindProcessExit:
			code := int(status)
			s.ExitCode = &code
		case evidence.KindStderr, evidence.KindStdout:
		}
		e.Signals = append(e.Signals, s)
	}
	return evidence.Bounded(e)
}

// silent is e with every signal as something that a model said.
func silent(e evidence.Envelope, mark func(*evidence.Signal)) evidence.Envelope {
	e.Signals = append([]evidence.Signal(nil), e.Signals...)
	for i := range e.Signals {
		e.Signals[i].Status = 0
		mark(&e.Signals[i])
	}
	return e
}

// checkResult holds a result against what is true of every result.
func checkResult(t *testing.T, e evidence.Envelope, r classification.Result) {
	t.Helper()
	if r.Class != classification.ClassOf(r.Code) {
		t.Fatalf("%s is of class %s", r.Code, r.Class)
	}
	if len(r.SafeExcerpt) > classification.MaxExcerpt || !utf8.ValidString(r.SafeExcerpt) {
		t.Fatalf("an excerpt of %d bytes: %q", len(r.SafeExcerpt), r.SafeExcerpt)
	}
	if r.RetryAfterSet && (r.RetryAfter <= 0 || r.RetryAfter > hint.MaxQuotaWait) || r.RetryAfterSet && r.Code != classification.QuotaLimited && r.RetryAfter > hint.MaxWait {
		t.Fatalf("%s waits %v", r.Code, r.RetryAfter)
	}
	if !r.ResetAt.IsZero() && (!r.RetryAfterSet || !r.ResetAt.Equal(e.ObservedAt.Add(r.RetryAfter))) {
		t.Fatalf("reset at %v, wait %v", r.ResetAt, r.RetryAfter)
	}
	if r.ConflictsWith != "" && (r.Code != classification.Unclassified || r.RuleID == "" || r.RuleID == r.ConflictsWith) {
		t.Fatalf("a conflict of %q with %q gives %s", r.RuleID, r.ConflictsWith, r.Code)
	}
	for _, x := range r.HintRejections {
		if x.Reason == "" || !utf8.ValidString(x.Text) || len(x.Text) > 160 {
			t.Fatalf("a rejection without sense: %+v", x)
		}
	}
	if !utf8.ValidString(r.HintSource) || len(r.HintSource) > 160 {
		t.Fatalf("hint source %q", r.HintSource)
	}
}

// FuzzClassify holds the whole catalogue against arbitrary envelopes.
func FuzzClassify(f *testing.F) {
	c := embedded(f)
	for i, text := range []string{
		"E@Error: You've hit your usage limit. Try again in 3 hours.\n", "C@{\"type\":\"systemError\"}\nC@Selected model is at capacity. Please try a different model.\n",
		"A@{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"retry after 7 seconds\"}}\nG@x\n", "@@{\"error\":{\"details\":[{\"retryDelay\":\"45.1s\"}]}}\n",
		"EA529 overloaded, retrying in 35 seconds\nG@x\n", "D@end_turn\n", "FBInvalid API key\n", "ED5-hour limit reached resets 2am (Europe/Berlin)\n",
	} {
		f.Add(uint8(i), []byte(text), int16(429+i))
	}
	other := envelopes()["1KiB"]
	f.Fuzz(func(t *testing.T, agent uint8, script []byte, status int16) {
		e := scripted(agent, script, status)
		r := c.Classify(e, classification.Options{})
		checkResult(t, e, r)
		c.Classify(other, classification.Options{}) // uses the same scratch memory
		explained := c.Classify(e, classification.Options{Explain: true})
		if explained.Explain == nil {
			t.Fatal("no explanation")
		}
		explained.Explain = nil
		if !reflect.DeepEqual(r, explained) {
			t.Fatalf("two answers to one question:\n%+v\n%+v", r, explained)
		}
		foreign := c.Classify(silent(e, func(s *evidence.Signal) { s.Foreign = true }), classification.Options{})
		if foreign.Code != classification.Unclassified || foreign.AgentRetrying {
			t.Fatalf("what belongs to others is %s by %s", foreign.Code, foreign.RuleID)
		}
		said := c.Classify(silent(e, func(s *evidence.Signal) {
			s.Kind, s.Prose, s.Data, s.Code, s.Event, s.ExitCode, s.Headers = evidence.KindACPUpdate, true, "", 0, "agent_message_chunk", nil, nil
		}), classification.Options{})
		if said.Class == classification.ClassTransient || said.Class == classification.ClassHard {
			t.Fatalf("what a model said is %s by %s", said.Code, said.RuleID)
		}
	})
}
