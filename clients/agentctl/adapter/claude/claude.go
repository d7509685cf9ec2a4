// Package claude knows how Claude Code is launched, adapted to structured
// output, and made to resume its own session.
package claude

import (
	"errors"
	"slices"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
)

// Recipe is one command line of Claude Code.
type Recipe struct {
	program string
	words   []argv.Word
	adapted bool
}

// New reads a command line, program first.
func New(command []string) *Recipe {
	return &Recipe{program: command[0], words: argv.Scan(command[1:], options)}
}

// Adapt makes the command print its events, unless it is not in print mode or
// its caller named an output format.
func (r *Recipe) Adapt() bool {
	if !argv.Has(r.words, "-p", "--print") || argv.Has(r.words, "--output-format", "--input-format", "--json-schema", "--version", "--help") {
		return false
	}
	r.adapted = true
	return true
}

// Shape is the command line without any value.
func (r *Recipe) Shape() []string { return argv.Shape(r.program, r.words) }

// Prompt is the command line that delivers the prompt. Each attempt gets a
// session of its own: Claude Code refuses an id that is in use. A session that
// the caller named is resumed instead once it exists.
func (r *Recipe) Prompt(request launch.Request) launch.Command {
	words := r.words
	var added []string
	if r.adapted {
		added = []string{"--output-format", "stream-json"}
		if !argv.Has(words, "--verbose") {
			added = append(added, "--verbose")
		}
		if !argv.Has(words, "--session-id", "-r", "--resume", "-c", "--continue") {
			added = append(added, "--session-id", request.NewID())
		}
	}
	if own, named := argv.Find(words, "--session-id"); named && request.Retry > 0 && request.Session == own {
		words = argv.Without(words, "--session-id")
		added = append(added, "--resume", own)
	}
	return launch.Command{Argv: r.assemble(words, added), Stdin: true}
}

// Resume is the command line that sends an instruction into an existing
// session; false when this command line keeps no session, or when more than
// the prompt belongs to no option: a wrapper may need the rest to find the agent.
func (r *Recipe) Resume(session, instruction string) (launch.Command, bool) {
	if session == "" || argv.Has(r.words, "--no-session-persistence") || argv.Positionals(r.words) > 1 {
		return launch.Command{}, false
	}
	words := argv.Without(argv.WithoutPositionals(r.words),
		"-p", "--print", "-c", "--continue", "-r", "--resume", "--session-id", "--fork-session", "--from-pr",
		"--input-format", "--replay-user-messages", "-w", "--worktree", "--tmux")
	command := append([]string{r.program}, argv.Texts(words)...)
	if r.adapted {
		command = append(command, "--output-format", "stream-json")
		if !argv.Has(words, "--verbose") {
			command = append(command, "--verbose")
		}
	}
	return launch.Command{Argv: append(command, "--resume", session, "-p", instruction)}, true
}

// Fresh is the command line that sends an instruction and then the prompt into a
// new session. The prompt is its one word, or all of standard input.
func (r *Recipe) Fresh(instruction string, newID func() string) (launch.Command, error) {
	if !argv.Has(r.words, "-p", "--print") || argv.Has(r.words, "--input-format", "--from-pr") {
		return launch.Command{}, errors.New("only a prompt of claude -p, in its one word or as text on standard input, can have an instruction put before it")
	}
	one := Recipe{program: r.program, adapted: r.adapted}
	one.words = argv.Without(r.words, "-c", "--continue", "-r", "--resume", "--session-id", "--fork-session")
	before := ""
	if argv.Positionals(one.words) == 0 {
		before = instruction
	} else {
		words, ok := argv.Prefix(one.words, instruction)
		if !ok {
			return launch.Command{}, errors.New("which word of this command line is the prompt is not certain, so that nothing can be put before it")
		}
		one.words = words
	}
	command := one.Prompt(launch.Request{NewID: newID})
	command.Before = before
	return command, nil
}

// assemble puts the added options where no option with many values can take
// them for its own, and before a "--".
func (r *Recipe) assemble(words []argv.Word, added []string) []string {
	texts := argv.Texts(words)
	if i := slices.IndexFunc(words, func(w argv.Word) bool { return w.Option == "--" }); i >= 0 {
		texts = slices.Insert(texts, i, added...)
	} else {
		texts = append(texts, added...)
	}
	return append([]string{r.program}, texts...)
}
