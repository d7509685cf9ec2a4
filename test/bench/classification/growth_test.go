package classification_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// readers are everything that sees a text of any length, fed with whole texts
// or with lines.
func readers(c *classification.Classifier) map[string]func(text string) {
	out := map[string]func(string){
		"normalise": func(text string) { evidence.Normalise(text) },
		"redact":    func(text string) { evidence.Redact(text) },
		"classify": func(text string) {
			sink = c.Classify(evidence.Envelope{Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: text}}}, classification.Options{})
		},
	}
	for name, s := range samples() {
		out["adapter "+name] = func(text string) {
			p := dialect.For(s.kind, s.mode)
			for line := range strings.Lines(text) {
				p.Stdout([]byte(strings.TrimSuffix(line, "\n")))
			}
			p.State()
		}
	}
	return out
}

// ordinary are texts as agents print them.
func ordinary(n int) map[string]string {
	events := strings.Repeat(`{"type":"assistant","message":{"model":"m","content":[{"type":"text","text":"I read the next file and it is fine."}]},"session_id":"s"}`+"\n", n/134+1)[:n]
	lines := strings.Repeat("2026-06-01T12:00:00 INFO the model read a file of 120 lines in /srv/repo\n", n/73+1)[:n]
	return map[string]string{"events": events, "lines": lines}
}

func least(fn func()) time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		fn()
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkGrowth prints the time a byte costs as texts grow; its own time means nothing.
func BenchmarkGrowth(b *testing.B) {
	c := embedded(b)
	all := readers(c)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, kind := range []string{"events", "lines"} {
			var cost [3]float64
			for i, n := range []int{64 << 10, 640 << 10, 6400 << 10} {
				text := ordinary(n)[kind]
				cost[i] = float64(least(func() { all[name](text) }).Nanoseconds()) / float64(n)
			}
			report(b, cost[2] <= 4*max(cost[0], 1), "%s over %s: %.1f, %.1f, %.1f ns a byte at 64 KiB, 640 KiB, 6.4 MB (flat is linear)", name, kind, cost[0], cost[1], cost[2])
		}
	}
}

// BenchmarkEdge is what a server does with one hostile report of 64 KiB.
func BenchmarkEdge(b *testing.B) {
	c := embedded(b)
	texts := hostileTexts(64 << 10)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		e := evidence.Envelope{AgentKind: "claude", ObservedAt: time.Unix(1780000000, 0)}
		for i := range 4 {
			e.Signals = append(e.Signals, evidence.Signal{Kind: fuzzKinds[i], Text: texts[name], Data: texts[name]})
		}
		d := least(func() {
			bounded := evidence.Bounded(e)
			sink = c.Classify(bounded, classification.Options{Explain: true})
			evidence.RedactEnvelope(bounded)
		})
		report(b, d <= 50*time.Millisecond, "bound, classify, explain and redact 8 × 64 KiB of %s: %v (at most 50 ms)", name, d)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		small, big := hostileTexts(64 << 10)[name], hostileTexts(1 << 20)[name]
		if name == "deep JSON" {
			continue // of one size
		}
		one, sixteen := least(func() { evidence.Redact(small) }), least(func() { evidence.Redact(big) })
		report(b, sixteen <= 64*max(one, 10*time.Microsecond), "redact 1 MiB of %s: %v, %s × 64 KiB (linear is 16)", name, sixteen, fmt.Sprintf("%.1f", float64(sixteen)/float64(max(one, 1))))
	}
}
