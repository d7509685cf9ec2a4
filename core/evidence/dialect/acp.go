package dialect

import (
	"bytes"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// maxPending bounds the requests whose answers are still awaited.
const maxPending = 256

// acp reads the frames of the Agent Client Protocol. What differs between
// agents is in its hooks.
type acp struct {
	printed
	// pending maps the ids of sent requests to their methods.
	pending map[string]string
	// asked maps the ids of permission requests to what was asked.
	asked map[string]question
	// broken is true while the agent reports its thread as failed (Codex).
	broken bool
	// cancelled is true after the client sent session/cancel.
	cancelled bool
	// message is the message that is being streamed.
	message message
	// ownChunk reports that a chunk was made by the agent's program and not by
	// a model; nil if the dialect has no such text.
	ownChunk func(a *acp, update object, text string) class
}

// message remembers what was known before a message began, in case the message
// turns out to be the program's own error text.
type message struct {
	id, text         string
	assistant, partl bool
}

func newACP(stderr rule) *acp {
	a := &acp{pending: map[string]string{}, asked: map[string]question{}}
	a.errRule = stderr
	return a
}

// Stdout implements Parser: an agent's standard output carries its frames.
func (a *acp) Stdout(line []byte) { a.ACP(Received, line) }

// ACP implements Parser.
func (a *acp) ACP(direction Direction, frame []byte) {
	out := sink{
		event: func(o object, nested bool) {
			switch {
			case nested:
				a.doubtful = true
			case direction == Sent:
				a.sent(o)
			default:
				a.received(o)
			}
		},
		broken: func(object, []byte) { a.doubtful = true },
		other:  func(text []byte) { a.stdoutLine(text) },
	}
	splitJSON(frame, out)
}

// sent takes a frame of the client.
func (a *acp) sent(o object) {
	method, id := o.str("method"), idOf(o)
	switch method {
	case "":
		a.answered(id, o)
		return
	case "session/prompt":
		label(&a.session, o.obj("params").str("sessionId"))
		a.accepted()
		a.broken, a.cancelled, a.succeeded, a.failed = false, false, false, false
	case "session/load", "session/resume":
		label(&a.session, o.obj("params").str("sessionId"))
	case "session/cancel":
		a.cancelled = true
	}
	if id != "" && len(a.pending) < maxPending && len(id)+len(method) < maxLabel {
		a.pending[id] = method
	}
}

// received takes a frame of the agent.
func (a *acp) received(o object) {
	a.structured = true
	method, id := o.str("method"), idOf(o)
	switch {
	case method == "session/update":
		a.update(o.obj("params"))
	case method == "session/request_permission":
		a.sawTool()
		a.ask(id, o.obj("params"))
	case method == "error": // an app-server notification
		a.codexError(o.obj("params"))
	case method != "":
		a.request(method)
	case o.has("error") && a.strays(id):
		a.add(evidence.Signal{Kind: evidence.KindACPError, Code: o.obj("error").whole("code"), Text: o.obj("error").str("message"), Foreign: true})
	case o.has("error"):
		a.failure(a.pending[id], o)
		delete(a.pending, id)
	case o.has("result"):
		a.result(a.pending[id], o.obj("result"))
		delete(a.pending, id)
	}
}

// strays reports an answer to no request of this client, while its prompt waits
// for its own.
func (a *acp) strays(id string) bool {
	if _, known := a.pending[id]; known || id == "" || id == "null" {
		return false
	}
	for _, method := range a.pending {
		if method == "session/prompt" {
			return true
		}
	}
	return false
}

// request takes a call of the client's services: files and terminals are effects.
func (a *acp) request(method string) {
	switch {
	case method[0] == '_' || method[0] == '$':
	default:
		a.sawTool()
	}
}

// failure takes a JSON-RPC error. Errors of optional calls are not the turn's.
func (a *acp) failure(method string, o object) {
	e := o.obj("error")
	s := evidence.Signal{
		Kind: evidence.KindACPError, Event: method, Code: e.whole("code"), Text: e.str("message"), Data: string(e["data"]),
	}
	switch method {
	case "", "session/prompt", "session/new", "session/load", "session/resume", "initialize", "authenticate":
	default:
		s.Foreign = true
		a.add(s)
		return
	}
	a.disown(s)
	if method != "" && method != "session/prompt" && a.phase == evidence.PhaseUnknown {
		a.phase = evidence.PhaseLaunch
	}
	a.fail(s)
}

// disown takes back what a message seemed to prove if it was the error's own
// text: some adapters stream it before they fail.
func (a *acp) disown(s evidence.Signal) {
	m := a.message
	if m.text == "" || m.assistant {
		return
	}
	if !bytes.Contains([]byte(s.Text+s.Data), []byte(m.text)) && (s.Code != -32000 || m.id != "") {
		return
	}
	a.assistant, a.partial = m.assistant, m.partl
	if !a.tool && !a.assistant {
		a.phase = evidence.PhasePreOutput
	}
}

// idOf returns the id of a frame as text, "" for a notification. An agent may
// answer a number with a string.
func idOf(o object) string {
	if !o.has("id") {
		return ""
	}
	return strings.Trim(string(o["id"]), `"`)
}
