// Package tokens is the command that makes, lists and revokes API tokens.
package tokens

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl tokens.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "tokens",
		Short:   "Make, list and revoke API tokens",
		Example: "  agentctl tokens list",
	}, create(inv, server), list(inv, server), revoke(inv, server))
}

func create(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var role string
	var ttl time.Duration
	c := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token; its secret is printed once, alone on standard output",
		Example: `  agentctl tokens create ci --role member --ttl 720h
  agentctl tokens create laptop > token-file`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			number, known := v1.Role_value["ROLE_"+strings.ToUpper(role)]
			if !known || number == 0 {
				return cli.Failf(cli.Usage, "there is no role %q: use viewer, member, admin or worker", role)
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			request := &v1.CreateApiTokenRequest{WorkspaceId: api.WorkspaceID, DisplayName: args[0], Role: v1.Role(number)}
			if ttl > 0 {
				request.Ttl = durationpb.New(ttl)
			}
			answer, err := api.Workspace.CreateApiToken(c.Context(), request)
			if err != nil {
				return err
			}
			if output == cli.JSON {
				return cli.PrintMessage(inv.Out, answer)
			}
			fmt.Fprintf(inv.Err, "agentctl: token %s (%s); its secret is shown only here\n", answer.GetToken().GetTokenId(), role)
			fmt.Fprintln(inv.Out, answer.GetSecret())
			return nil
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	c.Flags().StringVar(&role, "role", "member", "what it may do: viewer, member, admin or worker")
	c.Flags().DurationVar(&ttl, "ttl", 0, "how long it works; for ever if not given")
	return c
}

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "list",
		Short: "List tokens, newest first, without their secrets",
		Example: `  agentctl tokens list
  agentctl tokens list -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Workspace.ListApiTokens(c.Context(), &v1.ListApiTokensRequest{WorkspaceId: api.WorkspaceID, PageSize: 1000})
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetTokens())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	return c
}

func print(inv *cli.Invocation, output cli.Format, tokens []*v1.ApiToken) error {
	now := inv.Clock.Now()
	var rows [][]string
	for _, t := range tokens {
		if output == cli.JSON {
			if err := cli.PrintMessage(inv.Out, t); err != nil {
				return err
			}
			continue
		}
		used := "never"
		if at := t.GetLastUsedAt(); at != nil {
			used = wording.Ago(at.AsTime(), now)
		}
		rows = append(rows, []string{t.GetTokenId(), t.GetDisplayName(), wire.RoleWord(t.GetRole()), state(t, now), used})
	}
	if output == cli.JSON {
		return nil
	}
	return cli.PrintTable(inv.Out, []string{"TOKEN", "NAME", "ROLE", "STATE", "LAST USED"}, rows)
}

func state(t *v1.ApiToken, now time.Time) string {
	switch {
	case t.GetRevokedAt() != nil:
		return "revoked"
	case t.GetExpiresAt() != nil && !t.GetExpiresAt().AsTime().After(now):
		return "expired"
	case t.GetExpiresAt() != nil:
		return "works until " + wording.Instant(t.GetExpiresAt().AsTime(), now)
	}
	return "works"
}

func revoke(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:     "revoke ID",
		Short:   "Revoke a token at once",
		Example: "  agentctl tokens revoke 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Workspace.RevokeApiToken(c.Context(), &v1.RevokeApiTokenRequest{WorkspaceId: api.WorkspaceID, TokenId: args[0]})
			if err != nil {
				return err
			}
			if output == cli.JSON {
				return cli.PrintMessage(inv.Out, answer.GetToken())
			}
			fmt.Fprintf(inv.Err, "agentctl: token %s is revoked\n", answer.GetToken().GetTokenId())
			return nil
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}
