// Package classification_test measures what naming a failure costs. Ratios are
// taken in one run, so that they mean the same on every machine.
package classification_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

var sink classification.Result

// envelopes are failures of the sizes that agents send.
func envelopes() map[string]evidence.Envelope {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	limit := `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 80,000 input tokens per minute. For details, refer to: https://docs.example.com/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later."},"request_id":"req_000000000000000000000000"`
	pad := func(n int) string {
		var b strings.Builder
		b.WriteString(limit + `,"debug":[`)
		for i := 0; b.Len() < n-40; i++ {
			fmt.Fprintf(&b, `{"step":%d,"at":"handler.go:%d","ok":true},`, i, i*7)
		}
		return strings.TrimSuffix(b.String(), ",") + "]}"
	}
	out := map[string]evidence.Envelope{}
	for _, kib := range []int{1, 2, 4} {
		out[fmt.Sprintf("%dKiB", kib)] = evidence.Envelope{
			AgentKind: "claude", Provider: "anthropic", ObservedAt: now,
			Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 429, Headers: map[string]string{"retry-after": "17"}, Text: pad(kib << 10)}},
		}
	}
	return out
}

func embedded(tb testing.TB) *classification.Classifier {
	c, err := catalogue.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func classify(c *classification.Classifier, e evidence.Envelope) func(*testing.B) {
	return func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = c.Classify(e, classification.Options{})
		}
	}
}

func decode(text string) func(*testing.B) {
	data := []byte(text)
	return func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkEnvelope classifies what agents send.
func BenchmarkEnvelope(b *testing.B) {
	for name, e := range envelopes() {
		b.Run("classify/"+name, classify(embedded(b), e))
		b.Run("decode/"+name, decode(e.Signals[0].Text))
	}
}

// BenchmarkRules grows the catalogue under the same text.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{60, 300, 3000} {
		b.Run(fmt.Sprint(n), classify(synthetic(b, n), logText()))
	}
}

// synthetic compiles n rules of one to three literals; four in ten have an expression too.
func synthetic(tb testing.TB, n int) *classification.Classifier {
	words := []string{"quota", "limit", "token", "model", "request", "credit", "server", "region", "session", "window", "plan", "upstream"}
	rules := make([]classification.Rule, n)
	for i := range rules {
		w := func(k int) string { return words[(i*7+k*5)%len(words)] }
		r := classification.Rule{ID: fmt.Sprintf("synthetic.rule%d", i), Code: classification.RateLimited, Confidence: classification.High, Priority: i + 1}
		group := []string{fmt.Sprintf("%s %s failure %d", w(0), w(1), i*7919%9973)}
		for k := range i % 3 {
			group = append(group, fmt.Sprintf("%s denied by %s %d", w(k+2), w(k+3), i*31+k))
		}
		r.When.Text = [][]string{group}
		if i%10 < 4 {
			r.When.Regexp = []string{fmt.Sprintf(`(%s|%s) .{0,40}%d`, w(0), w(2), i*7919%9973)}
		}
		rules[i] = r
	}
	c, err := classification.Compile("0.0.0", "synthetic", rules, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// logText is 4 KiB of log lines of which two hit a rule that every size has.
func logText() evidence.Envelope {
	var b strings.Builder
	for i := 0; b.Len() < 4000; i++ {
		fmt.Fprintf(&b, "2026-06-01T12:00:%02d INFO request %d to the model server took %d ms\n", i%60, i, i*13%997)
		if i == 20 || i == 40 {
			b.WriteString("ERROR model window failure 7919 and more\n")
		}
	}
	return evidence.Envelope{Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: b.String()}}}
}
