package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// update takes the parameters of a session/update notification.
func (a *acp) update(params object) {
	u := params.obj("update")
	if u == nil {
		a.doubtful = true
		return
	}
	if id := params.str("sessionId"); id != "" && a.session != "" && id != a.session {
		a.foreignUpdate(u)
		return
	}
	label(&a.session, params.str("sessionId"))
	switch kind := u.str("sessionUpdate"); kind {
	case "agent_message_chunk":
		a.said(u)
	case "agent_thought_chunk", "plan":
		a.sawPartial()
	case "tool_call", "tool_call_update":
		a.toolCall(kind, u)
	case "session_info_update":
		a.sessionInfo(u)
	case "usage_update":
		a.usage(u)
	case "user_message_chunk", "available_commands_update", "current_mode_update", "config_option_update":
	case "":
		a.untyped(u)
	default:
		a.doubtful = true
		a.chunk(evidence.KindACPUpdate, kind, prose, contentText(u["content"]))
	}
}

// foreignUpdate takes an update of another session of the same process. Its
// failures are not ours, but its tools work on the same files.
func (a *acp) foreignUpdate(u object) {
	if kind := u.str("sessionUpdate"); strings.HasPrefix(kind, "tool_call") {
		a.sawTool()
	}
	a.add(evidence.Signal{Kind: evidence.KindACPUpdate, Event: u.str("sessionUpdate"), Data: u.data(), Foreign: true})
}

// said takes a chunk of the agent's message.
func (a *acp) said(u object) {
	text := contentText(u["content"])
	c := prose
	own := false
	if a.ownChunk != nil {
		c = a.ownChunk(a, u, text)
		own = c != prose
	}
	if a.broken {
		c, own = plain, true
	}
	if own {
		switch c {
		case plain: // the program reports a failure as text: end_turn proves nothing
			a.broken = true
		case foreign: // a notice of the program: neither an answer nor a failure
			c = prose
		case inFlight, prose:
		}
		a.chunk(evidence.KindACPUpdate, "agent_message_chunk", c, text)
		return
	}
	a.begin(u.str("messageId"), text)
	a.sawPartial()
	a.final.add(text)
	a.chunk(evidence.KindACPUpdate, "agent_message_chunk", prose, text)
}

// begin notes what was known before a message, once for each message.
func (a *acp) begin(id, text string) {
	if a.message.text != "" && a.message.id == id {
		if len(a.message.text) < maxProse {
			a.message.text += text
		}
		return
	}
	text, _ = evidence.Cut(text, evidence.MaxTextBytes)
	if len(id) > maxLabel {
		id = ""
	}
	a.message = message{id: id, text: text, assistant: a.assistant, partl: a.partial}
}

func (a *acp) toolCall(kind string, u object) {
	a.sawTool()
	a.message = message{}
	text := contentText(u["content"])
	if text == "" {
		text = u.str("rawOutput")
	}
	if text != "" {
		a.chunk(evidence.KindACPUpdate, kind, prose, text+"\n")
	}
}

// sessionInfo takes what adapters say about the session beside the protocol.
func (a *acp) sessionInfo(u object) {
	codex := u.at("_meta", "codex")
	switch codex.obj("threadStatus").str("type") {
	case "systemError":
		a.broken = true
		a.add(evidence.Signal{Kind: evidence.KindACPUpdate, Event: "session_info_update", Data: u.data("title", "updatedAt")})
	case "active":
		a.broken = false
	}
	if codex.has("error") {
		a.codexError(codex.obj("error"))
	}
	if f := u.at("_meta", "jetbrains", "air", "sessionFailure"); f != nil {
		a.sessionFailure(f)
	}
}

// sessionFailure takes the typed failure that some adapters send on request.
func (a *acp) sessionFailure(f object) {
	text := f.str("title")
	if details := f.str("details"); details != "" {
		text += "\n" + details
	}
	a.fail(evidence.Signal{Kind: evidence.KindACPUpdate, Event: "session_failure", Text: text, Data: f.data()})
}

// codexError takes an error of the Codex app server, which says itself whether
// it will retry.
func (a *acp) codexError(o object) {
	e := o
	if inner := o.obj("error"); inner != nil {
		e = inner
	}
	text := e.str("message")
	if details := e.str("additionalDetails"); details != "" {
		text += ": " + details
	}
	s := evidence.Signal{Kind: evidence.KindACPUpdate, Event: "codex_error", Text: text, Data: o.data("misalignment"), Foreign: o.truth("stale")}
	if o.truth("willRetry") || e.truth("willRetry") {
		s.InFlight = true
		a.retry(text, firstWait(text))
	}
	a.add(s)
}

// usage takes cost and model, and a plan window only if it blocks.
func (a *acp) usage(u object) {
	a.cost = max(a.cost, u.obj("cost").num("amount"))
	label(&a.model, u.obj("_meta").str("_claude/model"))
	a.planWindow(u)
}

func (a *acp) planWindow(u object) {
	window := u.at("_meta", "_claude/rateLimit")
	if window.str("status") == "rejected" && !window.truth("isUsingOverage") {
		a.add(evidence.Signal{Kind: evidence.KindACPUpdate, Event: "usage_update", Data: u.data("cost")})
	}
}

// untyped takes an update in a shape of an older adapter or of a recording.
func (a *acp) untyped(u object) {
	stale := u.truth("stale")
	switch {
	case u.str("method") == "error":
		a.codexError(u.obj("params"))
	case u.has("codexErrorInfo") || u.has("willRetry"):
		a.codexError(u)
	case u.at("sessionMeta", "threadStatus").str("type") == "systemError":
		a.broken = !stale
		a.add(evidence.Signal{Kind: evidence.KindACPUpdate, Event: "session_info_update", Data: u.data(), Foreign: stale})
	case u.has("stopReason"):
	default:
		a.sawTool()
		a.chunk(evidence.KindACPUpdate, "update", prose, firstText(contentText(u["content"]), u.str("toolUseResult")))
	}
}
