package profiles

import (
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// writing are the flags of create and update.
type writing struct {
	file   string
	dryRun bool
	output cli.Format
}

func (w *writing) flags(c *cobra.Command) {
	w.output = cli.Table
	c.Flags().StringVarP(&w.file, "file", "f", "", "the profile as YAML or JSON in this `FILE`; - is standard input")
	c.Flags().BoolVar(&w.dryRun, "dry-run", false, "only say whether it would be done; nothing is changed")
	c.Flags().VarP(&w.output, "output", "o", "table or json")
}

func create(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var w writing
	c := &cobra.Command{
		Use:   "create",
		Short: "Create a profile from a file",
		Long: `Creates a profile. The file is the profile as YAML or JSON, with its profile_id, and either concrete or dynamic.
What is wrong is named by its field. Only an admin's token may do this.`,
		Example: `  agentctl profiles create -f claude-team.yaml
  agentctl profiles create -f night-shift.yaml --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			profile, err := readProfile(inv, w.file)
			if err != nil {
				return err
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Routing.CreateProfile(c.Context(), &v1.CreateProfileRequest{
				WorkspaceId: api.WorkspaceID, Profile: profile, ValidateOnly: w.dryRun, RequestId: inv.NewID(),
			})
			if err != nil {
				return w.named(err)
			}
			return w.done(inv, "created", answer.GetProfile())
		},
	}
	w.flags(c)
	return c
}

func update(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var w writing
	var etag string
	c := &cobra.Command{
		Use:   "update",
		Short: "Replace a profile by what a file says",
		Long: `Replaces a profile: what the file leaves out is left out afterwards. With --etag, or an etag in the file as
"agentctl profiles get -o json" prints it, the change is refused if somebody else was faster. Decisions that were
made keep the policies that they were made by. Only an admin's token may do this.`,
		Example: `  agentctl profiles update -f night-shift.yaml
  agentctl profiles update -f - --etag 2f0c9f5b1e7a4d3c8b6a5e41
  agentctl profiles update -f night-shift.yaml --dry-run -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			profile, err := readProfile(inv, w.file)
			if err != nil {
				return err
			}
			if profile.GetProfileId() == "" {
				return cli.Failf(cli.Usage, "%s: profile_id: must say which profile is changed", w.name())
			}
			if etag == "" {
				etag = profile.GetEtag()
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Routing.UpdateProfile(c.Context(), &v1.UpdateProfileRequest{
				WorkspaceId: api.WorkspaceID, ProfileId: profile.GetProfileId(), Profile: profile, Etag: etag,
				UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"*"}}, ValidateOnly: w.dryRun, RequestId: inv.NewID(),
			})
			if err != nil {
				return w.named(err)
			}
			return w.done(inv, "changed", answer.GetProfile())
		},
	}
	w.flags(c)
	c.Flags().StringVar(&etag, "etag", "", "only the version of this `ETAG`")
	return c
}

func (w *writing) done(inv *cli.Invocation, what string, p *v1.Profile) error {
	if w.dryRun {
		fmt.Fprintf(inv.Err, "agentctl: profile %s would be %s; nothing is changed\n", p.GetProfileId(), what)
	} else {
		fmt.Fprintf(inv.Err, "agentctl: profile %s is %s\n", p.GetProfileId(), what)
	}
	return print(inv, w.output, p)
}
