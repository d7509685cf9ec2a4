package classification_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// each changes every printed line; frames of a connection are never mangled so.
func each(change func(text string) string) func(sample, []line) []line {
	return func(_ sample, lines []line) (changed []line) {
		for _, l := range lines {
			changed = append(changed, line{l.via, change(l.text)})
		}
		return changed
	}
}

// manglings are what happens to lines between an agent and who reads them. None
// changes what they say.
var manglings = map[string]func(sample, []line) []line{
	"clean":    each(func(text string) string { return text }),
	"CRLF":     each(func(text string) string { return text + "\r" }),
	"NUL":      each(func(text string) string { return "\x00" + text + "\x00\x00" }),
	"BOM":      each(func(text string) string { return "\ufeff" + text }),
	"colours":  each(func(text string) string { return "\x1b[0m\x1b[38;5;9m" + text + "\x1b[0m\x1b[K" }),
	"a title":  each(func(text string) string { return "\x1b]0;agent\x07" + text }),
	"a latin1": each(func(text string) string { return strings.NewReplacer("·", "\xb7", "—", "\x97").Replace(text) }),
	"glued":    glued,
	"torn":     torn,
	"noise":    noise,
	"UTF-16":   wide,
	"escapes":  escaped,
	"written":  written,
}

// glued puts all events of standard output on one line.
func glued(s sample, lines []line) (changed []line) {
	if s.mode == dialect.Text || s.mode == dialect.ACP {
		return lines
	}
	all := ""
	for _, l := range lines {
		if l.via == "out" {
			all += l.text
			continue
		}
		changed = append(changed, l)
	}
	return append(changed, line{"out", all})
}

// torn cuts the end off the last event.
func torn(s sample, lines []line) []line {
	if s.mode == dialect.Text || s.mode == dialect.ACP {
		return lines
	}
	changed := append([]line(nil), lines...)
	last := &changed[len(changed)-1].text
	*last = (*last)[:len(*last)-1]
	return changed
}

// noise is far more output than is kept, before and behind, on every channel.
func noise(s sample, lines []line) (changed []line) {
	if s.mode == dialect.ACP {
		return lines
	}
	for range 900 {
		changed = append(changed, line{"err", "debug: reading the next file of the repository"})
	}
	changed = append(changed, lines...)
	for range 40 {
		changed = append(changed, line{"err", "debug: closing a file of the repository"})
	}
	return changed
}

// wide is what a Windows shell makes of a redirected channel: UTF-16, split at
// the bytes that look like line ends.
func wide(s sample, lines []line) (changed []line) {
	if s.mode == dialect.ACP {
		return lines
	}
	for _, via := range []string{"err", "out"} {
		text := ""
		for _, l := range lines {
			if l.via == via {
				text += l.text + "\n"
			}
		}
		if text == "" {
			continue
		}
		raw := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(text)) {
			raw = append(raw, byte(unit), byte(unit>>8))
		}
		for _, part := range strings.SplitAfter(string(raw), "\n\x00") {
			changed = append(changed, line{via, strings.TrimSuffix(part, "\n\x00")})
		}
	}
	return changed
}

// escaped puts the words of a printed failure into JSON inside JSON inside JSON.
func escaped(s sample, lines []line) []line {
	if s.mode != dialect.Text {
		return lines
	}
	changed := append([]line(nil), lines...)
	last := &changed[len(changed)-1].text
	lead, words, found := strings.Cut(*last, ": ")
	if !found {
		lead, words = "Error", *last
	}
	*last = lead + ": " + quoted(`{"body":`+quoted(`{"error":{"message":`+quoted(words)+`}}`)+`}`)
	return changed
}

// written colours a text in JSON, where the escapes are spelled out.
func written(s sample, lines []line) []line {
	if s.mode == dialect.Text {
		return lines
	}
	changed := append([]line(nil), lines...)
	last := &changed[len(changed)-1].text
	*last = strings.ReplaceAll(*last, " limit", ` \u001b[1mlimit\u001b[0m`)
	return changed
}

func TestNoManglingChangesTheVerdict(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for name, s := range samples() {
		clean, _ := observe(s, append(s.open, s.fail...), s.exit)
		want := c.Classify(clean, classification.Options{})
		if s.want != "" && want.Code != s.want || want.Class == classification.ClassUnclassified {
			t.Errorf("%s: %s by %s, want %s: %+v", name, want.Code, want.RuleID, s.want, clean.Signals)
			continue
		}
		for how, mangle := range manglings {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				e, state := observe(s, mangle(s, append(append([]line(nil), s.open...), s.fail...)), s.exit)
				got := c.Classify(e, classification.Options{})
				if got.Code != want.Code {
					t.Errorf("%s by %q, want %s by %q: %+v", got.Code, got.RuleID, want.Code, want.RuleID, e.Signals)
				}
				if state.Succeeded {
					t.Error("it is taken for a success")
				}
			})
		}
	}
}

// What a tool printed and what a model said is no failure, however it is
// mangled, whether the run then succeeds or just stops.
func TestNoQuoteIsAFailure(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for name, s := range samples() {
		for _, words := range []string{
			limit, "API Error: 529 Overloaded", `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`,
			"Selected model is at capacity. Please try a different model.", "Error: connect ECONNREFUSED 127.0.0.1:443", "HTTP 401 Unauthorized",
		} {
			for how, mangle := range manglings {
				if how == "torn" && len(s.done) == 0 {
					continue
				}
				t.Run(name+"/"+how+"/"+words[:9], func(t *testing.T) {
					t.Parallel()
					lines := append(append(append([]line(nil), s.open...), s.quote(words)...), s.done...)
					if how == "torn" {
						lines = lines[:len(lines)-len(s.done)]
					}
					e, _ := observe(s, mangle(s, lines), min(s.exit, 0))
					got := c.Classify(e, classification.Options{})
					if got.Class == classification.ClassTransient || got.Class == classification.ClassHard {
						t.Errorf("%s by %q (%s): %+v", got.Code, got.RuleID, got.Confidence, e.Signals)
					}
				})
			}
		}
	}
}

// A failure that the same run got over is none.
func TestARecoveredFailureIsNone(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	retries := map[string][]line{
		"claude stream":   out(`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error":"overloaded","session_id":"s"}`),
		"codex exec json": out(`{"type":"error","message":"Reconnecting... 2/5 (stream disconnected before completion: Selected model is at capacity)"}`),
		"gemini stream":   {{"err", `Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}`}},
		"copilot json":    out(`{"type":"model.call_failure","data":{"statusCode":429,"retryAttempt":0,"failureKind":"api","errorMessage":"rate limit exceeded"}}`, `{"type":"assistant.turn_retry","data":{"reason":"rate_limit"}}`),
		"cline json":      out(`{"ts":"t","type":"agent_event","event":{"type":"error","error":{"name":"Error","message":"rate limit exceeded"},"errorClass":"rate","recoverable":true}}`),
		"opencode json":   {{"err", "All credentials for model x are cooling down [retrying in 7m 56s attempt #2]"}},
		"qwen text":       {{"err", "Retrying in 60s (attempt 1/1): [API Error: 503 Our servers are currently overloaded.]"}},
		"goose text":      out(`Request failed, retrying (2/3): RateLimitExceeded("slow down")`, "Backing off for 17.7s before retry"),
		"aider text":      out("litellm.RateLimitError: RateLimitError: GroqException - Rate limit reached", "Retrying in 0.2 seconds..."),
		"codex text":      {{"err", "ERROR: Reconnecting... 1/5"}},
		"copilot text":    out("● Request failed due to a transient API error. Retrying..."),
		"claude text":     out("API Error (529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}) · Retrying in 5 seconds… (attempt 2/10)"),
	}
	for name, retry := range retries {
		s := samples()[name]
		for how, mangle := range manglings {
			if how == "torn" || how == "escapes" || how == "written" {
				continue // these change the last line, which is the success
			}
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				lines := append(append(append([]line(nil), s.open...), retry...), s.quote("All is done.")...)
				e, state := observe(s, mangle(s, append(lines, s.done...)), 0)
				got := c.Classify(e, classification.Options{})
				if got.Code != classification.Unclassified || state.Failed || state.Retrying {
					t.Errorf("%s by %q, failed %v, retrying %v: %+v", got.Code, got.RuleID, state.Failed, state.Retrying, e.Signals)
				}
			})
		}
	}
}
