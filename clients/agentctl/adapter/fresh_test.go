package adapter_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
)

func TestFreshPutsTheInstructionBeforeThePrompt(t *testing.T) {
	t.Parallel()
	cases := []struct{ line, want, before string }{
		{"claude|-p|hi", "claude|-p|GO: hi|--output-format|stream-json|--verbose|--session-id|NEW", ""},
		{"claude|--model|opus|-p|--|hi", "claude|--model|opus|-p|--output-format|stream-json|--verbose|--session-id|NEW|--|GO: hi", ""},
		{"claude|-p|hi|--resume|OLD", "claude|-p|GO: hi|--output-format|stream-json|--verbose|--session-id|NEW", ""},
		{"claude|-p|hi|--session-id|OLD", "claude|-p|GO: hi|--output-format|stream-json|--verbose|--session-id|NEW", ""},
		{"claude|-p", "claude|-p|--output-format|stream-json|--verbose|--session-id|NEW", "GO: "},
		{"npx|-y|@anthropic-ai/claude-code|-p|hi", "npx|-y|@anthropic-ai/claude-code|-p|GO: hi|--output-format|stream-json|--verbose|--session-id|NEW", ""},
		{"codex|exec|-s|read-only|hi", "codex|exec|--json|-s|read-only|GO: hi", ""},
		{"codex|exec|-", "codex|exec|--json|-", "GO: "},
		{"codex|exec", "codex|exec|--json", "GO: "},
		{"gemini|-p|hi", "gemini|-p|GO: hi", ""},
		{"opencode|run|hi", "opencode|run|GO: hi", ""},
	}
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			got, err := adapter.New(strings.Split(c.line, "|"), adapter.Options{}).Fresh("GO: ", func() string { return "NEW" })
			require.NoError(t, err)
			require.Equal(t, c.want, strings.Join(got.Argv, "|"))
			require.Equal(t, c.before, got.Before)
			require.True(t, got.Stdin)
		})
	}
}

// An instruction in the wrong word would be lost, or change an option.
func TestFreshRefusesWhereThePromptIsNotCertain(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"claude|hi", "claude|-p|hi|there", "claude|-p|--new-option|hi", "claude|-p|--input-format|stream-json",
		"codex|hi", "codex|exec|resume|T|hi", "codex|exec|--new|hi", "codex|exec|a|b",
		"gemini|hi", "gemini|-p", "gemini|-r|OLD|-p|hi", "opencode|run|-s|OLD|hi", "opencode|run|--model|m|hi", "make|test",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			_, err := adapter.New(strings.Split(line, "|"), adapter.Options{}).Fresh("GO: ", func() string { return "NEW" })
			require.Error(t, err)
		})
	}
}
