package wakeups

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func retry(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return act(inv, server, &cobra.Command{
		Use:   "retry ID",
		Short: "Make a waiting wakeup due now",
		Long: `Makes a waiting wakeup due now, also before a reset that the provider stated. Whoever runs it
is told at once. A wakeup that runs or has ended is refused with exit code 7.`,
		Example: `  agentctl wakeups retry 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl wakeups retry 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c --expect-version 3 -o json`,
	}, func(ctx context.Context, api *connection.API, id string, version int64) (*v1.Wakeup, error) {
		answer, err := api.Recovery.RetryNow(ctx, &v1.RetryNowRequest{
			WorkspaceId: api.WorkspaceID, WakeupId: id, ExpectedVersion: version, RequestId: inv.NewID(),
		})
		return answer.GetWakeup(), err
	})
}

func cancel(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return act(inv, server, &cobra.Command{
		Use:   "cancel ID",
		Short: "End the wait of a wakeup",
		Long:  "Ends the wait of a wakeup: it is cancelled and never runs again. A running one is stopped with agentctl runs stop.",
		Example: `  agentctl wakeups cancel 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl wakeups cancel 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c --expect-version 3`,
	}, func(ctx context.Context, api *connection.API, id string, version int64) (*v1.Wakeup, error) {
		answer, err := api.Recovery.CancelWait(ctx, &v1.CancelWaitRequest{
			WorkspaceId: api.WorkspaceID, WakeupId: id, ExpectedVersion: version, RequestId: inv.NewID(),
		})
		return answer.GetWakeup(), err
	})
}

type action func(ctx context.Context, api *connection.API, id string, version int64) (*v1.Wakeup, error)

// act fills in a command that acts on one wakeup of the server.
func act(inv *cli.Invocation, server *connection.Flags, c *cobra.Command, do action) *cobra.Command {
	output := cli.Table
	var version int64
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		api, err := connection.Require(inv, *server)
		if err != nil {
			return err
		}
		defer api.Close()
		wakeup, err := do(c.Context(), api, args[0], version)
		if err != nil {
			return err
		}
		return print(inv, output, []*v1.Wakeup{wakeup})
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	c.Flags().Int64Var(&version, "expect-version", 0, "only if it still has this `VERSION`; 0 is any")
	return c
}
