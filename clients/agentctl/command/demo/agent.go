package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// lineDelay makes the agent look as if it worked.
const lineDelay = 150 * time.Millisecond

// AgentCommand is the hidden command that plays an agent: it prints what the
// real CLI prints in its place.
func AgentCommand(inv *cli.Invocation) *cobra.Command {
	var play, state string
	c := &cobra.Command{
		Use:     "demo-agent",
		Short:   "Play one attempt of the demonstration's agent",
		Example: "  agentctl demo-agent --play overload --state FOLDER -- -p hello",
		Hidden:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			script, known := scripts[play]
			if !known {
				return cli.Failf(cli.Usage, "there is no play %q", play)
			}
			attempt, err := count(filepath.Join(state, "attempts"))
			if err != nil {
				return err
			}
			act := script[min(attempt, len(script)-1)]
			for _, line := range act.lines {
				fmt.Fprintln(inv.Out, fill(line, inv.Clock.Now()))
				if err := inv.Clock.Sleep(c.Context(), lineDelay); err != nil {
					return err
				}
			}
			return cli.Exit(act.code)
		},
	}
	c.Flags().StringVar(&play, "play", "", "which `SCRIPT` to play")
	c.Flags().StringVar(&state, "state", "", "the `FOLDER` that counts its attempts")
	return c
}

// count gives the number of earlier attempts and adds this one.
func count(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return 0, err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n, os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o600)
}

// fill puts times that lie ahead into a line: {{epoch}} is the reset as the
// agent's events state it, {{clock}} as its text does.
func fill(line string, now time.Time) string {
	reset := now.Add(2*time.Hour + 17*time.Minute).UTC().Truncate(time.Minute)
	return strings.NewReplacer(
		"{{epoch}}", strconv.FormatInt(reset.Unix(), 10),
		"{{clock}}", strings.ToLower(reset.Format("3:04pm"))+" (UTC)",
	).Replace(line)
}
