package dialect

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// cline reads the events of `cline --json`.
type cline struct{ events }

func newClineJSON() *cline {
	p := &cline{}
	p.events.event = p.handle
	p.errEvent = func(o object) bool {
		if o.str("type") != "error" {
			return false
		}
		p.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: "error", Text: firstText(o.str("message"), o.message("error")), Status: statusOf(o)})
		return true
	}
	p.brokenEvent = func(o object, _ []byte) bool {
		if o.str("type") == "agent_event" {
			p.sawTool()
		}
		return false
	}
	p.wire()
	return p
}

func (p *cline) handle(o object) {
	switch event := o.str("type"); event {
	case "hook_event":
		p.structured = true
		p.accepted()
		label(&p.session, o.str("taskId"))
		switch o.str("hookEventName") {
		case "agent_start", "agent_error", "agent_end", "agent_resume":
		default: // hooks around a tool
			p.sawTool()
		}
	case "agent_event":
		p.structured = true
		p.agentEvent(o.obj("event"))
	case "run_result":
		p.structured = true
		p.result(o)
	case "run_aborted":
		p.structured = true
		p.fail(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: o.str("message"), Data: o.data("ts", "message"), EndedBy: "supervisor"})
	case "":
		p.stdoutLine([]byte(o.data()))
	default:
		p.unknown(o)
	}
}

func (p *cline) agentEvent(e object) {
	p.accepted()
	switch kind := e.str("type"); kind {
	case "iteration_start", "iteration_end", "usage", "done", "notice":
	case "content_start", "content_update", "content_end":
		if e.str("contentType") != "text" && e.str("contentType") != "reasoning" {
			p.sawTool()
			return
		}
		p.sawPartial()
		if kind == "content_end" {
			p.final.set(e.str("text"))
			p.chunk(evidence.KindResultEvent, kind, prose, e.str("text")+"\n")
		}
	case "error":
		s := evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "agent_error", Text: e.message("error"), Status: statusOf(e.obj("error")),
			Data: e.data("error", "iteration"),
		}
		if e.truth("recoverable") {
			s.InFlight = true
			p.retry(s.Text, 0)
		}
		p.add(s)
	default:
		p.sawTool()
	}
}

func (p *cline) result(o object) {
	label(&p.model, o.obj("model").str("id"))
	label(&p.provider, o.obj("model").str("provider"))
	p.cost = max(p.cost, o.obj("usage").num("totalCost"))
	if o.str("finishReason") != "completed" {
		p.fail(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "run_result", Text: o.str("text"), Data: o.data("usage", "aggregateUsage", "text", "ts", "durationMs"),
		})
		return
	}
	if text := o.str("text"); text != "" {
		p.final.set(text)
	}
	p.succeed("run_result", "")
}
