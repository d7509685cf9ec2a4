// Package recoveries is the command that lists what waits or needs a person.
package recoveries

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl recoveries.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "recoveries",
		Short:   "List the sessions that wait or need a person",
		Example: "  agentctl recoveries list",
	}, list(inv, server))
}

const maxLimit = 1000

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var person bool
	var limit int
	c := &cobra.Command{
		Use:   "list",
		Short: "List the server's sessions that wait or need a person, the latest change first",
		Example: `  agentctl recoveries list
  agentctl recoveries list --person -o json`,
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
			request := &v1.ListRecoveriesRequest{WorkspaceId: api.WorkspaceID, PageSize: int32(limit)}
			if person {
				request.Attention = v1.Attention_ATTENTION_PERSON
			}
			answer, err := api.Recovery.ListRecoveries(c.Context(), request)
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetRecoveries())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	c.Flags().BoolVar(&person, "person", false, "only what needs a person")
	c.Flags().IntVar(&limit, "limit", 50, "at most this `MANY`")
	return c
}

func print(inv *cli.Invocation, output cli.Format, found []*v1.SessionRecovery) error {
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
		next := ""
		if at := r.GetRetryAt(); at != nil {
			next = wording.Instant(at.AsTime(), now)
		}
		rows = append(rows, []string{
			r.GetSession().GetSessionId(), wire.StatusWord(r.GetStatus()), string(wire.CodeWord(r.GetCode())), r.GetReason(), next,
			actions(r.GetActions()), wording.Ago(r.GetUpdatedAt().AsTime(), now),
		})
	}
	return cli.PrintTable(inv.Out, []string{"SESSION", "STATUS", "CODE", "REASON", "NEXT", "ACTIONS", "CHANGED"}, rows)
}

// actions are the words of the contract, as "retry_now,cancel_wait".
func actions(list []v1.UserAction) string {
	words := make([]string, 0, len(list))
	for _, a := range list {
		words = append(words, strings.ToLower(strings.TrimPrefix(a.String(), "USER_ACTION_")))
	}
	return strings.Join(words, ",")
}
