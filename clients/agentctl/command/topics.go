package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// topics are the help texts that belong to no command.
func topics() []*cobra.Command {
	var codes strings.Builder
	codes.WriteString("The exit codes of agentctl. They are stable.\n\n")
	for _, c := range cli.ExitCodes() {
		fmt.Fprintf(&codes, "  %3d  %s\n", c.Code, c.Meaning)
	}
	codes.WriteString("\nrun passes the agent's own code on when the result is final and the code is not 0;\n" +
		"128 + N is an agent that ended by signal N, 126 and 127 are commands that cannot be run.")
	return []*cobra.Command{
		{Use: "exit-codes", Short: "The exit codes", Long: codes.String()},
		{Use: "environment", Short: "The environment variables", Long: environment},
	}
}

const environment = `What agentctl reads from the environment. A flag wins over a variable, and a
variable over the data folder of a server on this host.

  AGENTCTL_SERVER      the server's URL
  AGENTCTL_TOKEN       the API token
  AGENTCTL_TOKEN_FILE  a file that holds the token
  AGENTCTL_WORKSPACE   the workspace; the token's own if unset
  AGENTCTL_CATALOGUE_OVERLAY
                       folders of your own failure rules, separated by commas; none uses
                       the embedded ones alone
  XDG_CONFIG_HOME      where your own rules are otherwise, in recourse/rules
  RECOURSE_DATA        the data folder of a server on this host, whose admin-token is used
  RECOURSE_LISTEN      where that server listens
  XDG_STATE_HOME       where the journal is kept, in recourse/agentctl
  NO_COLOR             nothing to do: agentctl prints no colour
  TERM                 dumb draws no live countdown

No agent sees AGENTCTL_*, RECOURSE_* or DATABASE_URL.`
