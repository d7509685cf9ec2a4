// Package classify is the command that names failures.
package classify

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// configured stands for --server without a URL.
const configured = "configured"

// maxInput bounds one failure's text in bytes; more loses its middle.
const maxInput = 16 << 20

type options struct {
	server   string
	cases    string
	explain  bool
	agent    string
	mode     string
	exitCode int
	output   cli.Format
}

// Command is agentctl classify.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	o := options{output: cli.Table}
	c := &cobra.Command{
		Use:   "classify [FILE]",
		Short: "Name the failure in what an agent printed",
		Long: `Reads what a failed agent printed, from FILE or standard input, and names the
cause. It works offline from the embedded catalogue; --server asks the configured
server instead, and --server=URL another one.

With --cases it reads labelled failures, one JSON object a line, and prints one
JSON object a line for each, in their order.`,
		Example: `  claude -p hello 2>&1 | agentctl classify
  agentctl classify --explain --agent codex failure.log
  agentctl classify --cases failures.jsonl
  agentctl classify -o json failure.log`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			args = o.takeURL(args)
			if len(args) > 1 {
				return cli.Failf(cli.Usage, "classify reads one file")
			}
			if o.cases != "" {
				return o.runCases(c.Context(), inv, args)
			}
			return o.runOne(c, inv, *server, args)
		},
	}
	c.Flags().StringVar(&o.server, "server", "", "ask the configured server, or the one at `URL`")
	c.Flags().Lookup("server").NoOptDefVal = configured
	c.Flags().StringVar(&o.cases, "cases", "", "read labelled failures from `FILE`, - for standard input")
	c.Flags().BoolVar(&o.explain, "explain", false, "show every rule that was looked at")
	c.Flags().StringVar(&o.agent, "agent", "", "the `KIND` of agent, when its output does not say it")
	c.Flags().StringVar(&o.mode, "mode", "", "the `SHAPE` of its output, when it does not show: text, json, stream-json or acp")
	c.Flags().IntVar(&o.exitCode, "exit-code", 1, "the agent's exit `CODE`")
	c.Flags().VarP(&o.output, "output", "o", "table or json")
	return c
}

// takeURL reads "--server URL" like "--server=URL".
func (o *options) takeURL(args []string) []string {
	if o.server == configured && len(args) > 0 && strings.Contains(args[0], "://") {
		o.server = args[0]
		return args[1:]
	}
	return args
}

func (o *options) runOne(c *cobra.Command, inv *cli.Invocation, flags connection.Flags, args []string) error {
	in, closeInput, err := input(inv, args)
	if err != nil {
		return err
	}
	defer closeInput()
	text, err := io.ReadAll(io.LimitReader(in, maxInput))
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		return cli.Failf(cli.Usage, "there is nothing to classify: give a file, or pipe what the agent printed")
	}
	envelope, err := o.envelope(text, inv)
	if err != nil {
		return err
	}
	var answer *v1.Classification
	if o.server != "" {
		answer, err = o.ask(c.Context(), inv, flags, wire.Envelope(envelope))
	} else {
		var classifier *classification.Classifier
		if classifier, err = catalogue.Embedded(); err == nil {
			answer = wire.Classification(classifier.Classify(envelope, classification.Options{Explain: o.explain}))
		}
	}
	if err != nil {
		return err
	}
	return o.print(inv, answer)
}

// input is a file, or standard input for none and for "-".
func input(inv *cli.Invocation, args []string) (io.Reader, func(), error) {
	if len(args) == 0 || args[0] == "-" {
		if inv.InTTY && len(args) == 0 {
			return nil, nil, cli.Failf(cli.Usage, "give a file, or pipe what the agent printed into this command")
		}
		return inv.In, func() {}, nil
	}
	path := args[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(inv.Dir, path)
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, cli.Failf(cli.NotFound, "no such file: %s", args[0])
	}
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}
