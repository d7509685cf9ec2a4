// Package classify is the command that names failures.
package classify

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

type options struct {
	rules   rulebook.Source
	cases   string
	explain bool
	printed rulebook.Printed
	output  cli.Format
}

// Command is agentctl classify.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	o := options{output: cli.Table}
	c := &cobra.Command{
		Use:   "classify [FILE]",
		Short: "Name the failure in what an agent printed",
		Long: `Reads what a failed agent printed, from FILE or standard input, and names the
cause. It works offline, from the embedded catalogue and your own rules; --server
asks the configured server instead, and --server=URL another one.

With --cases it reads labelled failures, one JSON object a line, and prints one
JSON object a line for each, in their order.`,
		Example: `  claude -p hello 2>&1 | agentctl classify
  agentctl classify --explain --agent codex failure.log
  agentctl classify --overlay ./rules failure.log
  agentctl classify --cases failures.jsonl
  agentctl classify --server --cases failures.jsonl
  agentctl classify -o json failure.log`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			args = o.rules.TakeURL(args)
			if len(args) > 1 {
				return cli.Failf(cli.Usage, "classify reads one file")
			}
			if o.cases != "" {
				return o.runCases(c.Context(), inv, *server, args)
			}
			return o.runOne(c.Context(), inv, *server, args)
		},
	}
	o.rules.Register(c.Flags())
	c.Flags().StringVar(&o.cases, "cases", "", "read labelled failures from `FILE`, - for standard input")
	c.Flags().BoolVar(&o.explain, "explain", false, "show every rule that was looked at")
	c.Flags().StringVar(&o.printed.Agent, "agent", "", "the `KIND` of agent, when its output does not say it")
	c.Flags().StringVar(&o.printed.Mode, "mode", "", "the `SHAPE` of its output, when it does not show: text, json, stream-json or acp")
	c.Flags().IntVar(&o.printed.ExitCode, "exit-code", 1, "the agent's exit `CODE`")
	c.Flags().VarP(&o.output, "output", "o", "table or json")
	return c
}

func (o *options) runOne(ctx context.Context, inv *cli.Invocation, flags connection.Flags, args []string) error {
	text, err := rulebook.ReadText(inv, first(args))
	if err != nil {
		return err
	}
	envelope, err := o.printed.Evidence(text, inv)
	if err != nil {
		return err
	}
	var answer *v1.Classification
	if o.rules.Remote() {
		answer, err = o.ask(ctx, inv, flags, wire.Envelope(envelope))
	} else if rules, wrong := o.rules.Catalogue(inv); wrong == nil {
		answer = wire.Classification(rules.Classifier.Classify(envelope, classification.Options{Explain: o.explain}))
	} else {
		err = wrong
	}
	if err != nil {
		return err
	}
	return o.print(inv, answer)
}

// ask lets a server classify.
func (o *options) ask(ctx context.Context, inv *cli.Invocation, flags connection.Flags, envelope *v1.EvidenceEnvelope) (*v1.Classification, error) {
	api, err := o.rules.API(inv, flags)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	answer, err := api.Classification.ClassifyFailure(ctx, &v1.ClassifyFailureRequest{
		WorkspaceId: api.WorkspaceID, Envelope: envelope, Explain: o.explain,
	})
	return answer.GetClassification(), err
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
