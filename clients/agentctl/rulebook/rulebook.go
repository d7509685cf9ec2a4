// Package rulebook finds the failure rules that a command works with: those of
// this host, embedded and the user's own, or those of a server.
package rulebook

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
)

// Variable names folders of the user's own rules, separated by commas.
const Variable = "AGENTCTL_CATALOGUE_OVERLAY"

// None is the --overlay that uses the embedded rules alone.
const None = "none"

// configured stands for --server without a URL.
const configured = "configured"

// Source says whose rules are meant.
type Source struct {
	Overlay string // --overlay
	Server  string // --server: "" is this host
}

// Register adds the flags.
func (s *Source) Register(flags *pflag.FlagSet) {
	flags.StringVar(&s.Overlay, "overlay", "", "a `DIR` of your own rules ("+Variable+"; else recourse/rules in the configuration folder, if it is there); none uses the embedded rules alone")
	flags.StringVar(&s.Server, "server", "", "ask the configured server, or the one at `URL`")
	flags.Lookup("server").NoOptDefVal = configured
}

// TakeURL reads "--server URL" like "--server=URL".
func (s *Source) TakeURL(args []string) []string {
	if s.Server == configured && len(args) > 0 && strings.Contains(args[0], "://") {
		s.Server = args[0]
		return args[1:]
	}
	return args
}

// Remote says that a server's rules are meant.
func (s *Source) Remote() bool { return s.Server != "" }

// API gives the server's; nothing is sent yet.
func (s *Source) API(inv *cli.Invocation, flags connection.Flags) (*connection.API, error) {
	if s.Overlay != "" {
		return nil, cli.Failf(cli.Usage, "--overlay is for this host: a server has the rules that it was started with")
	}
	if s.Server != configured {
		flags.Server = s.Server
	}
	return connection.Require(inv, flags)
}

// Catalogue proves the rules of this host. A bad rule of the user's own is an
// error: a failure would else be named by rules that nobody meant.
func (s *Source) Catalogue(inv *cli.Invocation) (*catalogue.Catalogue, error) {
	return catalogue.Overlaid(s.Folders(inv)...)
}

// Folders are those of the user's own rules: of the flag, else of the
// environment, else the default folder if it holds anything.
func (s *Source) Folders(inv *cli.Invocation) (folders []string) {
	value := s.Overlay
	if value == "" {
		value = inv.Getenv(Variable)
	}
	switch value {
	case None:
		return nil
	case "":
		if inside, err := os.ReadDir(DefaultFolder(inv)); err != nil || len(inside) == 0 {
			return nil
		}
		return []string{DefaultFolder(inv)}
	}
	for path := range strings.SplitSeq(value, ",") {
		if path = strings.TrimSpace(path); path != "" {
			folders = append(folders, Path(inv, path))
		}
	}
	return folders
}

// Path is where a file named on the command line is.
func Path(inv *cli.Invocation, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(inv.Dir, path)
}

// DefaultFolder is where the user's own rules are if nothing says otherwise.
func DefaultFolder(inv *cli.Invocation) string {
	// The base directory specification says to ignore a relative path.
	base := inv.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(inv.Getenv("HOME"), ".config")
	}
	return filepath.Join(base, "recourse", "rules")
}
