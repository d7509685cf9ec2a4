package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// syntheticModel is what Claude Code writes as the model of a message that it
// made itself.
const syntheticModel = "<synthetic>"

// claude reads the events of Claude Code, and of the agents that mirror them
// (Amp, Cursor, Grok, Qwen Code).
type claude struct {
	events
	// ownMessage reports that the text of an assistant message was made by the
	// CLI although it names a model; nil if the dialect marks such messages.
	ownMessage func(text string) bool
	// resultOnly says that the mode may print nothing but the result, whatever
	// ran before it: alone it proves no effect absent.
	resultOnly bool
	// last is the text of the last assistant message, for agents whose result has none.
	last string
}

func newClaudeStream() *claude {
	c := &claude{}
	c.provider = "anthropic"
	c.events.event = c.handle
	c.events.nested = map[string]bool{"rate_limit_event": true, "system": true}
	c.brokenEvent = c.broken
	c.wire()
	return c
}

// handle takes one event.
func (c *claude) handle(o object) {
	for _, key := range [...]string{"session_id", "sessionId", "thread_id"} {
		label(&c.session, o.str(key))
	}
	event := o.str("type")
	c.structured = c.structured || event != "result" || !c.resultOnly
	switch event {
	case "system":
		c.system(o)
	case "assistant":
		c.message(o)
	case "user":
		c.user(o)
	case "stream_event":
		c.delta(o.obj("event"))
	case "result":
		c.result(o)
	case "rate_limit_event":
		c.rateLimit(o)
	case "error":
		c.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: o.message("error"), Status: statusOf(o), Data: o.data()})
	case "tool_use", "tool_result", "tool_call", "tool_progress", "tool_use_summary", "files_persisted":
		c.sawTool()
		c.chunk(evidence.KindResultEvent, event, prose, contentText(o["content"]))
	case "thinking", "message":
		c.sawOutput()
	case "control_request", "control_response", "control_cancel_request", "keep_alive", "auth_status", "prompt_suggestion", "interaction_query":
	default:
		c.unknown(o)
	}
}

// system takes lifecycle events: init, the agent's own retries, subagent tasks.
func (c *claude) system(o object) {
	label(&c.model, o.str("model"))
	for _, key := range [...]string{"claude_code_version", "version", "agent_version"} {
		label(&c.version, o.str(key))
	}
	c.accepted()
	switch subtype := o.str("subtype"); {
	case subtype == "api_retry":
		cause := o.message("error")
		c.retry(cause, o.millis("retry_delay_ms"))
		c.add(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "api_retry", Text: cause, Status: o.whole("error_status"),
			Data: o.data("session_id", "uuid"), InFlight: true,
		})
	case strings.HasPrefix(subtype, "task_"), strings.HasPrefix(subtype, "hook_"):
		c.sawTool()
	}
}

// message takes an assistant message: the model's, or one that the CLI made.
func (c *claude) message(o object) {
	message := o.obj("message")
	model := message.str("model")
	if model == "" {
		model = o.str("model")
	}
	text := contentText(message["content"])
	own := model == syntheticModel || o.has("error") || o.truth("is_api_error_message") || o.truth("isApiErrorMessage")
	if !own && c.ownMessage != nil {
		own = c.ownMessage(text)
	}
	if own {
		c.accepted()
		c.add(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "assistant", Text: text, Status: o.whole("api_error_status"),
			Data:    o.data("message", "session_id", "uuid", "timestamp", "parent_tool_use_id", "request_id", "type"),
			Foreign: o.str("parent_tool_use_id") != "", // a subagent's failure is its caller's to handle
		})
		return
	}
	label(&c.model, model)
	c.goesOn()
	c.content(message)
	if text != "" {
		c.last, _ = evidence.Cut(text, maxFinal)
		c.chunk(evidence.KindResultEvent, "assistant", prose, text+"\n")
	}
}

// content notes the effects that the blocks of a model's message show.
func (c *claude) content(message object) {
	blocks := message.list("content")
	if blocks == nil {
		c.sawOutput() // a plain string, or a shape that nobody knows
		return
	}
	for _, raw := range blocks {
		switch kind := parseObject(raw).str("type"); {
		case strings.HasSuffix(kind, "tool_use"), strings.HasSuffix(kind, "tool_result"):
			c.sawTool()
		default:
			c.sawOutput()
		}
	}
}

// user takes what is fed back to the model: tool results, interruptions.
func (c *claude) user(o object) {
	c.accepted()
	message := o.obj("message")
	for _, raw := range message.list("content") {
		if strings.HasSuffix(parseObject(raw).str("type"), "tool_result") {
			c.sawTool()
		}
	}
	if o.has("tool_use_result") || o.has("toolUseResult") {
		c.sawTool()
	}
	if text := contentText(message["content"]); text != "" {
		c.chunk(evidence.KindResultEvent, "user", prose, text+"\n")
	}
}

// delta takes a piece of a streamed message.
func (c *claude) delta(event object) {
	switch event.str("type") {
	case "content_block_delta":
		c.sawPartial()
	case "content_block_start":
		if strings.HasSuffix(event.obj("content_block").str("type"), "tool_use") {
			c.sawTool()
		}
	}
}

// rateLimit takes a report on the account's windows. Only one that is rejected
// and not paid for as overage blocks; the others are news.
func (c *claude) rateLimit(o object) {
	info := o.obj("rate_limit_info")
	blocked := info.str("status") == "rejected" && !info.truth("isUsingOverage")
	c.accepted()
	c.add(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: "rate_limit_event", Data: o.data("session_id", "uuid"), InFlight: !blocked,
	})
}

// goesOn takes back a report of a blocked window when the model answers after
// it: such reports are known to misfire.
func (c *claude) goesOn() {
	for i := range c.signals {
		if s := &c.signals[i]; s.Event == "rate_limit_event" {
			s.InFlight = true
		}
	}
}
