// Package profiles is the command that shows and writes profiles.
package profiles

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl profiles.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "profiles",
		Short:   "Show and write profiles: how agents are run, and what runs in whose place",
		Example: "  agentctl profiles list",
	}, list(inv, server), get(inv, server), create(inv, server), update(inv, server), remove(inv, server))
}

const pageSize = 1000

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var kind string
	c := &cobra.Command{
		Use:   "list",
		Short: "List profiles by id",
		Example: `  agentctl profiles list
  agentctl profiles list --kind dynamic -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			request := &v1.ListProfilesRequest{PageSize: pageSize}
			if kind != "" {
				number, known := v1.ProfileKind_value["PROFILE_KIND_"+strings.ToUpper(kind)]
				if !known || number == 0 {
					return cli.Failf(cli.Usage, "there is no kind %q: use concrete or dynamic", kind)
				}
				request.Kind = v1.ProfileKind(number)
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			request.WorkspaceId = api.WorkspaceID
			var found []*v1.Profile
			for more := true; more; more = request.GetPageToken() != "" {
				answer, err := api.Routing.ListProfiles(c.Context(), request)
				if err != nil {
					return err
				}
				found = append(found, answer.GetProfiles()...)
				request.PageToken = answer.GetNextPageToken()
			}
			return print(inv, output, found...)
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	c.Flags().StringVar(&kind, "kind", "", "only profiles of this `KIND`: concrete or dynamic")
	return c
}

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show a profile; as JSON all of it",
		Example: `  agentctl profiles get night-shift
  agentctl profiles get night-shift -o json > night-shift.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Routing.GetProfile(c.Context(), &v1.GetProfileRequest{WorkspaceId: api.WorkspaceID, ProfileId: args[0]})
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetProfile())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}

func remove(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var etag string
	c := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a profile that no dynamic profile has as a candidate",
		Example: `  agentctl profiles delete night-shift
  agentctl profiles delete night-shift --etag 2f0c9f5b1e7a4d3c8b6a5e41`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			request := &v1.DeleteProfileRequest{WorkspaceId: api.WorkspaceID, ProfileId: args[0], Etag: etag, RequestId: inv.NewID()}
			if _, err := api.Routing.DeleteProfile(c.Context(), request); err != nil {
				return err
			}
			fmt.Fprintf(inv.Err, "agentctl: profile %s is deleted\n", args[0])
			return nil
		},
	}
	c.Flags().StringVar(&etag, "etag", "", "only the version of this `ETAG`")
	return c
}

func print(inv *cli.Invocation, output cli.Format, profiles ...*v1.Profile) error {
	now := inv.Clock.Now()
	var rows [][]string
	for _, p := range profiles {
		if output == cli.JSON {
			if err := cli.PrintMessage(inv.Out, p); err != nil {
				return err
			}
			continue
		}
		changed := ""
		if at := p.GetUpdatedAt(); at != nil {
			changed = wording.Ago(at.AsTime(), now)
		}
		kind := strings.ToLower(strings.TrimPrefix(p.GetKind().String(), "PROFILE_KIND_"))
		rows = append(rows, []string{
			p.GetProfileId(), kind, p.GetDisplayName(), runs(p), strconv.FormatInt(p.GetVersion(), 10), p.GetEtag(), changed,
		})
	}
	if output == cli.JSON {
		return nil
	}
	return cli.PrintTable(inv.Out, []string{"PROFILE", "KIND", "NAME", "RUNS", "VERSION", "ETAG", "CHANGED"}, rows)
}

// runs says in a few words what a profile runs.
func runs(p *v1.Profile) string {
	if d := p.GetDynamic(); d != nil {
		ids := make([]string, len(d.GetCandidates()))
		for i, c := range d.GetCandidates() {
			ids[i] = c.GetProfileId()
		}
		return strings.Join(ids, " > ")
	}
	words := []string{p.GetConcrete().GetAgentKind()}
	for _, word := range []string{p.GetConcrete().GetProvider(), p.GetConcrete().GetModel()} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
