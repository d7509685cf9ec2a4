// Package score measures a classifier against labelled failures.
package score

//go:generate go test . -run ^TestREADMEShowsTheBoard$ -update

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

// Tally counts right answers.
type Tally struct{ Right, Total int }

func (t *Tally) add(right bool) {
	t.Total++
	if right {
		t.Right++
	}
}

// Percent is the share of right answers, 100 if there was none to give.
func (t Tally) Percent() float64 {
	if t.Total == 0 {
		return 100
	}
	return 100 * float64(t.Right) / float64(t.Total)
}

// Board is the result of a run over labelled failures. Only labels of high and
// medium confidence count.
type Board struct {
	Code, Class, Hint Tally
	ByCode, ByAgent   map[string]*Tally
	ByChannel         map[string]*Tally
	// FalseActions are cases labelled unclassified that came out actionable.
	FalseActions []string
	Excepted     int // cases left out, with a reason, because their label is wrong
	Low          int // cases left out because their label is unsure
	Wrong        []Wrong
}

// Wrong is one case that did not come out as labelled.
type Wrong struct {
	ID, Want, Got, Rule, Detail string
}

// NewBoard gives an empty board.
func NewBoard() *Board {
	return &Board{ByCode: map[string]*Tally{}, ByAgent: map[string]*Tally{}, ByChannel: map[string]*Tally{}}
}

// Add scores one case.
func (b *Board) Add(c corpus.Case, r classification.Result) {
	if c.Confidence == "low" {
		b.Low++
		return
	}
	accepted := append([]string{c.ExpectedCode}, c.AcceptedCodes...)
	right := slices.Contains(accepted, string(r.Code))
	classRight := slices.ContainsFunc(accepted, func(code string) bool {
		return classification.ClassOf(classification.Code(code)) == r.Class
	})
	b.Code.add(right)
	b.Class.add(classRight)
	in(b.ByCode, c.ExpectedCode).add(right)
	in(b.ByAgent, c.Agent).add(right)
	in(b.ByChannel, channel(c.Envelope())).add(right)
	if c.ExpectedClass == string(classification.ClassUnclassified) && !classRight && actionable(r) {
		b.FalseActions = append(b.FalseActions, c.ID)
	}
	if !right {
		b.Wrong = append(b.Wrong, Wrong{c.ID, c.ExpectedCode, string(r.Code), r.RuleID, r.SafeExcerpt})
	}
	b.hint(c, r)
}

// actionable reports a class that a policy may act on.
func actionable(r classification.Result) bool {
	return r.Class == classification.ClassTransient || r.Class == classification.ClassHard
}

func (b *Board) hint(c corpus.Case, r classification.Result) {
	var wrong string
	switch {
	case c.Has("hint-nozone") && c.ExpectedRetryAfter == nil && c.ExpectedResetAt == nil:
		if r.RetryAfterSet {
			wrong = fmt.Sprintf("a time came out: %v by %q", r.RetryAfter, r.HintSource)
		}
	case c.ExpectedRetryAfter == nil && c.ExpectedResetAt == nil:
		return
	default:
		wrong = hintDiffers(c, r)
	}
	b.Hint.add(wrong == "")
	if wrong != "" {
		b.Wrong = append(b.Wrong, Wrong{c.ID, "hint", wrong, r.RuleID, r.SafeExcerpt})
	}
}

// tolerance for instants that the case does not bound itself: agents print
// clocks without their seconds.
const tolerance = time.Minute

func hintDiffers(c corpus.Case, r classification.Result) string {
	if want := c.ExpectedRetryAfter; want != nil && c.ExpectedResetAt == nil {
		if !r.RetryAfterSet || (r.RetryAfter-*want).Abs() > max(c.ResetTolerance, *want/100) {
			return fmt.Sprintf("wait %v (%v), not %v; %v", r.RetryAfter, r.RetryAfterSet, *want, r.HintRejections)
		}
	}
	if want := c.ExpectedResetAt; want != nil {
		if !r.RetryAfterSet || r.HintAt().Sub(*want).Abs() > max(c.ResetTolerance, tolerance) {
			return fmt.Sprintf("reset %v, not %v; %v", r.HintAt(), *want, r.HintRejections)
		}
	}
	return ""
}

// channel names the channels that may carry a case's failure.
func channel(e evidence.Envelope) string {
	var kinds []string
	for _, s := range e.Signals {
		if k := string(s.Kind); !s.Prose && !s.Foreign && s.Kind != evidence.KindProcessExit && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, "+")
}

func in(m map[string]*Tally, key string) *Tally {
	if m[key] == nil {
		m[key] = &Tally{}
	}
	return m[key]
}

// Run scores every case of r; excepted gives the reason for leaving out an id.
// A hint that the case says no channel showed is not asked for.
func (b *Board) Run(c *classification.Classifier, r io.Reader, excepted map[string]string) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	hidden := hiddenHints(data)
	return corpus.Read(bytes.NewReader(data), func(k corpus.Case) error {
		if hidden[k.ID] {
			k.ExpectedRetryAfter, k.ExpectedResetAt = nil, nil
		}
		if excepted[k.ID] != "" {
			b.Excepted++
			return nil
		}
		b.Add(k, c.Classify(k.Envelope(), classification.Options{}))
		return nil
	})
}

// hiddenHints finds the cases whose hint only the provider's side knows.
func hiddenHints(data []byte) map[string]bool {
	out := map[string]bool{}
	for line := range bytes.Lines(data) {
		var k struct {
			ID      string `json:"id"`
			Visible *bool  `json:"hint_visible_in_agent_output"`
		}
		if json.Unmarshal(line, &k) == nil && k.Visible != nil && !*k.Visible {
			out[k.ID] = true
		}
	}
	return out
}
