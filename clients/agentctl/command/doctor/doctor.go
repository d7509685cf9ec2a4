// Package doctor is the command that checks what agentctl needs.
package doctor

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
)

// Verdict of a check.
type Verdict string

// The verdicts.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn" // it works, but not as well as it could
	Fail Verdict = "fail"
)

// Check is one thing that was looked at.
type Check struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	Remedy  string  `json:"remedy,omitempty"` // what to do, unless it is ok
}

// Command is agentctl doctor.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check this host, its agents and the server, and say how to mend what is wrong",
		Example: `  agentctl doctor
  agentctl doctor -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			checks := examine(c.Context(), inv, *server)
			for _, check := range checks {
				if output == cli.JSON {
					if err := cli.PrintValue(inv.Out, check); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(inv.Out, "%-4s  %-12s %s\n", check.Verdict, check.ID, cli.Clean(check.Detail))
				if check.Remedy != "" {
					fmt.Fprintf(inv.Out, "%-4s  %-12s -> %s\n", "", "", cli.Clean(check.Remedy))
				}
			}
			return verdict(checks)
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	return c
}

func verdict(checks []Check) error {
	for _, c := range checks {
		if c.Verdict == Fail {
			return cli.Exit(cli.General)
		}
	}
	return nil
}

func examine(ctx context.Context, inv *cli.Invocation, flags connection.Flags) []Check {
	checks := []Check{classifier(inv), journalFolder(inv), zone(inv)}
	checks = append(checks, agents(ctx, inv)...)
	return append(checks, remote(ctx, inv, flags)...)
}
