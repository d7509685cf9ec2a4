package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// goose reads `goose run --output-format stream-json` and its JSON document.
type goose struct{ events }

func newGooseEvents() *goose {
	p := &goose{}
	p.events.event = p.handle
	p.wire()
	return p
}

func (p *goose) handle(o object) {
	switch event := o.str("type"); {
	case event == "message":
		p.structured = true
		p.message(o.obj("message"))
	case event == "notification", event == "model_change":
		p.structured = true
	case event == "error":
		p.structured = true
		p.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: o.message("error"), Status: statusOf(o), Data: o.data()})
	case event == "complete":
		p.structured = true
		if p.assistant || p.tool {
			p.succeed(event, "")
		}
	case event == "" && o.has("messages"):
		p.structured = true
		for _, raw := range o.list("messages") {
			p.message(parseObject(raw))
		}
		if o.obj("metadata").str("status") == "completed" {
			p.succeed("complete", "")
		}
	case event == "":
		p.stdoutLine([]byte(o.data()))
	default:
		p.unknown(o)
	}
}

// message takes one message of the conversation. Goose reports a failed request
// as text of the assistant, which nothing tells from an answer: it is prose.
func (p *goose) message(m object) {
	p.accepted()
	for _, raw := range m.list("content") {
		if kind := parseObject(raw).str("type"); strings.HasPrefix(kind, "tool") {
			p.sawTool()
		}
	}
	if m.str("role") != "assistant" {
		return
	}
	p.sawOutput()
	if text := contentText(m["content"]); text != "" {
		p.final.set(text)
		p.chunk(evidence.KindResultEvent, "message", prose, text+"\n")
	}
}
