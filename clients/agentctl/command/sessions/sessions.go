// Package sessions is the command that shows and acts on sessions, the
// conversations that prompts belong to.
package sessions

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl sessions.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "sessions",
		Short:   "Show, resume and start sessions fresh",
		Example: "  agentctl sessions get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c",
	}, get(inv, server), resume(inv, server), fresh(inv, server))
}

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show what goes on about a session, and what you may do, as JSON",
		Example: `  agentctl sessions get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl sessions get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Recovery.GetSessionRecovery(c.Context(), &v1.GetSessionRecoveryRequest{WorkspaceId: api.WorkspaceID, SessionId: args[0]})
			if err != nil {
				return err
			}
			return cli.PrintMessage(inv.Out, answer.GetRecovery())
		},
	}
	cli.JSONOnly(c)
	return c
}

func resume(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return goOn(inv, server, &cobra.Command{
		Use:   "resume ID",
		Short: "Go on with a session in the agent's own session",
		Long: `Goes on with a session in the agent's own session: a new wakeup sends the continue instruction,
or the prompt if none of it was ever sent. Where the agent's own resume is not proven it is
refused with exit code 7, and sessions fresh is what is left. So is what agentctl run began: its
host has the prompt and goes on by agentctl run --continue. Prints the new wakeup as JSON.`,
		Example: `  agentctl sessions resume 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl sessions resume 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c --expect-generation 2`,
	}, func(ctx context.Context, api *connection.API, id string, generation int64) (*v1.Wakeup, error) {
		answer, err := api.Recovery.ResumeSession(ctx, &v1.ResumeSessionRequest{
			WorkspaceId: api.WorkspaceID, SessionId: id, ExpectedGeneration: generation, RequestId: inv.NewID(),
		})
		return answer.GetWakeup(), err
	})
}

func fresh(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return goOn(inv, server, &cobra.Command{
		Use:   "fresh ID",
		Short: "Go on with a session in a new session of the agent",
		Long: `Goes on with a session in a new session of the agent: a new wakeup tells it to look at what is
there before it does anything, and then gives it the prompt. What waits is superseded. What
agentctl run began is refused: its host goes on by agentctl run --continue ID --fresh. Prints
the new wakeup as JSON.`,
		Example: `  agentctl sessions fresh 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl sessions fresh 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c --expect-generation 2`,
	}, func(ctx context.Context, api *connection.API, id string, generation int64) (*v1.Wakeup, error) {
		answer, err := api.Recovery.StartFresh(ctx, &v1.StartFreshRequest{
			WorkspaceId: api.WorkspaceID, SessionId: id, ExpectedGeneration: generation, RequestId: inv.NewID(),
		})
		return answer.GetWakeup(), err
	})
}

type action func(ctx context.Context, api *connection.API, id string, generation int64) (*v1.Wakeup, error)

// goOn fills in a command that begins a session's next generation.
func goOn(inv *cli.Invocation, server *connection.Flags, c *cobra.Command, do action) *cobra.Command {
	var generation int64
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		api, err := connection.Require(inv, *server)
		if err != nil {
			return err
		}
		defer api.Close()
		wakeup, err := do(c.Context(), api, args[0], generation)
		if err != nil {
			return err
		}
		return cli.PrintMessage(inv.Out, wakeup)
	}
	c.Flags().Int64Var(&generation, "expect-generation", 0, "only if the session still has this `GENERATION`; 0 is any")
	cli.JSONOnly(c)
	return c
}
