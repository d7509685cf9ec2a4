package connection

import (
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// Require gives the API of the configured server, for commands that cannot do
// without one. Nothing is sent yet.
func Require(inv *cli.Invocation, flags Flags) (*API, error) {
	config, err := Resolve(inv, flags)
	if err != nil {
		return nil, err
	}
	if config.Server.Origin == "" {
		return nil, cli.Failf(cli.Unreachable, "no server is configured: set AGENTCTL_SERVER and AGENTCTL_TOKEN, or start one on this host")
	}
	return Dial(config, inv.Version)
}
