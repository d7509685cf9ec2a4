package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// statistics are fields of a result that say nothing about a cause.
var statistics = []string{
	"usage", "modelUsage", "model_usage_since_last_result", "subagent_stats", "uuid", "session_id", "result",
	"fast_mode_state", "fast_mode_disabled_reason", "duration_ms", "duration_api_ms", "timestamp", "queued_turn_count", "result_index",
}

// result takes the terminal event. Its subtype may say "success" although
// is_error is true; the flag decides.
func (c *claude) result(o object) {
	c.cost = max(c.cost, o.num("total_cost_usd"))
	text := resultText(o)
	if o.whole("num_turns") > 1 && !c.assistant && !c.tool {
		c.doubtful = true // it took turns that were not shown
	}
	failed := o.truth("is_error") || strings.HasPrefix(o.str("subtype"), "error")
	if !failed {
		if text == "" {
			text = c.last
		}
		c.final.set(text)
		c.accepted()
		c.succeed("result", o.data(statistics...))
		c.denials(o)
		return
	}
	c.final.set(text)
	c.accepted()
	c.fail(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: "result", Text: text, Status: o.whole("api_error_status"), Data: o.data(statistics...),
	})
}

// denials tells of the tools that were refused in a turn that ended well
// otherwise: nothing else of such a turn shows that its work was not done.
func (c *claude) denials(o object) {
	var names []string
	var refused []denial
	for _, raw := range o.list("permission_denials") {
		name := parseObject(raw).str("tool_name")
		if name != "" && !slices.Contains(names, name) && len(names) < maxDenials {
			names = append(names, name)
			refused = append(refused, denial{name})
		}
	}
	if len(names) == 0 {
		return
	}
	data, err := json.Marshal(map[string]any{"permission_denials": refused})
	if err != nil {
		return // names are strings: this cannot fail
	}
	c.add(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: "permission_denied", Text: "permission refused: " + strings.Join(names, ", "), Data: string(data),
	})
}

// maxDenials bounds the names that are kept.
const maxDenials = 16

// denial names a refused tool. What it was called with is the task's own business.
type denial struct {
	Tool string `json:"tool_name"`
}

// resultText returns what the result says: its text, its error, or its list of errors.
func resultText(o object) string {
	if s := o.str("result"); s != "" {
		return s
	}
	if s := o.message("error"); s != "" {
		return s
	}
	var parts []string
	for _, raw := range o.list("errors") {
		item := object{"e": raw}
		if s := item.message("e"); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

// broken notes the effects of an event that was cut short, so far as its type
// is known, and takes a failed result by the fields before the break.
func (c *claude) broken(o object, raw []byte) bool {
	c.structured = true
	switch event := o.str("type"); event {
	case "assistant", "user":
		c.sawOutput()
		c.sawTool()
	case "result", "":
		if o.truth("is_error") {
			c.accepted()
			c.fail(evidence.Signal{
				Kind: evidence.KindResultEvent, Event: "result", Text: firstText(resultText(o), string(raw)),
				Status: o.whole("api_error_status"), Data: o.data(statistics...),
			})
			return true
		}
	}
	return false
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
