// Package rules is the command that lists, shows, tests and makes failure rules.
package rules

import (
	"fmt"
	"io"

	"buf.build/go/protoyaml"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
)

// Command is agentctl rules.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "rules",
		Short: "List, show, test and make the rules that name failures",
		Long: `A rule says which words or fields in a failure's evidence stand for which cause.
The embedded rules are part of this program; your own are laid over them. They lie
in recourse/rules in the configuration folder ($XDG_CONFIG_HOME, else ~/.config),
or where --overlay or AGENTCTL_CATALOGUE_OVERLAY says.`,
		Example: "  agentctl rules list",
	}, list(inv, server), get(inv, server), test(inv), create(inv, server))
}

// format is how rules are printed.
type format string

const (
	asTable format = "table"
	asJSON  format = "json"
	asYAML  format = "yaml"
)

// Set implements a flag.
func (f *format) Set(text string) error {
	switch format(text) {
	case asTable, asJSON, asYAML:
		*f = format(text)
		return nil
	}
	return fmt.Errorf("must be table, json or yaml")
}

// String implements a flag.
func (f *format) String() string { return string(*f) }

// Type implements a flag.
func (f *format) Type() string { return "format" }

// printMessage prints a message on a line of JSON, or as one YAML document.
func printMessage(w io.Writer, f format, m proto.Message) error {
	if f == asJSON {
		return cli.PrintMessage(w, m)
	}
	text, err := wire.FullJSON(m)
	if err != nil {
		return err
	}
	full := m.ProtoReflect().New().Interface()
	if err := wire.Parse(text, full); err != nil {
		return err
	}
	document, err := protoyaml.MarshalOptions{Indent: 2}.Marshal(full)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "---\n%s", document)
	return err
}
