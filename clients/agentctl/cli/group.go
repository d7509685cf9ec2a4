package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Group makes a command that only holds others: alone it shows its help, and a
// word that it does not know is answered with the nearest that it does.
func Group(c *cobra.Command, children ...*cobra.Command) *cobra.Command {
	c.AddCommand(children...)
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		text := fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath())
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			text += "; did you mean: " + strings.Join(near, ", ") + "?"
		}
		return Failf(Usage, "%s", text)
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.SuggestionsMinimumDistance = 2
	return c
}
