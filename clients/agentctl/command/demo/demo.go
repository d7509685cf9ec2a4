// Package demo is the command that plays recorded failures through a scripted
// agent, so that a newcomer sees what happens to each.
package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command/run"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
)

// scene is one failure and what comes of it.
type scene struct {
	name  string
	about string
	agent string   // the program that is played
	args  []string // of that program
	flags []string // of agentctl run
	play  string
	ends  int // the exit code that it must end with
	then  string
}

var scenes = []scene{
	{
		name: "overload", play: "overload", agent: "claude", args: []string{"-p", "mend the failing test"},
		about: "The provider is overloaded. The agent's events prove that it did nothing, so the same prompt is sent again.",
		then:  "It succeeded, and nobody was asked.",
	},
	{
		name: "throttle", play: "throttle", agent: "codex", args: []string{"exec", "port the parser"},
		about: "A short throttle says \"try again in 3s\": that is the least; the policy's first delay, 5 s, is longer.",
		then:  "It succeeded, after no less than the stated wait.",
	},
	{
		name: "limit", play: "limit", agent: "claude", args: []string{"-p", "write the release notes"}, ends: 1,
		about: "The five-hour limit is used up. Waiting that long needs your consent, so it stops.",
		then:  "Three lines: the cause, until when and who said so, and the exact next command.",
	},
	{
		name: "auth", play: "auth", agent: "claude", args: []string{"-p", "review the change"}, ends: 1,
		about: "The key is refused. No retry mends that.",
		then:  "It stopped at once and named the key to mend.",
	},
	{
		name: "tool", play: "tool", agent: "claude", args: []string{"-p", "run the tests and mend them"},
		about: "It fails after a tool has run. The prompt is never sent again; the agent resumes its own session.",
		then:  "The session went on with the continue instruction.",
	},
	{
		name: "unknown", play: "unknown", agent: "claude", args: []string{"-p", "run the tests"}, flags: []string{"--no-adapt"}, ends: 1,
		about: "The same failure as plain text: nobody can see whether a tool ran.",
		then:  "It stopped rather than do something twice, and said what would make it repeatable.",
	},
	{
		name: "prose", play: "prose", agent: "claude", args: []string{"-p", "test the rate limiter"},
		about: "An answer mentions 429 and a rate limit. That is text, not a failure.",
		then:  "Nothing happened to it.",
	},
}

type options struct {
	only    []string
	speed   float64
	offline bool
}

// Command is agentctl demo.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch failures being named, retried, resumed and stopped",
		Long: `Plays failures as real agents print them through a scripted agent, under the real
supervisor with its real delays. With a server you see them in its pages too;
without one everything happens on this host. Nothing is sent to any provider.`,
		Example: `  agentctl demo
  agentctl demo --scenario overload,tool
  agentctl demo --offline --speed 10`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), inv, *server) },
	}
	c.Flags().StringSliceVar(&o.only, "scenario", nil, "only these `NAMES`: "+strings.Join(names(), ", "))
	c.Flags().Float64Var(&o.speed, "speed", 1, "let waits pass `N` times as fast; only offline, a server has its own clock")
	c.Flags().BoolVar(&o.offline, "offline", false, "ask no server")
	return c
}

func names() []string {
	var out []string
	for _, s := range scenes {
		out = append(out, s.name)
	}
	return out
}

const maxSpeed = 1000

func (o *options) run(ctx context.Context, inv *cli.Invocation, server connection.Flags) error {
	chosen, err := o.choose()
	if err != nil {
		return err
	}
	if o.speed < 1 || o.speed > maxSpeed {
		return cli.Failf(cli.Usage, "--speed must be between 1 and %d", maxSpeed)
	}
	folder, err := os.MkdirTemp("", "agentctl-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	stage := o.stage(ctx, inv, &server, folder)
	surprises := 0
	for i, s := range chosen {
		fmt.Fprintf(inv.Err, "\n[%d/%d] %s: %s\n", i+1, len(chosen), s.name, s.about)
		fmt.Fprintf(inv.Err, "$ agentctl run %s-- %s %s\n", flagText(s.flags), s.agent, quoted(s.args))
		code := o.perform(ctx, stage, server, folder, s)
		if code != s.ends {
			surprises++
			fmt.Fprintf(inv.Err, "      unexpected: it ended with %d instead of %d\n", code, s.ends)
			continue
		}
		fmt.Fprintf(inv.Err, "      %s\n", s.then)
		if code != 0 {
			fmt.Fprintf(inv.Err, "      (exit code %d, the agent's own)\n", code)
		}
	}
	if surprises > 0 {
		return cli.Failf(cli.General, "%d of %d scenarios ended otherwise than they should", surprises, len(chosen))
	}
	return nil
}

func (o *options) choose() ([]scene, error) {
	if len(o.only) == 0 {
		return scenes, nil
	}
	var chosen []scene
	for _, name := range o.only {
		found := false
		for _, s := range scenes {
			if s.name == name {
				chosen, found = append(chosen, s), true
			}
		}
		if !found {
			return nil, cli.Failf(cli.Usage, "there is no scenario %q: use %s", name, strings.Join(names(), ", "))
		}
	}
	return chosen, nil
}

// stage is the invocation under which the scenes run: a journal of its own,
// and offline a clock that may be faster.
func (o *options) stage(ctx context.Context, inv *cli.Invocation, server *connection.Flags, folder string) *cli.Invocation {
	stage := *inv
	stage.In, stage.InTTY = strings.NewReader(""), false
	stage.Environ = append(append([]string(nil), inv.Environ...), "XDG_STATE_HOME="+folder)
	stage.Dir = folder
	server.Offline = o.offline || !reachable(ctx, inv, *server)
	switch {
	case !server.Offline:
		fmt.Fprintln(inv.Err, "Playing against the configured server: see its pages with agentctl open.")
		if o.speed > 1 {
			fmt.Fprintln(inv.Err, "A server keeps its own time, so --speed is not used.")
		}
	default:
		fmt.Fprintln(inv.Err, "Playing on this host alone; no server is asked. The ids are those of the demonstration and end with it.")
		if o.speed > 1 {
			stage.Clock = newFastClock(o.speed, inv.Clock)
		}
	}
	return &stage
}

const reachTimeout = 2 * time.Second

func reachable(ctx context.Context, inv *cli.Invocation, flags connection.Flags) bool {
	api, err := connection.Require(inv, flags)
	if err != nil {
		return false
	}
	defer api.Close()
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	return api.Check(ctx) == nil
}

// perform runs one scene and gives its exit code.
func (o *options) perform(ctx context.Context, stage *cli.Invocation, server connection.Flags, folder string, s scene) int {
	program, err := costume(stage.Self, folder, s)
	if err != nil {
		fmt.Fprintf(stage.Err, "agentctl: %v\n", err)
		return cli.General
	}
	command := run.Command(stage, &server)
	command.SilenceErrors, command.SilenceUsage = true, true
	args := append([]string(nil), s.flags...)
	if server.Offline {
		args = append(args, "--offline")
	}
	command.SetArgs(append(append(args, "--", program), s.args...))
	err = command.ExecuteContext(ctx)
	if code := cli.Code(err); err == nil || code != cli.General {
		return code
	}
	return cli.Code(err)
}

// costume makes a program of the agent's name that plays the scene.
func costume(self, folder string, s scene) (string, error) {
	home := filepath.Join(folder, s.name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	program := filepath.Join(home, s.agent)
	text := fmt.Sprintf("#!/bin/sh\nexec %s demo-agent --play %s --state %s -- \"$@\"\n", shellWord(self), s.play, shellWord(home))
	return program, child.WriteProgram(program, text)
}

func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func flagText(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	return strings.Join(flags, " ") + " "
}

func quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.ContainsAny(a, " ") {
			out[i] = `"` + a + `"`
		}
	}
	return strings.Join(out, " ")
}
