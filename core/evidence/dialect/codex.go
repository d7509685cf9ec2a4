package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// codex reads the events of `codex exec --json`.
type codex struct {
	events
	// lastError is the last error event that announced no retry: it is the
	// cause if the process ends without a terminal event.
	lastError *evidence.Signal
}

func newCodexJSON() *codex {
	c := &codex{}
	c.provider = "openai"
	c.events.event = c.handle
	c.brokenEvent = c.broken
	c.errRule = codexTraceRule
	c.wire()
	return c
}

// handle takes one event.
func (c *codex) handle(o object) {
	event := o.str("type")
	switch {
	case event == "thread.started":
		c.structured = true
		label(&c.session, o.str("thread_id"))
	case event == "turn.started":
		c.structured = true
		c.accepted()
		c.succeeded, c.failed = false, false
	case strings.HasPrefix(event, "item."):
		c.structured = true
		c.item(event, o.obj("item"))
	case event == "error":
		c.structured = true
		c.errorEvent(o)
	case event == "turn.failed":
		c.structured = true
		c.accepted()
		c.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: o.message("error"), Status: statusOf(o.obj("error")), Data: o.data()})
	case event == "turn.completed":
		c.structured = true
		c.accepted()
		c.succeed(event, o.data("usage"))
	case event == "":
		c.stdoutLine([]byte(o.data()))
	default:
		c.failure(event, o)
	}
}

// failure takes an event of another layer: a response of the API that failed,
// or a type that nobody knows.
func (c *codex) failure(event string, o object) {
	if event != "response.failed" {
		c.unknown(o)
		return
	}
	cause := o.at("response", "error")
	c.fail(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: event, Text: firstText(cause.str("message"), o.message("error")),
		Status: statusOf(cause), Data: o.data(),
	})
}

// errorEvent takes an error line. With a message it is not terminal: either
// Codex retries, or turn.failed follows with the same message. The other shape
// is an API's error body that Codex printed.
func (c *codex) errorEvent(o object) {
	text := o.str("message")
	if text == "" {
		c.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: "error", Text: o.message("error"), Status: statusOf(o), Data: o.data()})
		return
	}
	s := evidence.Signal{Kind: evidence.KindResultEvent, Event: "error", Text: text, Data: o.data("message"), InFlight: true}
	if s.Data == `{"type":"error"}` {
		s.Data = ""
	}
	after, retries := ownRetry(text)
	if retries {
		c.retry(text, after)
		c.lastError = nil
	} else {
		kept := s
		kept.Text, _ = evidence.Cut(text, evidence.MaxTextBytes)
		kept.Data, _ = evidence.Cut(s.Data, evidence.MaxTextBytes)
		c.lastError = &kept
	}
	c.add(s)
}

// item takes an item of the turn: what the model said, or what a tool does.
func (c *codex) item(event string, item object) {
	c.accepted()
	switch kind := item.str("type"); kind {
	case "error": // a warning, as about missing model metadata
		c.add(evidence.Signal{Kind: evidence.KindResultEvent, Event: "item.error", Text: item.str("message"), Prose: true})
	case "agent_message", "assistant_message":
		c.sawOutput()
		if event == "item.completed" {
			c.final.set(item.str("text"))
		}
		c.chunk(evidence.KindResultEvent, event, prose, item.str("text")+"\n")
	case "reasoning", "todo_list":
		c.sawOutput()
	default: // command_execution, file_change, mcp_tool_call, web_search, collab_tool_call and what may come
		c.sawTool()
		c.chunk(evidence.KindResultEvent, event, prose, item.str("aggregated_output")+"\n")
	}
}

// broken notes the effects of an event that was cut short.
func (c *codex) broken(o object, raw []byte) bool {
	switch event := o.str("type"); {
	case strings.HasPrefix(event, "item."):
		c.structured = true
		c.sawTool()
	case event == "error": // never the end, as long as the process lives
		c.structured = true
		text, cut := evidence.Cut(firstText(o.str("message"), string(raw)), evidence.MaxTextBytes)
		c.add(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: text, CutBytes: cut, InFlight: true})
		return true
	}
	return false
}

// Exit implements Parser. A process that dies after an error without the
// terminal event died of that error.
func (c *codex) Exit(exit evidence.Exit) {
	if c.lastError != nil && !c.succeeded && !c.failed && exit.EndedBy == "" && exit.Code != 0 {
		s := *c.lastError
		s.InFlight = false
		c.fail(s)
	}
	c.events.Exit(exit)
}
