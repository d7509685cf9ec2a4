package dialect_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the states that the parsers give into testdata; review the difference")

// TestTranscripts replays every transcript of testdata. A transcript's first
// line names agent and mode. Each further line is what happened: "out " and
// "err " a printed line, "in " and "to " a frame from and to the agent, "exit "
// the end. Below the ruler stands the state that must come out.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(path, "testdata/"), ".txt"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			script, want, _ := strings.Cut(string(raw), "====\n")
			state := replay(t, script)
			got := render(state)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(script+"====\n"+got), 0o600))
				return
			}
			assert.Equal(t, want, got)
		})
	}
}

// replay runs a script.
func replay(t *testing.T, script string) dialect.State {
	t.Helper()
	head, body, _ := strings.Cut(script, "\n")
	kind, mode, _ := strings.Cut(head, " ")
	p := dialect.For(kind, dialect.Mode(mode))
	for line := range strings.Lines(body) {
		verb, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "out":
			p.Stdout([]byte(text))
		case "err":
			p.Stderr([]byte(text))
		case "in":
			p.ACP(dialect.Received, []byte(text))
		case "to":
			p.ACP(dialect.Sent, []byte(text))
		case "exit":
			p.Exit(exitOf(t, text))
		case "#", "":
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	return p.State()
}

// exitOf reads "1", "SIGTERM by supervisor" or "spawn ENOENT".
func exitOf(t *testing.T, text string) evidence.Exit {
	t.Helper()
	what, by, _ := strings.Cut(text, " by ")
	x := evidence.Exit{EndedBy: by}
	if reason, ok := strings.CutPrefix(what, "spawn "); ok {
		x.SpawnError = reason
	} else if strings.HasPrefix(what, "SIG") {
		x.Signal = what
	} else {
		code, err := strconv.Atoi(what)
		require.NoError(t, err)
		x.Code = code
	}
	return x
}

// render writes a state so that a difference reads well; what is zero is left out.
func render(s dialect.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "phase %s, assistant %s, tool %s, partial %s\n", or(string(s.Phase), "unknown"),
		or(string(s.Effects.AssistantOutput), "unknown"), or(string(s.Effects.ToolActivity), "unknown"), or(string(s.Effects.PartialResult), "unknown"))
	for _, flag := range []struct {
		name string
		set  bool
	}{{"succeeded", s.Succeeded}, {"failed", s.Failed}, {"retrying", s.Retrying}} {
		if flag.set {
			b.WriteString(flag.name + "\n")
		}
	}
	for _, field := range []struct{ name, value string }{
		{"retry cause", s.RetryCause},
		{"session", s.NativeSessionID},
		{"model", s.Model},
		{"provider", s.Provider},
		{"version", s.AgentVersion},
		{"final", strings.ReplaceAll(s.FinalText, "\n", "⏎")},
	} {
		if field.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", field.name, field.value)
		}
	}
	if s.RetryAfter != 0 {
		fmt.Fprintf(&b, "retry after: %s\n", s.RetryAfter)
	}
	if s.CostUSD != 0 {
		fmt.Fprintf(&b, "cost: %g USD\n", s.CostUSD)
	}
	for _, signal := range s.Signals {
		b.WriteString(renderSignal(signal))
	}
	return b.String()
}

func renderSignal(s evidence.Signal) string {
	parts := []string{"-", string(s.Kind)}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"in-flight", s.InFlight}, {"prose", s.Prose}, {"foreign", s.Foreign}} {
		if flag.set {
			parts = append(parts, "("+flag.name+")")
		}
	}
	for _, text := range []string{s.Event, s.ExitSignal} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"status", s.Status}, {"code", s.Code}, {"cut", s.CutBytes}} {
		if n.value != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", n.name, n.value))
		}
	}
	if s.ExitCode != nil {
		parts = append(parts, fmt.Sprintf("exit=%d", *s.ExitCode))
	}
	if s.EndedBy != "" {
		parts = append(parts, "by="+s.EndedBy)
	}
	if len(s.Headers) > 0 {
		parts = append(parts, fmt.Sprint(s.Headers))
	}
	line := strings.Join(parts, " ") + "\n"
	for _, text := range []string{s.Text, s.Data} {
		if text != "" {
			line += "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
		}
	}
	return line
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
