package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/clients/agentctl/wire"
)

// Format is how data is printed.
type Format string

// The formats.
const (
	Table Format = "table"
	JSON  Format = "json"
)

// Set implements a flag.
func (f *Format) Set(text string) error {
	switch Format(text) {
	case Table, JSON:
		*f = Format(text)
		return nil
	}
	return fmt.Errorf("must be table or json")
}

// String implements a flag.
func (f *Format) String() string { return string(*f) }

// Type implements a flag.
func (f *Format) Type() string { return "format" }

// PrintMessage prints one message as compact proto JSON on a line of its own.
func PrintMessage(w io.Writer, m proto.Message) error {
	text, err := wire.FullJSON(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// PrintValue prints one value as compact JSON on a line of its own.
func PrintValue(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// PrintTable prints rows under a header, in columns.
func PrintTable(w io.Writer, header []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cells[i] = Clean(cell); cells[i] == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// Clean keeps foreign text from drawing on the terminal or breaking a column.
func Clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 {
			return ' '
		}
		return c
	}, text)
}

// JSONOnly gives a command that shows one object the flag of the others; it has
// no table to show.
func JSONOnly(c *cobra.Command) {
	output := JSON
	c.Flags().VarP(&output, "output", "o", "json; one object has no table")
}
