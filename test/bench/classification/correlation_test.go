package classification_test

import (
	"slices"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

func codexEnvelope(signals ...evidence.Signal) evidence.Envelope {
	return evidence.Envelope{
		AgentKind: "codex", Provider: "openai", Phase: evidence.PhasePreOutput, ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), Signals: signals,
	}
}

// A session in error, then a bounded message, then the end of the turn are one
// failure of the model's capacity; no part of it alone is, nor any other order.
func TestThePartsOfACapacityFailureMeanNothingAlone(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	broken := evidence.Signal{
		Kind: evidence.KindACPUpdate, Event: "session_info_update",
		Data: `{"_meta":{"codex":{"threadStatus":{"type":"systemError"}}},"sessionUpdate":"session_info_update"}`,
	}
	said := evidence.Signal{Kind: evidence.KindACPUpdate, Event: "agent_message_chunk", Text: "Selected model is at capacity. Please try a different model.", Prose: true}
	ended := evidence.Signal{Kind: evidence.KindACPResult, Event: "end_turn", Data: `{"stopReason":"end_turn"}`}
	foreign := func(s evidence.Signal) evidence.Signal { s.Foreign = true; return s }
	for name, x := range map[string]struct {
		signals []evidence.Signal
		whole   bool
	}{
		"all of it":                       {[]evidence.Signal{broken, said, ended}, true},
		"a session in error":              {[]evidence.Signal{broken}, false},
		"a message":                       {[]evidence.Signal{said}, false},
		"an end":                          {[]evidence.Signal{ended}, false},
		"a message and an end":            {[]evidence.Signal{said, ended}, false},
		"an error and an end":             {[]evidence.Signal{broken, ended}, false},
		"another order":                   {[]evidence.Signal{said, ended, broken}, false},
		"the error of another session":    {[]evidence.Signal{foreign(broken), said, ended}, false},
		"the message of another session":  {[]evidence.Signal{broken, foreign(said), ended}, false},
		"all of it of another generation": {[]evidence.Signal{foreign(broken), foreign(said), foreign(ended)}, false},
	} {
		got := c.Classify(codexEnvelope(x.signals...), classification.Options{})
		if whole := got.Code == classification.ModelCapacity; whole != x.whole {
			t.Errorf("%s: %s by %q", name, got.Code, got.RuleID)
		}
		if !x.whole && (got.Class == classification.ClassTransient || got.Class == classification.ClassHard) {
			t.Errorf("%s: acted upon as %s by %q", name, got.Code, got.RuleID)
		}
	}
}

// The status says that something is limited, the line of the agent what: the
// line wins, wherever it stands, and its time is the hint.
func TestTheMoreSpecificStatementWins(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	status := evidence.Signal{Kind: evidence.KindHTTP, Status: 429, Text: `{"type":"error","error":{"type":"rate_limit_error","message":"Error"}}`}
	line := evidence.Signal{Kind: evidence.KindStderr, Text: "You've hit your session limit · resets 3pm (Europe/Warsaw)"}
	code := 1
	exit := evidence.Signal{Kind: evidence.KindProcessExit, ExitCode: &code}
	for _, signals := range [][]evidence.Signal{{status, line, exit}, {line, status, exit}} {
		e := codexEnvelope(signals...)
		e.AgentKind, e.Provider = "claude", "anthropic"
		got := c.Classify(e, classification.Options{Explain: true})
		if got.Code != classification.QuotaLimited || !got.ResetAt.Equal(time.Date(2026, 6, 1, 13, 0, 0, 0, time.UTC)) {
			t.Errorf("%s by %q, reset %v (%v)", got.Code, got.RuleID, got.ResetAt, got.HintRejections)
		}
		if got.HintSource != "resets 3pm (Europe/Warsaw)" {
			t.Errorf("the hint is %q", got.HintSource)
		}
		won := slices.ContainsFunc(got.Explain.Candidates, func(k classification.Candidate) bool { return k.Won && k.RuleID == got.RuleID })
		beaten := slices.ContainsFunc(got.Explain.Candidates, func(k classification.Candidate) bool { return k.Lost == "outranked by "+got.RuleID })
		if !won || !beaten {
			t.Errorf("the explanation shows no winner and no loser: %+v", got.Explain.Candidates)
		}
	}
}

// An answer to another prompt, and updates of another session, are not this failure.
func TestOnlyTheForegroundPromptFails(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	s := acpOf("codex-acp", limit, `{"codexErrorInfo":"usageLimitExceeded"}`, "")
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}}}}`
	for name, lines := range map[string][]line{
		"an answer to nothing":      {{"in", `{"jsonrpc":"2.0","id":77,"error":{"code":-32603,"message":"You've hit your usage limit."}}`}},
		"another session's trouble": {{"in", update}, {"in", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Selected model is at capacity."}}}}`}},
	} {
		e, _ := observe(s, append(append(append([]line(nil), s.open...), lines...), s.done...), -1)
		if got := c.Classify(e, classification.Options{}); got.Class == classification.ClassTransient || got.Class == classification.ClassHard {
			t.Errorf("%s is %s by %q: %+v", name, got.Code, got.RuleID, e.Signals)
		}
	}
	e, _ := observe(s, append(append([]line(nil), s.open...), s.fail...), -1)
	if got := c.Classify(e, classification.Options{}); got.Code != classification.QuotaLimited {
		t.Errorf("the foreground prompt's failure is %s", got.Code)
	}
}
