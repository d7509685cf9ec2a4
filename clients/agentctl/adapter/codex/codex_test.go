package codex_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/codex"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
)

func TestPrompt(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, line, want string }{
		{"exec is adapted", "codex|exec|hello", "codex|exec|--json|hello"},
		{"its alias too", "codex|-m|o5|e|hello", "codex|-m|o5|e|--json|hello"},
		{"events that were asked for stay", "codex|exec|--json|hello", "codex|exec|--json|hello"},
		{"the TUI stays", "codex|hello", "codex|hello"},
		{"a prompt named exec is none", "codex|-p|exec", "codex|-p|exec"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			recipe := codex.New(strings.Split(c.line, "|"))
			recipe.Adapt()
			if got := strings.Join(recipe.Prompt(launch.Request{}).Argv, "|"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestResumeSendsTheInstructionAndNeverThePrompt(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, line, want string }{
		{"prompt replaced", "codex|exec|hello", "codex|exec|--json|resume|T|GO ON"},
		{"options kept", "codex|-c|a=b|exec|-s|read-only|--skip-git-repo-check|hello", "codex|-c|a=b|exec|--json|-s|read-only|--skip-git-repo-check|resume|T|GO ON"},
		{"an unknown option keeps its value", "codex|exec|--new|v|hello", "codex|exec|--json|--new|v|resume|T|GO ON"},
		{"an unknown switch before the prompt", "codex|exec|--new|hello", "codex|exec|--json|--new|resume|T|GO ON"},
		{"a resumed thread is replaced", "codex|exec|resume|--last|hello", "codex|exec|--json|resume|T|GO ON"},
		{"events that were asked for stay", "codex|exec|--json|hello", "codex|exec|--json|resume|T|GO ON"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			recipe := codex.New(strings.Split(c.line, "|"))
			recipe.Adapt()
			got, ok := recipe.Resume("T", "GO ON")
			if joined := strings.Join(got.Argv, "|"); !ok || joined != c.want {
				t.Errorf("got  %s (%v)\nwant %s", joined, ok, c.want)
			}
		})
	}
}

func TestResumeNeedsAThreadThatIsKept(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"codex|hello", "codex|exec|--ephemeral|hello"} {
		if _, ok := codex.New(strings.Split(line, "|")).Resume("T", "GO ON"); ok {
			t.Errorf("%s resumes", line)
		}
	}
	if _, ok := codex.New([]string{"codex", "exec", "hello"}).Resume("", "GO ON"); ok {
		t.Error("resumes without a thread")
	}
}

func TestShapeHoldsNoValues(t *testing.T) {
	t.Parallel()
	got := codex.New(strings.Split("codex|-c|a=b|exec|-s|read-only|hello", "|")).Shape()
	if want := []string{"codex", "exec", "-c", "-s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
