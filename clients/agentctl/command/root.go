// Package command puts the commands of agentctl together.
package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command/classify"
	"github.com/recourse-dev/recourse/clients/agentctl/command/demo"
	"github.com/recourse-dev/recourse/clients/agentctl/command/doctor"
	"github.com/recourse-dev/recourse/clients/agentctl/command/events"
	"github.com/recourse-dev/recourse/clients/agentctl/command/open"
	"github.com/recourse-dev/recourse/clients/agentctl/command/profiles"
	"github.com/recourse-dev/recourse/clients/agentctl/command/recoveries"
	"github.com/recourse-dev/recourse/clients/agentctl/command/rules"
	"github.com/recourse-dev/recourse/clients/agentctl/command/run"
	"github.com/recourse-dev/recourse/clients/agentctl/command/runs"
	"github.com/recourse-dev/recourse/clients/agentctl/command/sessions"
	"github.com/recourse-dev/recourse/clients/agentctl/command/simulate"
	"github.com/recourse-dev/recourse/clients/agentctl/command/tokens"
	"github.com/recourse-dev/recourse/clients/agentctl/command/version"
	"github.com/recourse-dev/recourse/clients/agentctl/command/wakeups"
	"github.com/recourse-dev/recourse/clients/agentctl/command/why"
	"github.com/recourse-dev/recourse/clients/agentctl/command/workspaces"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/core/fault"
)

// Main runs one call of agentctl and returns its exit code.
func Main(ctx context.Context, inv *cli.Invocation, args []string) int {
	started := false
	root := Root(inv)
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	root.SetArgs(args)
	root.SetIn(inv.In)
	root.SetOut(inv.Out)
	root.SetErr(inv.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return cli.OK
	}
	var exit *cli.ExitError
	if errors.As(err, &exit) {
		if exit.Err != nil {
			say(inv, exit.Err)
		}
		return exit.Code
	}
	say(inv, err)
	if !started {
		return cli.Usage // no command ran: the command line itself is wrong
	}
	return cli.Code(err)
}

// Root is the tree of commands.
func Root(inv *cli.Invocation) *cobra.Command {
	var server connection.Flags
	root := cli.Group(&cobra.Command{
		Use:   "agentctl",
		Short: "Keep coding agents working when their providers fail",
		Long: `agentctl runs coding agents and carries them through their providers' failures,
names failures, and shows what a Recourse server knows.`,
		Example:       `  agentctl run -- claude -p "mend the failing test"`,
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.PersistentFlags().StringVar(&server.Server, "server", "", "the server's `URL` (AGENTCTL_SERVER)")
	root.PersistentFlags().StringVar(&server.Workspace, "workspace", "", "the workspace's `ID`; the token's own if empty (AGENTCTL_WORKSPACE)")
	root.PersistentFlags().StringVar(&server.TokenFile, "token-file", "", "a `FILE` that holds the token (AGENTCTL_TOKEN_FILE, or AGENTCTL_TOKEN itself)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return cli.Failf(cli.Usage, "%w\nsee: %s --help", err, c.CommandPath())
	})
	root.AddCommand(
		run.Command(inv, &server),
		classify.Command(inv, &server),
		why.Command(inv, &server),
		demo.Command(inv, &server),
		demo.AgentCommand(inv),
		doctor.Command(inv, &server),
		open.Command(inv, &server),
		version.Command(inv, &server),
		wakeups.Command(inv, &server),
		runs.Command(inv, &server),
		sessions.Command(inv, &server),
		recoveries.Command(inv, &server),
		events.Command(inv, &server),
		rules.Command(inv, &server),
		simulate.Command(inv, &server),
		profiles.Command(inv, &server),
		tokens.Command(inv, &server),
		workspaces.Command(inv, &server),
	)
	root.AddCommand(topics()...)
	return root
}

// say prints an error for a person, with the field or the wait that it names.
func say(inv *cli.Invocation, err error) {
	text := err.Error()
	var f *fault.Error
	if errors.As(err, &f) {
		text = strings.Replace(text, f.Error(), f.Message, 1) + " (" + string(f.Reason) + ")"
	}
	fmt.Fprintf(inv.Err, "agentctl: %s\n", strings.TrimRight(text, "\n"))
}
