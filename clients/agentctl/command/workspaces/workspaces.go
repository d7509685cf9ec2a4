// Package workspaces is the command that shows and changes a workspace.
package workspaces

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl workspaces.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "workspaces",
		Short:   "Show and change a workspace's settings",
		Example: "  agentctl workspaces get",
	}, get(inv, server), update(inv, server))
}

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "get",
		Short: "Show the workspace",
		Example: `  agentctl workspaces get
  agentctl workspaces get -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Workspace.GetWorkspace(c.Context(), &v1.GetWorkspaceRequest{WorkspaceId: api.WorkspaceID})
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetWorkspace())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}

func update(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var name, mode string
	var off bool
	c := &cobra.Command{
		Use:   "update",
		Short: "Change the workspace: its name, its recovery mode, the Off switch",
		Long: `Changes what is given and leaves the rest. --recovery-off is the Off switch: what waits is parked for a person,
and no attempt follows a failure; --recovery-off=false lets it go on. Only an admin's token may do this.`,
		Example: `  agentctl workspaces update --recovery-off
  agentctl workspaces update --recovery-off=false
  agentctl workspaces update --recovery-mode terminal --name "Night shift"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			request := &v1.UpdateWorkspaceRequest{DisplayName: name, RecoveryOff: off, UpdateMask: &fieldmaskpb.FieldMask{}}
			for flag, path := range map[string]string{"name": "display_name", "recovery-mode": "recovery_mode", "recovery-off": "recovery_off"} {
				if c.Flags().Changed(flag) {
					request.UpdateMask.Paths = append(request.UpdateMask.Paths, path)
				}
			}
			if len(request.GetUpdateMask().GetPaths()) == 0 {
				return cli.Failf(cli.Usage, "say what to change: --name, --recovery-mode or --recovery-off")
			}
			if mode != "" {
				number, known := v1.RecoveryMode_value["RECOVERY_MODE_"+strings.ToUpper(mode)]
				if !known || number == 0 {
					return cli.Failf(cli.Usage, "there is no recovery mode %q: use policy or terminal", mode)
				}
				request.RecoveryMode = v1.RecoveryMode(number)
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			request.WorkspaceId, request.RequestId = api.WorkspaceID, inv.NewID()
			answer, err := api.Workspace.UpdateWorkspace(c.Context(), request)
			if err != nil {
				return err
			}
			return print(inv, output, answer.GetWorkspace())
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	c.Flags().StringVar(&name, "name", "", "a `NAME` for people")
	c.Flags().StringVar(&mode, "recovery-mode", "", "what follows a failure by itself: policy, or terminal for nothing")
	c.Flags().BoolVar(&off, "recovery-off", false, "switch recovery off; =false switches it on again")
	return c
}

func print(inv *cli.Invocation, output cli.Format, w *v1.Workspace) error {
	if output == cli.JSON {
		return cli.PrintMessage(inv.Out, w)
	}
	mode := strings.ToLower(strings.TrimPrefix(w.GetRecoveryMode().String(), "RECOVERY_MODE_"))
	return cli.PrintTable(inv.Out, []string{"WORKSPACE", "NAME", "RECOVERY MODE", "RECOVERY OFF"},
		[][]string{{w.GetWorkspaceId(), w.GetDisplayName(), mode, strconv.FormatBool(w.GetRecoveryOff())}})
}
