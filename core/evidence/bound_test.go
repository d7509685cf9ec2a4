package evidence_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 400, -1).Draw(t, "text")
		limit := rapid.IntRange(0, 500).Draw(t, "limit")
		got, removed := evidence.Cut(text, limit)
		switch {
		case len(text) <= limit && (got != text || removed != 0):
			t.Fatalf("a text that fits was cut to %q", got)
		case len(got) > limit:
			t.Fatalf("%d bytes are left of a limit of %d", len(got), limit)
		case !utf8.ValidString(got):
			t.Fatalf("a rune was cut: %q", got)
		}
		if removed == 0 {
			return
		}
		head, tail, found := strings.Cut(got, evidence.CutMark)
		if !found {
			head, tail = "", got
		}
		if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) {
			t.Fatalf("%q does not keep head and tail of %q", got, text)
		}
		if len(head)+len(tail)+removed != len(text) {
			t.Fatalf("%d removed, but %d of %d bytes are left", removed, len(head)+len(tail), len(text))
		}
	})
}

func TestTrimKeepsEndsAndDecisiveSignals(t *testing.T) {
	t.Parallel()
	var signals []evidence.Signal
	for i := range 200 {
		s := evidence.Signal{Kind: evidence.KindStderr, Text: fmt.Sprint(i)}
		switch i {
		case 20:
			s.Kind = evidence.KindResultEvent
		case 21:
			s.Kind = evidence.KindProcessExit
		case 22:
			s.Kind = evidence.KindACPError
		case 23:
			s.Kind = evidence.KindACPResult
		case 24: // a foreign error decides nothing
			s.Kind, s.Foreign = evidence.KindACPError, true
		}
		signals = append(signals, s)
	}
	kept, dropped := evidence.Trim(signals)
	if len(kept) != evidence.MaxSignals || dropped != 200-evidence.MaxSignals {
		t.Fatalf("%d kept, %d dropped", len(kept), dropped)
	}
	var got []string
	for _, s := range kept[:12] {
		got = append(got, s.Text)
	}
	want := []string{"0", "1", "2", "3", "4", "5", "6", "7", "20", "21", "22", "23"}
	assert.Equal(t, want, got)
	if last := kept[len(kept)-1].Text; last != "199" {
		t.Errorf("the last signal is %s, want 199", last)
	}
}

func anySignal() *rapid.Generator[evidence.Signal] {
	kinds := []evidence.Kind{
		evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindStderr,
		evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
	}
	long := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.StringN(1, 8, -1).Draw(t, "unit"), rapid.IntRange(0, 6000).Draw(t, "times"))
	})
	return rapid.Custom(func(t *rapid.T) evidence.Signal {
		s := evidence.Signal{
			Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Text: long.Draw(t, "text"), Data: long.Draw(t, "data"),
			Event: long.Draw(t, "event"), Prose: rapid.Bool().Draw(t, "prose"), InFlight: rapid.Bool().Draw(t, "inflight"),
		}
		if rapid.Bool().Draw(t, "headers") {
			s.Headers = map[string]string{}
			for i := range rapid.IntRange(0, 60).Draw(t, "count") {
				s.Headers[fmt.Sprintf("X-Header-%d", i)] = long.Draw(t, "value")
			}
		}
		return s
	})
}

func TestBoundedProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := evidence.Envelope{Signals: rapid.SliceOfN(anySignal(), 0, 90).Draw(t, "signals")}
		before := len(e.Signals)
		b := evidence.Bounded(e)
		if len(b.Signals) > evidence.MaxSignals || len(b.Signals)+b.DroppedSignals != before {
			t.Fatalf("%d signals and %d dropped of %d", len(b.Signals), b.DroppedSignals, before)
		}
		total := 0
		for _, s := range b.Signals {
			if len(s.Text) > evidence.MaxTextBytes || len(s.Data) > evidence.MaxTextBytes {
				t.Fatalf("a text of %d and a datum of %d bytes", len(s.Text), len(s.Data))
			}
			total += len(s.Text) + len(s.Data) + len(s.Event)
			for k, v := range s.Headers {
				total += len(k) + len(v)
			}
		}
		if total > evidence.MaxEnvelopeBytes {
			t.Fatalf("%d bytes altogether", total)
		}
		if again := evidence.Bounded(b); !assert.ObjectsAreEqual(b, again) {
			t.Fatalf("not idempotent: %d signals, then %d", len(b.Signals), len(again.Signals))
		}
	})
}

func TestBoundedCutsProseBeforeTheCause(t *testing.T) {
	t.Parallel()
	cause := strings.Repeat("c", evidence.MaxTextBytes)
	e := evidence.Envelope{}
	for range 20 {
		e.Signals = append(e.Signals, evidence.Signal{Kind: evidence.KindACPUpdate, Prose: true, Text: strings.Repeat("p", evidence.MaxTextBytes)})
	}
	e.Signals = append(e.Signals, evidence.Signal{Kind: evidence.KindACPError, Text: cause})
	e.Bound()
	if got := e.Signals[20].Text; got != cause {
		t.Errorf("the cause was cut to %d bytes while prose keeps %d", len(got), len(e.Signals[0].Text))
	}
	if e.Signals[0].CutBytes == 0 {
		t.Error("the cut of the prose is not recorded")
	}
}

func TestBoundedKeepsTellingHeaders(t *testing.T) {
	t.Parallel()
	headers := map[string]string{"Retry-After": "7", "ANTHROPIC-RATELIMIT-UNIFIED-RESET": "1796052000"}
	for i := range 100 {
		headers[fmt.Sprintf("a-%d", i)] = "x"
	}
	b := evidence.Bounded(evidence.Envelope{Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Headers: headers}}})
	got := b.Signals[0].Headers
	if got["retry-after"] != "7" || got["anthropic-ratelimit-unified-reset"] != "1796052000" {
		t.Errorf("headers that tell a time are lost: %v", got)
	}
	if headers["Retry-After"] != "7" || len(headers) != 102 {
		t.Error("the caller's headers were changed")
	}
}
