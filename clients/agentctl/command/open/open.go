// Package open is the command that opens the server's pages in a browser.
package open

import (
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl open.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var only bool
	c := &cobra.Command{
		Use:   "open",
		Short: "Make a link that logs a browser in, and open it",
		Long: `Makes a link that logs one browser in, once, within 10 minutes, prints it, and
opens it where there is a display. Whoever has the link is logged in: do not share it.`,
		Example: `  agentctl open
  agentctl open --print`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			link, err := api.Workspace.CreateLoginLink(c.Context(), &v1.CreateLoginLinkRequest{WorkspaceId: api.WorkspaceID})
			if err != nil {
				return err
			}
			url := api.Address() + link.GetPath()
			fmt.Fprintln(inv.Out, url)
			if !only && display(inv) {
				launch(inv, url)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&only, "print", false, "only print the link")
	return c
}

// display says that a browser could be seen.
func display(inv *cli.Invocation) bool {
	return inv.Getenv("DISPLAY") != "" || inv.Getenv("WAYLAND_DISPLAY") != ""
}

// launch hands the link to the desktop; that nothing opens is told, and the
// printed link still works.
func launch(inv *cli.Invocation, url string) {
	browser := exec.Command("xdg-open", url)
	browser.Env = child.Scrub(inv.Environ)
	if err := browser.Run(); err != nil {
		fmt.Fprintf(inv.Err, "agentctl: no browser could be opened (%v); open the link yourself\n", err)
	}
}
