package adapter

import (
	"errors"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
)

var errNoPrompt = errors.New("where the prompt is in this command line is not known, so that nothing can be put before it: run the command yourself with a prompt that says what was done")

// fresh puts the instruction before the prompt of the agents that take it as
// the value of one option or as the word after "run". What would go on in an
// older session is refused: that is no fresh start.
func fresh(kind string, command []string, instruction string) (launch.Command, error) {
	var at int
	switch kind {
	case "gemini":
		at = 1 + slices.IndexFunc(command, func(w string) bool { return w == "-p" || w == "--prompt" })
	case "opencode":
		if len(command) == 3 && command[1] == "run" {
			at = 2
		}
	}
	resumes := slices.ContainsFunc(command, func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return slices.Contains([]string{"-r", "--resume", "-s", "--session", "-c", "--continue"}, name)
	})
	if at == 0 || at >= len(command) || resumes || strings.HasPrefix(command[at], "-") {
		return launch.Command{}, errNoPrompt
	}
	out := slices.Clone(command)
	out[at] = instruction + out[at]
	return launch.Command{Argv: out, Stdin: true}, nil
}
