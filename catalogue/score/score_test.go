package score_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/catalogue/score"
	"github.com/recourse-dev/recourse/core/classification"
)

// board scores labelled lines with a classifier of one rule.
func board(t *testing.T, lines ...string) *score.Board {
	t.Helper()
	c, err := classification.Compile("1", "d", []classification.Rule{{
		ID: "a.limit", Code: classification.QuotaLimited, Confidence: classification.High, Priority: 1,
		When: classification.Condition{Text: [][]string{{"house limit"}}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := score.NewBoard()
	if err := b.Run(c, strings.NewReader(strings.Join(lines, "\n")), map[string]string{"excepted": "why"}); err != nil {
		t.Fatal(err)
	}
	return b
}

func labelled(id, code, class, text, more string) string {
	return `{"id":"` + id + `","agent":"codex","provider":"p","signals":[{"kind":"http","status":429,"body":"` + text + `"}],"phase":"pre_output",` +
		`"expected_code":"` + code + `","expected_class":"` + class + `","confidence_in_label":"high","now":"2026-06-01T12:00:00Z"` + more + `}`
}

func TestBoard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line        string
		code, class, hint score.Tally
		falseActions      int
	}{
		{"right", labelled("a", "quota_limited", "hard", "house limit, try again in 7s", `,"expected_retry_after_s":7`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, 0},
		{"wrong wait", labelled("a", "quota_limited", "hard", "house limit, try again in 9s", `,"expected_retry_after_s":7`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{Total: 1}, 0},
		{"reset within a minute", labelled("a", "quota_limited", "hard", "house limit, try again in 1h", `,"expected_reset_at":"2026-06-01T13:00:30Z"`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, 0},
		{"hidden hint", labelled("a", "quota_limited", "hard", "house limit", `,"expected_retry_after_s":7,"hint_visible_in_agent_output":false`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{}, 0},
		{"a time that must not come", labelled("a", "quota_limited", "hard", "house limit, try again in 7s", `,"tags":["hint-nozone"]`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{Total: 1}, 0},
		{"same class", labelled("a", "auth_required", "hard", "house limit", ""), score.Tally{Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{}, 0},
		{"accepted", labelled("a", "rate_limited", "transient", "house limit", `,"accepted_codes":["quota_limited"]`), score.Tally{Right: 1, Total: 1}, score.Tally{Right: 1, Total: 1}, score.Tally{}, 0},
		{"false action", labelled("a", "unclassified", "unclassified", "house limit", ""), score.Tally{Total: 1}, score.Tally{Total: 1}, score.Tally{}, 1},
		{"excepted", labelled("excepted", "unclassified", "unclassified", "house limit", ""), score.Tally{}, score.Tally{}, score.Tally{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := board(t, c.line)
			if b.Code != c.code || b.Class != c.class || b.Hint != c.hint || len(b.FalseActions) != c.falseActions {
				t.Errorf("code %v, class %v, hint %v, false actions %v", b.Code, b.Class, b.Hint, b.FalseActions)
			}
			var out bytes.Buffer
			b.Print(&out, true)
			if (b.Passes() == nil) != (len(b.Wrong) == 0) || len(b.Wrong) > 0 && !strings.Contains(out.String(), "want") {
				t.Errorf("passes %v with %v:\n%s", b.Passes(), b.Wrong, out.String())
			}
		})
	}
}

func TestEmptyBoardPasses(t *testing.T) {
	t.Parallel()
	if err := score.NewBoard().Passes(); err != nil {
		t.Error(err)
	}
}
