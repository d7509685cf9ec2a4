// Package codex knows how Codex is launched, adapted to structured output, and
// made to resume its own thread.
package codex

import (
	"errors"
	"slices"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
)

// Recipe is one command line of Codex.
type Recipe struct {
	program string
	words   []argv.Word
	exec    int // index of the word "exec", -1 if the command is another one
	adapted bool
}

// New reads a command line, program first.
func New(command []string) *Recipe {
	r := &Recipe{program: command[0], words: argv.Scan(command[1:], options), exec: -1}
	first := slices.IndexFunc(r.words, argv.Word.Positional)
	if first >= 0 && (r.words[first].Text == "exec" || r.words[first].Text == "e") {
		r.exec = first
		// Scanned on its own: the word "exec" must not pass for the prompt.
		r.words = append(r.words[:first+1:first+1], argv.Scan(command[first+2:], options)...)
	}
	return r
}

// Adapt makes "codex exec" print its events, unless its caller asked for them.
func (r *Recipe) Adapt() bool {
	if r.exec < 0 || argv.Has(r.words, "--json", "--experimental-json", "--version", "--help", "-h", "-V") {
		return false
	}
	r.adapted = true
	return true
}

// Shape is the command line without any value.
func (r *Recipe) Shape() []string {
	shape := argv.Shape(r.program, r.words)
	if r.exec >= 0 {
		shape = slices.Insert(shape, 1, "exec")
	}
	return shape[:min(len(shape), argv.MaxShapeWords)]
}

// Prompt is the command line that delivers the prompt.
func (r *Recipe) Prompt(launch.Request) launch.Command {
	texts := argv.Texts(r.words)
	if r.adapted {
		texts = slices.Insert(texts, r.exec+1, "--json")
	}
	return launch.Command{Argv: append([]string{r.program}, texts...), Stdin: true}
}

// Fresh is the command line that sends an instruction and then the prompt into a
// new thread. The prompt is its one word, or all of standard input.
func (r *Recipe) Fresh(instruction string, _ func() string) (launch.Command, error) {
	if r.exec < 0 {
		return launch.Command{}, errors.New("only the prompt of codex exec can have an instruction put before it")
	}
	rest := r.words[r.exec+1:]
	if i := slices.IndexFunc(rest, argv.Word.Positional); i >= 0 && slices.Contains([]string{"resume", "review"}, rest[i].Text) {
		return launch.Command{}, errors.New("this command line goes on with an older thread or has no prompt: it cannot start fresh")
	}
	one := Recipe{program: r.program, exec: r.exec, adapted: r.adapted, words: r.words}
	last := argv.Positionals(rest) == 1 && rest[len(rest)-1].Text == "-"
	if argv.Positionals(rest) == 0 || last {
		command := one.Prompt(launch.Request{})
		command.Before = instruction
		return command, nil
	}
	words, ok := argv.Prefix(rest, instruction)
	if !ok {
		return launch.Command{}, errors.New("which word of this command line is the prompt is not certain, so that nothing can be put before it")
	}
	one.words = append(r.words[:r.exec+1:r.exec+1], words...)
	return one.Prompt(launch.Request{}), nil
}

// Resume is the command line that sends an instruction into an existing
// thread; false when this command line keeps none.
func (r *Recipe) Resume(thread, instruction string) (launch.Command, bool) {
	if thread == "" || r.exec < 0 || argv.Has(r.words, "--ephemeral") {
		return launch.Command{}, false
	}
	before := argv.WithoutPositionals(r.words[:r.exec])
	after := argv.WithoutPositionals(argv.Without(r.words[r.exec+1:], "--last", "--all", "-i", "--image"))
	command := append([]string{r.program}, argv.Texts(before)...)
	command = append(command, "exec")
	if r.adapted {
		command = append(command, "--json")
	}
	command = append(command, argv.Texts(after)...)
	return launch.Command{Argv: append(command, "resume", thread, instruction)}, true
}
