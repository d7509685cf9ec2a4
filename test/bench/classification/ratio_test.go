package classification_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// gate turns missed ratios into failures; without it they are only printed,
// because a loaded machine distorts them.
var gate = os.Getenv("BENCH_GATE") != ""

func report(b *testing.B, ok bool, format string, args ...any) {
	b.Helper()
	line := fmt.Sprintf(format, args...)
	mark := map[bool]string{true: "ok  ", false: "MISS"}[ok]
	fmt.Fprintln(os.Stdout, mark, line) // b.Log keeps ten lines only
	if gate && !ok {
		b.Error(line)
	}
}

// slice is how long one measurement runs.
const slice = 60 * time.Millisecond

// perCall is the time of one call, taken over a slice.
func perCall(fn func()) time.Duration {
	start, n := time.Now(), 0
	for time.Since(start) < slice {
		fn()
		n++
	}
	return time.Since(start) / time.Duration(n)
}

// rivals measures two functions in turns and gives the least time of each, so
// that other work on the machine hits both alike.
func rivals(x, y func()) (a, b time.Duration) {
	a, b = time.Hour, time.Hour
	for range 9 {
		a, b = min(a, perCall(x)), min(b, perCall(y))
	}
	return a, b
}

// BenchmarkRatios prints the promised ratios of one run; its own time means nothing.
func BenchmarkRatios(b *testing.B) {
	c := embedded(b)
	for _, name := range slices.Sorted(maps.Keys(envelopes())) {
		e := envelopes()[name]
		body := []byte(e.Signals[0].Text)
		call := func() { sink = c.Classify(e, classification.Options{}) }
		mine, decode := rivals(call, func() {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				b.Fatal(err)
			}
		})
		allocs := testing.AllocsPerRun(50, call)
		report(b, mine <= 3*decode && allocs < 30, "%s envelope: %v and %.0f allocations, %.2f × a JSON decode of %v (at most 3)",
			name, mine, allocs, float64(mine)/float64(decode), decode)
	}
	few, many := synthetic(b, 60), synthetic(b, 3000)
	text := logText()
	x, y := rivals(func() { sink = few.Classify(text, classification.Options{}) }, func() { sink = many.Classify(text, classification.Options{}) })
	report(b, 2*y <= 3*x, "3,000 rules cost %.2f × 60 rules on 4 KiB (at most 1.5): %v and %v", float64(y)/float64(x), y, x)
	hostile(b, c)
}

// hostileTexts make a matcher work: near misses, prefixes, hits, nesting, escapes.
func hostileTexts(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)+1)[:n] }
	return map[string]string{
		"one character":  fill("a"),
		"near misses":    fill("you've hit your usage limi rate limi exceede quot "),
		"hits":           fill("you've hit your rate limit exceeded quota exceeded resets in 5x "),
		"one long line":  fill("model not foun credit balance rate limit per minute daily quota exceeded "),
		"nested JSON":    fill(`{"a":[`),
		"quotes":         fill(`"'\"`),
		"backslashes":    fill(`\`),
		"blanks":         fill(" \n"),
		"escaped JSON":   fill(`{\"error\":{\"type\":\"rate_limit\",`),
		"terminal codes": fill("\x1b]8;;\x1b[1m"),
		"digits":         fill("429 500 "),
		"single quotes":  fill("{'a':'b'x,"),
		"deep JSON":      strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"key prefixes":   fill("AKIAAKIA"),
		"broken keys":    fill("Ab1Cd2Ef\n"),
		"spelled out":    fill(`\\\u0000`),
		"addresses":      fill("https://a:b"),
	}
}

// once is the least time of three classifications of a text.
func once(c *classification.Classifier, text string) time.Duration {
	e := evidence.Envelope{ObservedAt: time.Unix(1780000000, 0), HostZone: "UTC", Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: text}}}
	least := time.Hour
	for range 3 {
		start := time.Now()
		sink = c.Classify(e, classification.Options{})
		least = min(least, time.Since(start))
	}
	return least
}

func hostile(b *testing.B, c *classification.Classifier) {
	short := hostileTexts(64 << 10)
	for _, name := range slices.Sorted(maps.Keys(short)) {
		d := once(c, short[name])
		report(b, d <= 50*time.Millisecond, "64 KiB of %s: %v (at most 50 ms)", name, d)
	}
	small, big := hostileTexts(1<<20), hostileTexts(10<<20)
	for _, name := range slices.Sorted(maps.Keys(big)) {
		one, ten := once(c, small[name]), once(c, big[name])
		growth := float64(ten) / float64(max(one, time.Microsecond))
		report(b, growth <= 40 || ten < 50*time.Millisecond, "10 MB of %s: %v, %.1f × 1 MB (linear is 10, quadratic 100)", name, ten, growth)
	}
	tail := strings.Repeat("2026-06-01 INFO all is well with request 17\n", 1450) + "Error: You've hit your usage limit. Try again in 3 hours."
	d := once(c, tail)
	report(b, sink.Code == classification.QuotaLimited && sink.RetryAfter == 3*time.Hour, "64 KiB with the cause at its tail: %s in %v", sink.Code, d)
}
