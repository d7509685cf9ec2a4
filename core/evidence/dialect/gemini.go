package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// gemini reads Gemini CLI's stream-json events and its JSON document. Its JSON
// mode prints the error object on standard error, after notices and a stack.
type gemini struct{ events }

func newGemini() *gemini {
	g := &gemini{}
	g.provider = "google"
	g.events.event = g.handle
	g.errEvent = g.errorObject
	g.errRule = geminiErrRule
	g.brokenEvent = g.broken
	g.wire()
	return g
}

func (g *gemini) handle(o object) {
	label(&g.session, o.str("session_id"))
	switch event := o.str("type"); event {
	case "init":
		g.structured = true
		label(&g.model, o.str("model"))
		g.accepted()
	case "message":
		g.structured = true
		g.message(o)
	case "tool_use", "tool_result":
		g.structured = true
		g.sawTool()
		g.chunk(evidence.KindResultEvent, event, prose, o.str("output")+"\n")
	case "error":
		g.structured = true
		g.warning(o)
	case "result":
		g.structured = true
		g.result(o)
	case "":
		g.document(o)
	default:
		g.unknown(o)
	}
}

func (g *gemini) message(o object) {
	g.accepted()
	if o.str("role") != "assistant" {
		return
	}
	text := contentText(o["content"])
	g.sawOutput()
	if o.truth("delta") {
		g.sawPartial()
		g.final.add(text)
	} else {
		g.final.set(text)
	}
	g.chunk(evidence.KindResultEvent, "message", prose, text)
}

// warning takes an error event before the result: the turn may still go on.
func (g *gemini) warning(o object) {
	text := firstText(o.str("message"), o.message("error"))
	g.add(evidence.Signal{Kind: evidence.KindResultEvent, Event: "error", Text: text, Status: statusOf(o.obj("error")), Data: o.data("message", "timestamp")})
}

func (g *gemini) result(o object) {
	g.accepted()
	if o.str("status") == "error" || o.has("error") {
		e := o.obj("error")
		g.fail(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: "result", Text: o.message("error"), Status: statusOf(e), Data: o.data("stats", "timestamp", "session_id"),
		})
		return
	}
	g.succeed("result", o.data("stats", "timestamp", "session_id"))
}

// document takes the one object of JSON mode: response, stats, maybe error.
func (g *gemini) document(o object) {
	if o.has("error") {
		g.errorObject(o)
		return
	}
	if !o.has("response") {
		g.stdoutLine([]byte(o.data()))
		return
	}
	g.structured = true
	if text := o.str("response"); text != "" {
		g.sawOutput()
		g.final.set(text)
	}
	if calls := o.at("stats", "tools").num("totalCalls"); calls > 0 {
		g.sawTool()
	}
	g.succeed("result", "")
}

// errorObject takes {session_id, error{type, message, code}}.
func (g *gemini) errorObject(o object) bool {
	e := o.obj("error")
	if e == nil {
		return false
	}
	label(&g.session, o.str("session_id"))
	if o.has("response") {
		g.document(object{"response": o["response"], "stats": o["stats"]})
	}
	g.fail(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: "error", Text: o.message("error"), Status: statusOf(e),
		Data: object{"error": o["error"]}.data(),
	})
	return true
}

func (g *gemini) broken(o object, _ []byte) bool {
	switch o.str("type") {
	case "tool_use", "tool_result":
		g.sawTool()
	case "message":
		g.sawOutput()
	}
	return false
}

// geminiErrRule reads the standard error of Gemini CLI and Qwen Code: notices
// at the start, retries with a stack each, then the cause.
func geminiErrRule(line string, previous class) class {
	for _, notice := range [...]string{
		"Warning: ", "YOLO mode is enabled", "Ripgrep is not available", "Ripgrep not available", "Loaded cached credentials",
		"Data collection is disabled", "Slow response times detected",
	} {
		if strings.HasPrefix(line, notice) {
			return foreign
		}
	}
	if strings.HasPrefix(line, "Attempt ") && strings.Contains(line, " failed") && !strings.Contains(line, "Max attempts reached") {
		return inFlight
	}
	return printedRule(line, previous)
}

// newGeminiText reads the text mode of Gemini CLI and Qwen Code. Its exit code
// is 0 also after a stream that broke off; then an error line on standard error
// is the only sign.
func newGeminiText(provider string) *printed {
	p := newPrinted(provider, nil, nil)
	p.errRule = func(line string, previous class) class {
		if strings.HasPrefix(line, "[ERROR]") {
			p.exitTells = false
		}
		return geminiErrRule(line, previous)
	}
	return p
}
