package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// newQwen reads Qwen Code's events, which mirror Claude Code's. It prints its
// own error as an assistant message first, and in JSON mode as an object on
// standard error too.
func newQwen() *claude {
	c := newClaudeStream()
	c.provider = ""
	c.ownMessage = func(text string) bool {
		return strings.HasPrefix(text, "[API Error: ") && strings.HasSuffix(strings.TrimSpace(text), "]")
	}
	c.errRule = geminiErrRule
	c.errEvent = func(o object) bool {
		e := o.obj("error")
		if e == nil {
			return false
		}
		c.fail(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "error", Text: o.message("error"), Status: statusOf(e), Data: object{"error": o["error"]}.data(),
		})
		return true
	}
	return c
}
