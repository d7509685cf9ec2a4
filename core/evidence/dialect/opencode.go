package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// opencode reads the events of `opencode run --format json`.
//
// A tool is printed only when it has finished. While a step is open a tool may
// be at work unseen, so nothing is proved then.
type opencode struct {
	events
	open bool // a step began and has not finished
}

func newOpencodeJSON() *opencode {
	p := &opencode{}
	p.events.event = p.handle
	p.errRule = opencodeLogRule
	p.brokenEvent = p.brokenPart
	p.wire()
	return p
}

func (p *opencode) handle(o object) {
	label(&p.session, o.str("sessionID"))
	part := o.obj("part")
	switch event := o.str("type"); event {
	case "step_start":
		p.structured = true
		p.accepted()
		p.progress()
		p.open = true
	case "step_finish":
		p.structured = true
		p.open = false
		p.cost += max(part.num("cost"), 0)
		// Only a step that asks for no more tools ends the turn.
		if reason := part.str("reason"); reason == "stop" || reason == "length" {
			p.succeed(event, "")
		}
	case "text":
		p.structured = true
		p.sawOutput()
		p.final.set(part.str("text"))
		p.chunk(evidence.KindResultEvent, event, prose, part.str("text")+"\n")
	case "reasoning":
		p.structured = true
		p.sawOutput()
	case "tool_use":
		p.structured = true
		p.sawTool()
		state := part.obj("state")
		p.chunk(evidence.KindResultEvent, event, prose, firstText(state.str("output"), state.str("error"))+"\n")
	case "error":
		p.structured = true
		p.errorEvent(o)
	case "":
		p.stdoutLine([]byte(o.data()))
	default:
		p.unknown(o)
	}
}

// errorEvent takes the session's error. What the provider answered becomes a
// signal of its own: there the cause is said best.
func (p *opencode) errorEvent(o object) {
	p.accepted()
	data := o.at("error", "data")
	status := data.whole("statusCode")
	if body := data.str("responseBody"); body != "" || status != 0 {
		p.add(evidence.Signal{Kind: evidence.KindHTTP, Status: status, Text: body, Headers: headersOf(data.obj("responseHeaders"))})
	}
	s := evidence.Signal{Kind: evidence.KindResultEvent, Event: "error", Text: o.message("error"), Status: status}
	if e := o.obj("error"); e != nil {
		s.Data = object{"error": []byte(errorWithout(e, "responseHeaders", "responseBody"))}.data()
	} else {
		s.Text, s.Data = firstText(s.Text, o.str("message")), o.data("timestamp", "sessionID")
	}
	p.fail(s)
}

// errorWithout returns an error object as JSON without some fields of its data.
func errorWithout(e object, drop ...string) string {
	out := object{}
	for key, raw := range e {
		out[key] = raw
	}
	if data := e.obj("data"); data != nil {
		out["data"] = []byte(firstText(data.data(drop...), "{}"))
	}
	return firstText(out.data(), "{}")
}

// headersOf returns the string fields of a header object, names in lower case.
func headersOf(o object) map[string]string {
	if len(o) == 0 {
		return nil
	}
	headers := make(map[string]string, len(o))
	for name := range o {
		if value := o.str(name); value != "" {
			headers[strings.ToLower(name)] = evidence.Normalise(value)
		}
	}
	return headers
}

func (p *opencode) brokenPart(o object, _ []byte) bool {
	switch o.str("type") {
	case "tool_use":
		p.sawTool()
	case "text", "reasoning":
		p.sawOutput()
	}
	return false
}

// opencodeLogRule reads OpenCode's standard error and log. Requests of its
// title and summary helpers fail without harm to the turn.
func opencodeLogRule(line string, previous class) class {
	if strings.Contains(line, "small=true") || strings.Contains(line, "agent=title") {
		return foreign
	}
	if strings.HasPrefix(line, "> ") { // "> build · model"
		return prose
	}
	return printedRule(line, previous)
}

// State implements Parser.
func (p *opencode) State() State {
	doubtful := p.doubtful
	p.doubtful = p.doubtful || p.open
	state := p.events.State()
	p.doubtful = doubtful
	return state
}
