package classify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
)

// Line is what --cases prints for each case. Every key is always there.
type Line struct {
	ID            string     `json:"id"`
	Code          string     `json:"code"`
	Class         string     `json:"class"`
	Confidence    string     `json:"confidence"`
	RuleID        string     `json:"rule_id"`
	RetryAfterS   *float64   `json:"retry_after_s"` // seconds, null if none was stated
	ResetAt       *time.Time `json:"reset_at"`      // UTC, null if none was stated
	AgentRetrying bool       `json:"agent_retrying"`
}

func lineOf(id string, r classification.Result) Line {
	line := Line{
		ID: id, Code: string(r.Code), Class: string(r.Class), Confidence: string(r.Confidence),
		RuleID: r.RuleID, AgentRetrying: r.AgentRetrying,
	}
	after, at, stated := hint(r)
	if stated {
		seconds := after.Seconds()
		line.RetryAfterS, line.ResetAt = &seconds, &at
	}
	return line
}

// hint gives a stated time both ways: as a wait from when it was said, and as
// an instant. What was stated goes before what follows from it.
func hint(r classification.Result) (after time.Duration, at time.Time, stated bool) {
	after, at = r.RetryAfter, r.HintAt().UTC()
	if !r.RetryAfterSet && !r.ResetAt.IsZero() {
		after = max(r.ResetAt.Sub(r.OccurredAt), 0)
	}
	return after, at, r.RetryAfterSet || !r.ResetAt.IsZero()
}

// idAhead finds the id of a case that breaks off.
var idAhead = regexp.MustCompile(`^\s*\{\s*"id"\s*:\s*"([^"\\]*)"`)

// idOf finds the id of a case that cannot be read otherwise.
func idOf(line []byte) string {
	var c struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &c) == nil && c.ID != nil {
		return fmt.Sprint(c.ID)
	}
	if found := idAhead.FindSubmatch(line); found != nil {
		return string(found[1])
	}
	return ""
}
