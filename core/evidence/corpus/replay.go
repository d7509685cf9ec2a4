package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// replayer feeds the signals of one case to a parser.
type replayer struct {
	parser dialect.Parser
	// direct are signals that no process printed: a provider's HTTP responses.
	// They stand before what the process made of them.
	direct []evidence.Signal
	nextID int
	// open is the id of the client's request that awaits its answer, 0 if none.
	open       int
	openMethod string
	asked      string // the id of the last request of the agent
	ended      bool
}

// replay runs the signals of a case through the dialect of its agent.
func replay(w wireCase, mode dialect.Mode) dialect.State {
	r := &replayer{parser: dialect.For(w.agentOf(mode), mode)}
	if mode == dialect.ACP && w.prompted() {
		r.request("session/prompt")
	}
	for _, s := range w.Signals {
		r.signal(s)
	}
	state := r.parser.State()
	state.Signals = append(r.direct, state.Signals...)
	if !r.ended && !w.OwnRetryPending {
		confirm(state.Signals)
	}
	return state
}

// agentOf is the case's agent, or the one whose dialect its text is in.
func (w wireCase) agentOf(mode dialect.Mode) string {
	kind := dialect.Kind(w.Agent)
	if mode == dialect.Text || mode == dialect.ACP {
		return kind
	}
	for _, s := range w.Signals {
		if s.Kind != "stdout" {
			continue
		}
		if sniffed, m := dialect.Sniff(s.Text); m != dialect.Text && sniffed != "" && !dialect.Reads(kind, mode) {
			return sniffed
		}
	}
	return kind
}

// confirm takes back the flag of the agent's own retry from printed lines that
// are all there is: without an exit they stand for the line about a failed turn.
func confirm(signals []evidence.Signal) {
	last := -1
	for i, s := range signals {
		printed := s.Kind == evidence.KindStdout || s.Kind == evidence.KindStderr
		switch {
		case s.Foreign || s.Prose:
		case !printed || !s.InFlight:
			return
		default:
			last = i
		}
	}
	if last >= 0 {
		signals[last].InFlight = false
	}
}

func (r *replayer) signal(s wireSignal) {
	switch s.Kind {
	case "http":
		r.direct = append(r.direct, s.http())
	case "stdout":
		lines(s.Text, r.parser.Stdout)
	case "stderr":
		lines(s.Text, r.parser.Stderr)
	case "process_exit":
		r.exit(s)
	case "acp_error":
		r.acpError(s)
	case "acp_update":
		r.acpUpdate(s)
	case "acp_result":
		r.answer("session/prompt", "result", orEmpty(s.Result, map[string]string{"stopReason": s.StopReason}))
	case "acp_request":
		r.nextID++
		r.asked = fmt.Sprint(r.nextID)
		r.frame(dialect.Received, map[string]any{"id": r.nextID, "method": s.Method, "params": orEmpty(s.Params, struct{}{})})
	case "acp_sent":
		r.acpSent(s)
	}
}

// http is a response as it came from the provider.
func (s wireSignal) http() evidence.Signal {
	body := s.Text
	if text, ok := jsonString(s.Body); ok {
		body = text
	} else if len(s.Body) > 0 && string(s.Body) != "null" {
		body = string(s.Body)
	}
	headers := make(map[string]string, len(s.Headers))
	for name, value := range s.Headers {
		headers[strings.ToLower(name)] = fmt.Sprint(value)
	}
	return evidence.Signal{Kind: evidence.KindHTTP, Status: s.Status, Headers: headers, Text: evidence.Normalise(body)}
}

// exit takes the end of the process. Text that came with it is what the
// process said last, or the operating system's words.
func (r *replayer) exit(s wireSignal) {
	r.ended = true
	x := evidence.Exit{Signal: s.Signal, EndedBy: endedBy(s.EndedBy)}
	if s.ExitCode != nil {
		x.Code = *s.ExitCode
	}
	if s.SpawnError != "" {
		x.SpawnError = strings.TrimSpace(s.SpawnError + " " + s.Text)
	} else if s.Text != "" {
		lines(s.Text, r.parser.Stderr)
	}
	r.parser.Exit(x)
}

// endedBy maps who ended the process. A recorder that ran into its time limit
// stands for the supervisor; one that sent a signal as the fault under test
// stands for nobody that the supervisor knows.
func endedBy(who string) string {
	switch {
	case strings.Contains(who, "limit"), strings.Contains(who, "supervisor"):
		return "supervisor"
	case strings.Contains(who, "user"):
		return "user"
	}
	return ""
}

// lines calls fn with each line of text.
func lines(text string, fn func([]byte)) {
	text = strings.TrimSuffix(text, "\n")
	for _, line := range strings.Split(text, "\n") {
		fn([]byte(line))
	}
}

func orEmpty(raw json.RawMessage, otherwise any) any {
	if len(bytes.TrimSpace(raw)) == 0 {
		return otherwise
	}
	return raw
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// jsonString reads raw as a JSON string.
func jsonString(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}
