package classification

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// Interpret reads what an agent printed as its own dialect does, so that a
// caller that sends raw output gets the answer that a supervisor of the same
// agent gets. An envelope whose sender has taken events out of the output
// already is left as it is. It returns the agent's own session id, if printed.
func Interpret(e evidence.Envelope) (evidence.Envelope, string) {
	e.AgentKind = dialect.Kind(e.AgentKind)
	if !raw(e.Signals) {
		return e, ""
	}
	kind, mode := dialect.Sniff(printed(e.Signals))
	switch {
	case e.AgentKind == "":
		e.AgentKind = kind
	case kind == "" || mode == dialect.Text || dialect.Reads(e.AgentKind, mode):
		kind = e.AgentKind // else: a wrapper that prints another agent's events
	}
	r := reader{parser: dialect.For(kind, mode)}
	for _, s := range e.Signals {
		r.read(s)
	}
	state := r.parser.State()
	e.Signals = r.merge(state.Signals)
	e.DroppedSignals += state.Dropped
	e.Effects = join(e.Effects, state.Effects)
	if e.Phase == evidence.PhaseUnknown {
		e.Phase = state.Phase
	}
	e.AgentVersion = first(e.AgentVersion, state.AgentVersion)
	e.Provider = first(e.Provider, state.Provider)
	e.Model = first(e.Model, state.Model)
	return e, state.NativeSessionID
}

// raw reports whether there is output that nobody has interpreted.
func raw(signals []evidence.Signal) bool {
	adapted := func(s evidence.Signal) bool { return s.Kind == evidence.KindResultEvent }
	return slices.ContainsFunc(signals, isOutput) && !slices.ContainsFunc(signals, adapted)
}

func isOutput(s evidence.Signal) bool {
	return (s.Kind == evidence.KindStdout || s.Kind == evidence.KindStderr) && !s.InFlight && !s.Prose && !s.Foreign
}

func printed(signals []evidence.Signal) string {
	var text strings.Builder
	for _, s := range signals {
		if isOutput(s) {
			text.WriteString(s.Text)
			text.WriteByte('\n')
		}
	}
	return text.String()
}

// reader feeds a parser and keeps the place of what is not the process's output.
type reader struct {
	parser dialect.Parser
	others []placed
}

type placed struct {
	at     int // how many signals the parser had before it
	signal evidence.Signal
}

func (r *reader) read(s evidence.Signal) {
	switch {
	case isOutput(s):
		feed := r.parser.Stdout
		if s.Kind == evidence.KindStderr {
			feed = r.parser.Stderr
		}
		for line := range strings.Lines(s.Text) {
			feed([]byte(strings.TrimRight(line, "\r\n")))
		}
	case s.Kind == evidence.KindProcessExit && !s.Foreign:
		r.parser.Exit(exitOf(s))
	default:
		r.others = append(r.others, placed{at: len(r.parser.State().Signals), signal: s})
	}
}

func exitOf(s evidence.Signal) evidence.Exit {
	exit := evidence.Exit{Signal: s.ExitSignal, SpawnError: s.Text, EndedBy: s.EndedBy}
	if s.ExitCode != nil {
		exit.Code = *s.ExitCode
	}
	return exit
}

func (r *reader) merge(parsed []evidence.Signal) []evidence.Signal {
	out := make([]evidence.Signal, 0, len(parsed)+len(r.others))
	next := 0
	for _, other := range r.others {
		upTo := max(next, min(other.at, len(parsed)))
		out = append(append(out, parsed[next:upTo]...), other.signal)
		next = upTo
	}
	return append(out, parsed[next:]...)
}

// join adds what the output proves to what the caller says. Whatever one of them saw, was seen.
func join(said, proved evidence.Effects) evidence.Effects {
	said.AssistantOutput = joinEffect(said.AssistantOutput, proved.AssistantOutput)
	said.ToolActivity = joinEffect(said.ToolActivity, proved.ToolActivity)
	said.PartialResult = joinEffect(said.PartialResult, proved.PartialResult)
	return said
}

func joinEffect(said, proved evidence.Effect) evidence.Effect {
	if proved == evidence.EffectSeen || said == evidence.EffectUnknown {
		return proved
	}
	return said
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
