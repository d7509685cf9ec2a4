// Package connection finds the server that agentctl talks to, and talks to it.
package connection

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// Flags are what the command line says about the server.
type Flags struct {
	Server    string
	Workspace string
	TokenFile string
	Offline   bool
}

// Setting is one value with where it came from.
type Setting struct {
	Value  string
	Origin string // as "--server", "AGENTCTL_SERVER" or a file; "" when unset
}

// Config says where the server is and who is calling. What is unset has no origin.
type Config struct {
	Server    Setting
	Token     Setting
	Workspace Setting // "" is the token's own
	Data      string  // the data folder of a server on this host
}

const defaultServer = "http://127.0.0.1:8080"

// Resolve takes each value from the flags, else the environment, else the data
// folder of a server on this host.
func Resolve(inv *cli.Invocation, flags Flags) (Config, error) {
	c := Config{Data: dataFolder(inv)}
	c.Server = first(
		Setting{flags.Server, "--server"},
		Setting{inv.Getenv("AGENTCTL_SERVER"), "AGENTCTL_SERVER"},
	)
	c.Workspace = first(
		Setting{flags.Workspace, "--workspace"},
		Setting{inv.Getenv("AGENTCTL_WORKSPACE"), "AGENTCTL_WORKSPACE"},
	)
	var err error
	if c.Token, err = token(inv, flags); err != nil {
		return Config{}, err
	}
	if c.Token.Origin == "" {
		local := filepath.Join(c.Data, "admin-token")
		if text, err := os.ReadFile(local); err == nil {
			c.Token = Setting{strings.TrimSpace(string(text)), local}
		}
	}
	if c.Server.Origin == "" && c.Token.Origin != "" {
		c.Server = Setting{localServer(inv), "the local default"}
	}
	c.Server.Value = address(c.Server.Value)
	if v := c.Server.Value; v != "" && !strings.HasPrefix(v, "http://") && !strings.HasPrefix(v, "https://") {
		return Config{}, cli.Failf(cli.Usage, "the server of %s must be an http or https address", c.Server.Origin)
	}
	return c, nil
}

func token(inv *cli.Invocation, flags Flags) (Setting, error) {
	file := first(Setting{flags.TokenFile, "--token-file"}, Setting{inv.Getenv("AGENTCTL_TOKEN_FILE"), "AGENTCTL_TOKEN_FILE"})
	env := Setting{inv.Getenv("AGENTCTL_TOKEN"), "AGENTCTL_TOKEN"}
	if file.Origin == "" || file.Origin != "--token-file" && env.Value != "" {
		return first(env), nil
	}
	text, err := os.ReadFile(file.Value)
	if err != nil {
		return Setting{}, cli.Failf(cli.Usage, "the token file of %s cannot be read: %w", file.Origin, err)
	}
	return Setting{strings.TrimSpace(string(text)), file.Value}, nil
}

func first(settings ...Setting) Setting {
	for _, s := range settings {
		if s.Value != "" {
			return s
		}
	}
	return Setting{}
}

// localServer is where a server on this host listens unless it was told otherwise.
func localServer(inv *cli.Invocation) string {
	if listen := inv.Getenv("RECOURSE_LISTEN"); listen != "" {
		return listen
	}
	return defaultServer
}

// address completes a host and port to a URL.
func address(server string) string {
	if server != "" && !strings.Contains(server, "://") {
		server = "http://" + server
	}
	return strings.TrimRight(server, "/")
}

// dataFolder is the default data folder of a server on this host.
func dataFolder(inv *cli.Invocation) string {
	if dir := inv.Getenv("RECOURSE_DATA"); dir != "" {
		return dir
	}
	if os.Geteuid() == 0 {
		return "/var/lib/recourse"
	}
	return filepath.Join(base(inv, "XDG_DATA_HOME", ".local/share"), "recourse")
}

// StateFolder is where agentctl keeps its journal.
func StateFolder(inv *cli.Invocation) string {
	return filepath.Join(base(inv, "XDG_STATE_HOME", ".local/state"), "recourse", "agentctl")
}

func base(inv *cli.Invocation, variable, fallback string) string {
	// The base directory specification says to ignore a relative path.
	if dir := inv.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(inv.Getenv("HOME"), fallback)
}
