package classify

import (
	"bytes"
	"context"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// unknownAgent says that some agent printed it: an empty kind would stand for a
// call that no agent made, whose every error is the provider's.
const unknownAgent = "unknown"

// envelope makes evidence of what an agent printed.
func (o *options) envelope(text []byte, inv *cli.Invocation) (evidence.Envelope, error) {
	kind, mode := dialect.Sniff(string(text))
	if o.agent != "" {
		kind = o.agent
	}
	switch dialect.Mode(o.mode) {
	case "":
	case dialect.Text, dialect.JSON, dialect.StreamJSON, dialect.ACP:
		mode = dialect.Mode(o.mode)
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
	parser.Exit(evidence.Exit{Code: o.exitCode})
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

// ask lets a server classify.
func (o *options) ask(ctx context.Context, inv *cli.Invocation, flags connection.Flags, envelope *v1.EvidenceEnvelope) (*v1.Classification, error) {
	if o.server != configured {
		flags.Server = o.server
	}
	api, err := connection.Require(inv, flags)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	answer, err := api.Classification.ClassifyFailure(ctx, &v1.ClassifyFailureRequest{
		WorkspaceId: api.WorkspaceID, Envelope: envelope, Explain: o.explain,
	})
	return answer.GetClassification(), err
}
