// Package runs is the command that lists, shows and stops runs.
package runs

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl runs.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "runs",
		Short:   "List, show and stop runs, the executions of wakeups",
		Example: "  agentctl runs list",
	}, list(inv, server), get(inv, server), stop(inv, server))
}

const maxLimit = 1000

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var wakeup string
	var limit int
	c := &cobra.Command{
		Use:   "list",
		Short: "List the server's runs, newest first",
		Example: `  agentctl runs list
  agentctl runs list --wakeup 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > maxLimit {
				return cli.Failf(cli.Usage, "--limit must be between 1 and %d", maxLimit)
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Recovery.ListRuns(c.Context(), &v1.ListRunsRequest{
				WorkspaceId: api.WorkspaceID, WakeupId: wakeup, PageSize: int32(limit),
			})
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetRuns())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	c.Flags().StringVar(&wakeup, "wakeup", "", "only the runs of the wakeup of this `ID`")
	c.Flags().IntVar(&limit, "limit", 50, "at most this `MANY`")
	return c
}

func print(inv *cli.Invocation, output cli.Format, found []*v1.Run) error {
	if output == cli.JSON {
		for _, r := range found {
			if err := cli.PrintMessage(inv.Out, r); err != nil {
				return err
			}
		}
		return nil
	}
	now := inv.Clock.Now()
	var rows [][]string
	for _, r := range found {
		rows = append(rows, []string{
			r.GetRunId(), r.GetWakeupId(), strconv.Itoa(int(r.GetOrdinal())), wire.RunStateWord(r.GetState()), wire.OutcomeWord(r.GetOutcome()),
			wire.SendWord(r.GetSend()), string(wire.CodeWord(r.GetClassification().GetCode())),
			string(wire.ActionWord(r.GetDecision().GetAction())), wording.Ago(r.GetClaimedAt().AsTime(), now),
		})
	}
	return cli.PrintTable(inv.Out, []string{"RUN", "WAKEUP", "NO", "STATE", "OUTCOME", "SENT", "CODE", "ACTION", "CLAIMED"}, rows)
}

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show one run with its evidence and decision as JSON",
		Example: `  agentctl runs get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl runs get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Recovery.GetRun(c.Context(), &v1.GetRunRequest{WorkspaceId: api.WorkspaceID, RunId: args[0]})
			if err != nil {
				return err
			}
			return cli.PrintMessage(inv.Out, answer.GetRun())
		},
	}
	cli.JSONOnly(c)
	return c
}
