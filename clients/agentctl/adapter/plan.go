// Package adapter knows how the agent CLIs are launched: which structured
// output each can be asked for, how its own resume is called, and what its text
// mode would have printed.
package adapter

import (
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/claude"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/codex"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// recipe is what one agent's package must know.
type recipe interface {
	// Adapt asks for structured output where the caller asked for no format.
	Adapt() bool
	// Shape is the command line without any value.
	Shape() []string
	Prompt(launch.Request) launch.Command
	Resume(session, instruction string) (launch.Command, bool)
	Fresh(instruction string, newID func() string) (launch.Command, error)
}

// Plan is how one command line is run, and run again.
type Plan struct {
	// Kind is the agent, as "claude"; of a command that is no known agent, the
	// name of its program, so that nothing is held against a provider that it
	// may never have called.
	Kind string
	// Mode is the shape of what the child will print.
	Mode dialect.Mode
	// Adapted says that the child prints events that its caller did not ask for.
	Adapted bool
	recipe  recipe
	// launcher is what stands before the program of an agent, as "npx".
	launcher []string
}

// Options of New.
type Options struct {
	// Agent overrides what the program's name says; "" detects it.
	Agent string
	// Verbatim leaves the command line as it is.
	Verbatim bool
}

// New plans a command line, program first.
func New(command []string, o Options) Plan {
	kind, mode := dialect.DetectAgent(command)
	if o.Agent != "" && o.Agent != kind {
		// The options are still those of the named agent: let it see its own name.
		kind, mode = dialect.DetectAgent(append([]string{o.Agent}, command[1:]...))
		if kind == "" {
			kind = o.Agent
		}
	}
	lead := dialect.Launcher(command)
	p := Plan{Kind: kind, Mode: mode, recipe: recipeOf(kind, command[lead:]), launcher: command[:lead:lead]}
	if p.Kind == "" {
		p.Kind = label(command[0])
	}
	if !o.Verbatim && p.recipe.Adapt() {
		p.Adapted = true
		p.Mode = structuredMode(kind)
	}
	return p
}

// maxLabel is the longest name of an agent in bytes.
const maxLabel = 64

// label makes a safe name of a program's.
func label(program string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '_'
	}, argv.Base(program))
	return name[:min(len(name), maxLabel)]
}

func recipeOf(kind string, command []string) recipe {
	switch kind {
	case "claude":
		return claude.New(command)
	case "codex":
		return codex.New(command)
	}
	return plain{kind: kind, command: command}
}

func structuredMode(kind string) dialect.Mode {
	if kind == "claude" {
		return dialect.StreamJSON
	}
	return dialect.JSON
}

// Shape is the command line without any value: it may be stored anywhere.
func (p Plan) Shape() []string { return p.recipe.Shape() }

// Prompt is the command line that delivers the prompt.
func (p Plan) Prompt(r launch.Request) launch.Command { return p.launched(p.recipe.Prompt(r)) }

// Resume is the command line that sends an instruction into the agent's own
// session; false when that is not known to work for this command line.
func (p Plan) Resume(session, instruction string) (launch.Command, bool) {
	command, ok := p.recipe.Resume(session, instruction)
	if !ok {
		return launch.Command{}, false
	}
	return p.launched(command), true
}

// Fresh is the command line that sends the instruction and then the prompt into
// a new session of the agent. The error says why the prompt cannot be found.
func (p Plan) Fresh(instruction string, newID func() string) (launch.Command, error) {
	command, err := p.recipe.Fresh(instruction, newID)
	if err != nil {
		return launch.Command{}, err
	}
	return p.launched(command), nil
}

// launched puts the launcher back: without it another program would run.
func (p Plan) launched(c launch.Command) launch.Command {
	c.Argv = append(p.launcher[:len(p.launcher):len(p.launcher)], c.Argv...)
	return c
}

// Resumable says that a session of this command line can be resumed once the
// agent has named it.
func (p Plan) Resumable() bool {
	_, ok := p.recipe.Resume("00000000-0000-4000-8000-000000000000", "go on")
	return ok
}

// Structured says that the child's output carries a terminal event, so that
// an exit with code 0 alone proves nothing.
func (p Plan) Structured() bool {
	switch p.Kind {
	case "claude", "codex":
		return p.Mode == dialect.StreamJSON || p.Mode == dialect.JSON
	}
	return false
}

// plain is the recipe of a command that is no known agent.
type plain struct {
	kind    string
	command []string
}

func (plain) Adapt() bool { return false }

func (p plain) Shape() []string {
	return argv.Shape(p.command[0], argv.Scan(p.command[1:], nil))
}

func (p plain) Prompt(launch.Request) launch.Command {
	return launch.Command{Argv: p.command, Stdin: true}
}

// Fresh knows the agents whose prompt is the one word of its option.
func (p plain) Fresh(instruction string, _ func() string) (launch.Command, error) {
	return fresh(p.kind, p.command, instruction)
}

func (plain) Resume(string, string) (launch.Command, bool) { return launch.Command{}, false }
