package dialect

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// events is the part of a parser that reads machine-readable lines. A dialect
// sets the hooks; what is no event is kept as printed text.
type events struct {
	printed
	// event takes one event of standard output.
	event func(o object)
	// nested says which event types may be believed inside another broken line.
	nested map[string]bool
	// errEvent takes one event of standard error, and reports whether it was one.
	errEvent func(o object) bool
	// brokenEvent takes the leading fields of an event that was cut short, and
	// reports whether it dealt with it.
	brokenEvent      func(o object, raw []byte) bool
	outDoc, errDoc   document
	outSink, errSink sink
	// torn says that the last event was cut short: what follows on lines of its
	// own is the rest of it until the next event.
	torn bool
}

// wire connects the hooks; every constructor calls it once.
func (e *events) wire() {
	e.outSink = sink{
		event: func(o object, nested bool) {
			e.torn = e.torn && nested
			if !nested || e.nested[o.str("type")] {
				before := e.structured
				e.event(o)
				if isProviderBody(o) {
					e.structured = before
				}
			}
		},
		broken: func(o object, raw []byte) {
			e.doubtful, e.torn = true, true
			if e.brokenEvent == nil || !e.brokenEvent(o, raw) {
				e.fragment(o, raw)
			}
		},
		other: func(text []byte) {
			if e.torn {
				e.line(evidence.KindStdout, prose, evidence.Normalise(string(text)))
				return
			}
			// Whatever prints text between events may also have worked without one.
			if len(trimLine(text)) > 0 {
				e.doubtful = true
			}
			e.stdoutLine(text)
		},
	}
	e.errSink = e.outSink
	e.errSink.event = func(o object, _ bool) {
		if e.errEvent == nil || !e.errEvent(o) {
			e.printed.Stderr([]byte(o.data()))
		}
	}
	e.errSink.broken = func(_ object, raw []byte) { e.printed.Stderr(raw) }
	e.errSink.other = func(text []byte) { e.printed.Stderr(text) }
}

// Stdout implements Parser.
func (e *events) Stdout(line []byte) {
	if e.outDoc.take(line, e.outDocument) {
		return
	}
	splitJSON(line, e.outSink)
}

// Stderr implements Parser.
func (e *events) Stderr(line []byte) {
	if e.errEvent == nil {
		e.printed.Stderr(line)
		return
	}
	if e.errDoc.take(line, e.errDocument) {
		return
	}
	if trimmed := trimLine(line); len(trimmed) > 0 && trimmed[0] == '{' {
		splitJSON(trimmed, e.errSink)
		return
	}
	e.printed.Stderr(line)
}

// Exit implements Parser.
func (e *events) Exit(exit evidence.Exit) {
	e.outDoc.rest(e.outDocument)
	e.errDoc.rest(e.errDocument)
	e.printed.Exit(exit)
}

func (e *events) outDocument(text []byte, complete bool) {
	if !complete {
		e.doubtful = true
	}
	splitJSON(text, e.outSink)
}

func (e *events) errDocument(text []byte, _ bool) { splitJSON(text, e.errSink) }

// isProviderBody reports an error body as a provider sends it. An agent that
// prints for people prints it too, so that it proves nothing about the channel.
func isProviderBody(o object) bool {
	if o.obj("error") == nil {
		return false
	}
	for _, key := range [...]string{"session_id", "sessionId", "sessionID", "thread_id", "uuid", "timestamp"} {
		if o.has(key) {
			return false
		}
	}
	return o.str("type") == "" || o.str("type") == "error"
}

// fragment keeps an event that was cut short. Without its end nobody can say
// what it was, so it is a failure channel only if it says that it is an error
// and is not what a model or a tool said.
func (e *events) fragment(o object, raw []byte) {
	failure := o.truth("is_error") || isFailureType(o.str("type")) || saysError(o)
	text, cut := evidence.Cut(string(raw), evidence.MaxTextBytes)
	e.add(evidence.Signal{
		Kind: evidence.KindResultEvent, Event: o.str("type"), Text: text, CutBytes: cut,
		Status: o.whole("api_error_status"), Prose: !failure,
	})
	if failure {
		e.succeeded, e.failed = false, true
	}
}

// saysError reports an end that its leading fields call an error.
func saysError(o object) bool {
	switch o.str("type") {
	case "result":
		return o.str("status") == "error"
	case "run_result":
		return o.str("finishReason") == "error"
	}
	return false
}

func isFailureType(event string) bool {
	switch event {
	case "turn.failed", "session.error", "response.failed", "error":
		return true
	}
	return false
}

// unknown keeps an event of a type that the dialect does not know. Whatever it
// was, effects are no longer proved absent.
func (e *events) unknown(o object) {
	e.doubtful = true
	if text := o.message("error"); text != "" || o.has("error") {
		e.add(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: o.str("type"), Text: text,
			Status: statusOf(o), Data: o.data(),
		})
	}
}

// statusOf reads the HTTP status where dialects put it.
func statusOf(o object) int {
	for _, key := range [...]string{"api_error_status", "error_status", "statusCode", "status_code", "status", "code"} {
		if n := o.whole(key); n >= 100 && n <= 599 {
			return n
		}
	}
	return 0
}
