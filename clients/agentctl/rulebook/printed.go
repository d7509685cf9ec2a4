package rulebook

import (
	"bytes"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// unknownAgent says that some agent printed it: an empty kind would stand for a
// call that no agent made, whose every error is the provider's.
const unknownAgent = "unknown"

// Printed says what an agent's output does not.
type Printed struct {
	Agent    string // its kind, "" if the output shows it
	Mode     string // the output's shape, "" if it shows
	ExitCode int
}

// Evidence makes evidence of what an agent printed.
func (p Printed) Evidence(text []byte, inv *cli.Invocation) (evidence.Envelope, error) {
	kind, mode := dialect.Sniff(string(text))
	if p.Agent != "" {
		kind = p.Agent
	}
	switch dialect.Mode(p.Mode) {
	case "":
	case dialect.Text, dialect.JSON, dialect.StreamJSON, dialect.ACP:
		mode = dialect.Mode(p.Mode)
	default:
		return evidence.Envelope{}, cli.Failf(cli.Usage, "--mode must be text, json, stream-json or acp")
	}
	parser := dialect.For(kind, mode)
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case mode == dialect.ACP:
			parser.ACP(dialect.Received, line)
		case mode == dialect.Text && kind != "claude":
			parser.Stderr(line) // where all but Claude Code print what fails them
		default:
			parser.Stdout(line)
		}
	}
	parser.Exit(evidence.Exit{Code: p.ExitCode})
	state := parser.State()
	if kind == "" {
		kind = unknownAgent
	}
	return evidence.Bounded(evidence.Envelope{
		AgentKind: kind, AgentVersion: state.AgentVersion, Provider: state.Provider, Model: state.Model,
		Phase: state.Phase, Effects: state.Effects, ObservedAt: inv.Clock.Now().UTC(), HostZone: inv.HostZone,
		Signals: state.Signals, DroppedSignals: state.Dropped,
	}), nil
}
