package runs

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func stop(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var version int64
	c := &cobra.Command{
		Use:   "stop ID",
		Short: "End a run",
		Long: `Ends a run. Whoever supervises the agent is told within a second, ends it with TERM and after a
grace with KILL, and reports; then its wakeup is cancelled. A run of which nothing was sent has
ended when this returns. One that has an outcome is refused with exit code 7.`,
		Example: `  agentctl runs stop 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl runs stop 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Recovery.StopRun(c.Context(), &v1.StopRunRequest{
				WorkspaceId: api.WorkspaceID, RunId: args[0], ExpectedVersion: version, RequestId: inv.NewID(),
			})
			if err != nil {
				return err
			}
			if state := answer.GetRun().GetState(); state == v1.RunState_RUN_STATE_SENDING || state == v1.RunState_RUN_STATE_DELIVERED {
				fmt.Fprintln(inv.Err, "agentctl: whoever runs it was asked to end it")
			}
			return print(inv, output, []*v1.Run{answer.GetRun()})
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	c.Flags().Int64Var(&version, "expect-version", 0, "only if the run still has this `VERSION`; 0 is any")
	return c
}
