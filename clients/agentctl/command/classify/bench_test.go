package classify

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// corpusText is the project's own corpus, as one stream.
func corpusText(tb testing.TB) []byte {
	tb.Helper()
	files, err := filepath.Glob("../../../../catalogue/cases/*.jsonl")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no cases: %v", err)
	}
	var text []byte
	for _, name := range files {
		part, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		text = append(text, part...)
	}
	return text
}

// BenchmarkCases prints how many lines a second --cases takes with one worker,
// and how many times a generic decode of the same JSON, taken in the same run.
func BenchmarkCases(b *testing.B) {
	classifier, err := catalogue.Embedded()
	if err != nil {
		b.Fatal(err)
	}
	text := corpusText(b)
	lines := bytes.Count(text, []byte("\n"))
	inv := &cli.Invocation{Out: io.Discard, Err: io.Discard}
	var decoding time.Duration
	for b.Loop() {
		if bad, err := stream(b.Context(), bytes.NewReader(text), inv, byRules(classifier), 1); bad > 0 || err != nil {
			b.Fatalf("%d bad, %v", bad, err)
		}
		b.StopTimer()
		began := time.Now()
		for line := range bytes.Lines(text) {
			var v any
			if err := json.Unmarshal(line, &v); err != nil {
				b.Fatal(err)
			}
		}
		decoding += time.Since(began)
		b.StartTimer()
	}
	took := b.Elapsed()
	b.ReportMetric(float64(lines)*float64(b.N)/took.Seconds(), "lines/s")
	b.ReportMetric(float64(took)/float64(decoding), "x-decode")
}
