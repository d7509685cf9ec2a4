// Command agentctl runs coding agents, carries them through their providers'
// failures, and shows what a Recourse server knows.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
)

// version is set by the build, else taken from the module.
var version string

func main() {
	os.Exit(command.Main(context.Background(), cli.FromProcess(versionOf()), os.Args[1:]))
}

func versionOf() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
