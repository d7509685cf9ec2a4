package adapter_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

func TestPlans(t *testing.T) {
	t.Parallel()
	cases := []struct {
		line       string
		options    adapter.Options
		kind       string
		mode       dialect.Mode
		adapted    bool
		structured bool
		resumable  bool
	}{
		{"claude -p hi", adapter.Options{}, "claude", dialect.StreamJSON, true, true, true},
		{"/opt/bin/claude -p hi", adapter.Options{}, "claude", dialect.StreamJSON, true, true, true},
		{"claude -p hi", adapter.Options{Verbatim: true}, "claude", dialect.Text, false, false, true},
		{"claude -p hi --output-format stream-json --verbose", adapter.Options{}, "claude", dialect.StreamJSON, false, true, true},
		{"claude -p hi --output-format json", adapter.Options{}, "claude", dialect.JSON, false, true, true},
		{"claude -p hi --no-session-persistence", adapter.Options{}, "claude", dialect.StreamJSON, true, true, false},
		{"codex exec hi", adapter.Options{}, "codex", dialect.JSON, true, true, true},
		{"codex exec --json hi", adapter.Options{}, "codex", dialect.JSON, false, true, true},
		{"my-wrapper -p hi", adapter.Options{Agent: "claude"}, "claude", dialect.StreamJSON, true, true, true},
		{"npx -y @anthropic-ai/claude-code@2.1.328 -p hi", adapter.Options{}, "claude", dialect.StreamJSON, true, true, true},
		{"some-runner image -p hi", adapter.Options{Agent: "claude"}, "claude", dialect.StreamJSON, true, true, false},
		{"/usr/bin/Make test", adapter.Options{}, "make", dialect.Text, false, false, false},
		{"make test", adapter.Options{Agent: "house-agent"}, "house-agent", dialect.Text, false, false, false},
	}
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			p := adapter.New(strings.Fields(c.line), c.options)
			require.Equal(t, c.kind, p.Kind)
			require.Equal(t, c.mode, p.Mode)
			require.Equal(t, c.adapted, p.Adapted, "adapted")
			require.Equal(t, c.structured, p.Structured(), "structured")
			require.Equal(t, c.resumable, p.Resumable(), "resumable")
		})
	}
}

// Without its launcher a resume would run another program: "npx -p" installs.
func TestALauncherStaysBeforeTheAgent(t *testing.T) {
	t.Parallel()
	cases := []struct{ line, prompt, resume string }{
		{
			"env KEY=v claude -p hi",
			"env KEY=v claude -p hi --output-format stream-json --verbose --session-id S",
			"env KEY=v claude --output-format stream-json --verbose --resume S -p GO",
		},
		{
			"npx -y @anthropic-ai/claude-code -p hi",
			"npx -y @anthropic-ai/claude-code -p hi --output-format stream-json --verbose --session-id S",
			"npx -y @anthropic-ai/claude-code --output-format stream-json --verbose --resume S -p GO",
		},
		{"npx @openai/codex exec hi", "npx @openai/codex exec --json hi", "npx @openai/codex exec --json resume S GO"},
		{"codex exec hi", "codex exec --json hi", "codex exec --json resume S GO"},
	}
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			p := adapter.New(strings.Fields(c.line), adapter.Options{})
			sent := p.Prompt(launch.Request{NewID: func() string { return "S" }})
			require.Equal(t, strings.Fields(c.prompt), sent.Argv)
			resumed, ok := p.Resume("S", "GO")
			require.True(t, ok)
			require.Equal(t, strings.Fields(c.resume), resumed.Argv)
		})
	}
}

func TestAPlainCommandIsRunAsItIs(t *testing.T) {
	t.Parallel()
	p := adapter.New([]string{"make", "test", "KEY=secret", "-j4"}, adapter.Options{})
	require.Equal(t, launch.Command{Argv: []string{"make", "test", "KEY=secret", "-j4"}, Stdin: true}, p.Prompt(launch.Request{}))
	require.Equal(t, []string{"make", "-j"}, p.Shape())
	_, ok := p.Resume("s", "go on")
	require.False(t, ok)
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for text, event := range map[string]bool{
		`{"type":"result","is_error":false}`:                    true,
		`  {"a":1,"type":"x"}  `:                                true,
		`{"type":"assistant","message":{"content":[{"type":"te`: true, // cut
		`{"type":"a"}{"type":"rate_limit_event"}`:               true, // glued
		`{"name":"a JSON document that somebody asked for"}`:    false,
		`{"type":7}`:                            false,
		`plain text`:                            false,
		`{`:                                     false,
		``:                                      false,
		`func main() { fmt.Println("type") }`:   false,
		`I would write {"type":"result"} there`: false,
	} {
		require.Equal(t, event, adapter.Event([]byte(text)), "%s", text)
	}
}

func TestRenderingPassesTextOnAndSwallowsEvents(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	r := adapter.New([]string{"codex", "exec", "hi"}, adapter.Options{}).Renderer(&out, &err)
	r.Stdout([]byte(`{"type":"item.started","item":{"type":"command_execution","command":"ls \u001b[31m\n/tmp"}}`), false)
	r.Stdout([]byte("a banner"), false)
	r.Stdout([]byte(`{"type":"item.completed","item":{"type":"command_execution","command":"false","exit_code":1}}`), false)
	r.Stdout([]byte(`{"type":"item.completed","item":{"type":"agent_message","text":"not twice"}}`), false)
	r.Stdout([]byte("a torn end"), true)
	require.Equal(t, "a banner\na torn end", out.String())
	require.Equal(t, "exec ls  [31m /tmp\nexited 1: false\n", err.String())
}

func TestVersionIsFoundWithoutRunningScripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
		return path
	}
	script := write("bin/wrapper", "#!/bin/sh\ntouch "+filepath.Join(dir, "ran")+"\necho 9.9.9\n")
	packaged := write("node_modules/agent/bin/cli.js", "#!/usr/bin/env node\n")
	write("node_modules/agent/package.json", `{"name":"agent","version":"2.1.330","bin":{"agent":"bin/cli.js"}}`)
	versioned := write("versions/2.1.400", "\x7fELF")
	link := filepath.Join(dir, "claude")
	require.NoError(t, os.Symlink(versioned, link))
	for path, want := range map[string]string{script: "", packaged: "2.1.330", link: "2.1.400", filepath.Join(dir, "missing"): ""} {
		require.Equal(t, want, adapter.Version(context.Background(), path), path)
	}
	require.NoFileExists(t, filepath.Join(dir, "ran"), "a wrapper was run to ask its version")
}

func TestAnAssumedVersionSaysSo(t *testing.T) {
	t.Parallel()
	require.Contains(t, adapter.AssumedVersion("claude"), "(assumed)")
	require.Contains(t, adapter.AssumedVersion("codex"), "(assumed)")
	require.Empty(t, adapter.AssumedVersion("opencode"), "its resume is not proven on any version")
	require.Empty(t, adapter.AssumedVersion(""))
}
