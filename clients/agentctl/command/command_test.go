package command_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
)

// walk visits every command that does something.
func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, child := range c.Commands() {
		walk(child, visit)
	}
}

func TestEveryCommandHasAnExampleThatParses(t *testing.T) {
	t.Parallel()
	examples := 0
	walk(command.Root(newCall(t, "").inv), func(c *cobra.Command) {
		if !c.Runnable() {
			return
		}
		require.NotEmpty(t, c.Short, c.CommandPath())
		require.Contains(t, c.Example, c.CommandPath(), "%s has no example of its own", c.CommandPath())
		for _, line := range strings.Split(c.Example, "\n") {
			_, after, found := strings.Cut(strings.TrimSpace(line), "agentctl ")
			require.True(t, found, "an example of %s does not call agentctl: %s", c.CommandPath(), line)
			words := shellWords(after)
			// A tree of its own: flags keep what they were given.
			target, rest, err := command.Root(newCall(t, "").inv).Find(words)
			require.NoError(t, err, line)
			require.NoError(t, target.ParseFlags(rest), line)
			require.NoError(t, target.ValidateArgs(target.Flags().Args()), line)
			examples++
		}
	})
	require.Greater(t, examples, 20)
}

// shellWords splits an example; it knows quotes, and ends at what the shell
// does with the result.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for _, r := range line + " " {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ' ' && !quoted:
			if w := word.String(); w == "||" || w == "|" || w == ">" {
				return words
			} else if w != "" {
				words = append(words, w)
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	return words
}

func TestNamesThatAreNearlyRightAreAnswered(t *testing.T) {
	t.Parallel()
	cases := []struct {
		args []string
		says string
	}{
		{[]string{"wakeup"}, "did you mean: wakeups"},
		{[]string{"clasify"}, "did you mean: classify"},
		{[]string{"wakeups", "lst"}, "did you mean: list"},
		{[]string{"frobnicate"}, `unknown command "frobnicate" for "agentctl"`},
		{[]string{"wakeups", "get"}, "accepts 1 arg"},
		{[]string{"run", "--no-such-flag"}, "unknown flag"},
		{[]string{"version", "-o", "yaml"}, "must be table or json"},
		{[]string{"wakeups", "list", "--status", "sleeping"}, "there is no status"},
		{[]string{"wakeups", "list", "--limit", "0"}, "between 1 and"},
		{[]string{"demo", "--scenario", "nothing"}, "there is no scenario"},
		{[]string{"demo", "--speed", "0"}, "--speed"},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			r := run(t, "", c.args...).want(t, cli.Usage)
			require.Contains(t, r.err.String(), c.says)
			require.Empty(t, r.out.String(), "stdout is data only")
		})
	}
}

func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	text := run(t, "", "help", "exit-codes").want(t, cli.OK).out.String()
	for _, c := range cli.ExitCodes() {
		require.Contains(t, text, strconv.Itoa(c.Code)+"  "+c.Meaning)
	}
	require.Contains(t, run(t, "", "help", "environment").want(t, cli.OK).out.String(), "AGENTCTL_SERVER")
}

func TestCommandsThatNeedAServerSaySo(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"runs", "list"}, {"events", "watch"}, {"tokens", "list"}, {"open"}, {"classify", "--server"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			r := run(t, "some text", args...).want(t, cli.Unreachable)
			require.Contains(t, r.err.String(), "no server is configured")
			gone := newCall(t, "some text", "AGENTCTL_SERVER=http://127.0.0.1:1", "AGENTCTL_TOKEN=x").run(t, args...).want(t, cli.Unreachable)
			require.Contains(t, gone.err.String(), "cannot be reached")
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	require.True(t, strings.HasPrefix(run(t, "", "version").want(t, cli.OK).out.String(), "agentctl 1.2.3 (go1."))
	v := run(t, "", "version", "-o", "json").want(t, cli.OK).object(t)
	require.Equal(t, "1.2.3", v["client"])
	require.NotEmpty(t, v["catalogueDigest"])
	require.NotContains(t, v, "server")
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		require.Contains(t, run(t, "", "completion", shell).want(t, cli.OK).out.String(), "agentctl", shell)
	}
}

func TestNothingToTellAbout(t *testing.T) {
	t.Parallel()
	require.Contains(t, run(t, "", "why").want(t, cli.NotFound).err.String(), "nothing to tell about")
	run(t, "", "why", "no-such-id").want(t, cli.Unreachable)
	run(t, "", "wakeups", "get", "no-such-id").want(t, cli.NotFound)
	require.Equal(t, "WAKEUP  STATUS  AGENT  CODE  RUNS  DUE  CHANGED\n", run(t, "", "wakeups", "list").want(t, cli.OK).out.String())
	require.Empty(t, run(t, "", "wakeups", "list", "-o", "json").want(t, cli.OK).out.String())
}
