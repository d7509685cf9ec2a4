package claude_test

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/claude"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
)

func request(retry int, session string) launch.Request {
	return launch.Request{Retry: retry, Session: session, NewID: func() string { return "FRESH" }}
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, line, want string
		request          launch.Request
	}{
		{"print mode is adapted", "./claude|-p|hello", "./claude|-p|hello|--output-format|stream-json|--verbose|--session-id|FRESH", request(0, "")},
		{"verbose is not doubled", "claude|-p|hello|--verbose", "claude|-p|hello|--verbose|--output-format|stream-json|--session-id|FRESH", request(0, "")},
		{"a named format stays", "claude|-p|hello|--output-format=text", "claude|-p|hello|--output-format=text", request(0, "")},
		{"the TUI stays", "claude|hello", "claude|hello", request(0, "")},
		{"a resumed session proposes no id", "claude|--resume|S|-p|hello", "claude|--resume|S|-p|hello|--output-format|stream-json|--verbose", request(0, "")},
		{"added before a double dash", "claude|-p|--|hello", "claude|-p|--output-format|stream-json|--verbose|--session-id|FRESH|--|hello", request(0, "")},
		{"each attempt has its own session", "claude|-p|hello", "claude|-p|hello|--output-format|stream-json|--verbose|--session-id|FRESH", request(2, "OLD")},
		{"the caller's session is kept at first", "claude|-p|hello|--session-id|S", "claude|-p|hello|--session-id|S|--output-format|stream-json|--verbose", request(0, "")},
		{"and resumed once it exists", "claude|-p|hello|--session-id|S", "claude|-p|hello|--output-format|stream-json|--verbose|--resume|S", request(1, "S")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			recipe := claude.New(strings.Split(c.line, "|"))
			recipe.Adapt()
			got := recipe.Prompt(c.request)
			if joined := strings.Join(got.Argv, "|"); joined != c.want {
				t.Errorf("got  %s\nwant %s", joined, c.want)
			}
			if !got.Stdin {
				t.Error("a prompt may be on standard input")
			}
		})
	}
}

func TestResumeSendsTheInstructionAndNeverThePrompt(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, line, want string }{
		{"prompt replaced", "./claude|-p|hello", "./claude|--output-format|stream-json|--verbose|--resume|S|-p|GO ON"},
		{"options kept", "claude|--model|opus|-p|hello|--allowedTools|Bash|Edit", "claude|--model|opus|--allowedTools|Bash|Edit|--output-format|stream-json|--verbose|--resume|S|-p|GO ON"},
		{"older session replaced", "claude|--resume|OLD|--fork-session|-p|hello", "claude|--output-format|stream-json|--verbose|--resume|S|-p|GO ON"},
		{"a named format stays", "claude|-p|hello|--output-format|json", "claude|--output-format|json|--resume|S|-p|GO ON"},
		{"messages on stdin replaced", "claude|-p|--input-format|stream-json|--output-format|stream-json", "claude|--output-format|stream-json|--resume|S|-p|GO ON"},
		{"prompt after a double dash", "claude|-p|--|--hello", "claude|--output-format|stream-json|--verbose|--resume|S|-p|GO ON"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			recipe := claude.New(strings.Split(c.line, "|"))
			recipe.Adapt()
			got, ok := recipe.Resume("S", "GO ON")
			if joined := strings.Join(got.Argv, "|"); !ok || joined != c.want {
				t.Errorf("got  %s (%v)\nwant %s", joined, ok, c.want)
			}
			if got.Stdin {
				t.Error("the caller's standard input is sent again")
			}
		})
	}
}

func TestResumeNeedsASessionThatIsKept(t *testing.T) {
	t.Parallel()
	if _, ok := claude.New([]string{"claude", "-p", "hello"}).Resume("", "GO ON"); ok {
		t.Error("resumes without a session")
	}
	if _, ok := claude.New([]string{"claude", "-p", "hello", "--no-session-persistence"}).Resume("S", "GO ON"); ok {
		t.Error("resumes a session that is not saved")
	}
}
