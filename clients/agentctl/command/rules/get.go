package rules

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var source rulebook.Source
	var written bool
	output := asTable
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show one rule",
		Example: `  agentctl rules get http.bare.429
  agentctl rules get http.bare.429 --written > start-of-my-own.yaml
  agentctl rules get http.bare.429 --server -o json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			args = source.TakeURL(args)
			switch {
			case len(args) != 1:
				return cli.Failf(cli.Usage, "get shows one rule: agentctl rules get ID")
			case written && source.Remote():
				return cli.Failf(cli.Usage, "--written is for this host: a server tells what a rule is for, not its words")
			case written:
				return printWritten(inv, &source, args[0])
			}
			find := local
			if source.Remote() {
				find = remote
			}
			found, err := find(c.Context(), inv, &source, server, query{id: args[0]})
			if err != nil {
				return err
			}
			if len(found) == 0 {
				return noRule(args[0])
			}
			return printRule(inv, output, found[0])
		},
	}
	source.Register(c.Flags())
	c.Flags().BoolVar(&written, "written", false, "print the rule as its file has it, with its fixtures")
	c.Flags().VarP(&output, "output", "o", "table, json or yaml")
	return c
}

func noRule(id string) error {
	return cli.Failf(cli.NotFound, "there is no rule %q; agentctl rules list shows those that there are", id)
}

// printWritten prints a rule as a rule file of its own.
func printWritten(inv *cli.Invocation, source *rulebook.Source, id string) error {
	rules, err := source.Catalogue(inv)
	if err != nil {
		return err
	}
	text, ok := rules.YAML(id)
	if !ok {
		return noRule(id)
	}
	_, err = inv.Out.Write(text)
	return err
}

func printRule(inv *cli.Invocation, output format, r *v1.Rule) error {
	if output != asTable {
		return printMessage(inv.Out, output, r)
	}
	for _, line := range [][2]string{
		{"rule", r.GetRuleId()}, {"code", string(wire.CodeWord(r.GetCode()))}, {"confidence", confidence(r)}, {"scope", scope(r)},
		{"priority", strconv.Itoa(int(r.GetPriority()))}, {"dialect", r.GetDialect()}, {"about", r.GetDescription()}, {"source", r.GetProvenance()},
	} {
		if line[1] != "" {
			fmt.Fprintf(inv.Out, "%-11s %s\n", line[0], cli.Clean(line[1]))
		}
	}
	return nil
}
