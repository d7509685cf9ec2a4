package command_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

const overloadedText = "API Error: 529 Overloaded. This is a server-side issue, usually temporary"

func TestClassify(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, stdin, code string
		args              []string
	}{
		{"text", overloadedText, "provider_overloaded", nil},
		{"an agent's event", `{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":401,"result":"Invalid API key","session_id":"x"}`, "auth_required", nil},
		{"of a named agent", `{"type":"turn.failed","error":{"message":"Selected model is at capacity. Please try a different model."}}`, "model_capacity", []string{"--agent", "codex", "--mode", "json"}},
		{"an exit code of 0 is no failure", "I handled the 529 Overloaded answer.", "unclassified", []string{"--exit-code", "0"}},
		{"words about failures are none", "the weather is fine", "unclassified", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, c.stdin, append([]string{"classify"}, c.args...)...).want(t, cli.OK)
			require.Regexp(t, `(?m)^code +`+c.code+`$`, r.out.String())
			asJSON := run(t, c.stdin, append([]string{"classify", "-o", "json"}, c.args...)...).want(t, cli.OK).object(t)
			require.Equal(t, "CODE_"+strings.ToUpper(c.code), asJSON["code"])
		})
	}
}

func TestClassifyExplains(t *testing.T) {
	t.Parallel()
	r := run(t, overloadedText, "classify", "--explain").want(t, cli.OK)
	require.Contains(t, r.out.String(), "VERDICT")
	require.Contains(t, r.out.String(), "won")
	require.Contains(t, r.out.String(), "signal 0")
}

func TestClassifyReadsFiles(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	require.NoError(t, os.WriteFile(filepath.Join(c.inv.Dir, "failure.log"), []byte(overloadedText), 0o600))
	require.Contains(t, c.run(t, "classify", "failure.log").want(t, cli.OK).out.String(), "provider_overloaded")
	run(t, "", "classify", "missing.log").want(t, cli.NotFound)
	run(t, "  \n", "classify").want(t, cli.Usage)
	run(t, "x", "classify", "--mode", "telepathy").want(t, cli.Usage)
	run(t, "x", "classify", "a", "b").want(t, cli.Usage)
}

func caseLine(i int) string {
	if i%2 == 0 {
		return fmt.Sprintf(`{"id":"case-%d","agent":"claude-code","signals":[{"kind":"stdout","text":"API Error: 529 Overloaded."},{"kind":"process_exit","exit_code":1}],"now":"2026-11-30T12:00:00Z"}`, i)
	}
	return fmt.Sprintf(`{"id":"case-%d","agent":"codex","signals":[{"kind":"stderr","text":"ERROR: stream disconnected before completion: Rate limit reached for gpt-5. Please try again in 7s."},{"kind":"process_exit","exit_code":1}],"now":"2026-11-30T12:00:00Z"}`, i)
}

func TestCasesComeOutInTheirOrder(t *testing.T) {
	t.Parallel()
	const count = 1000
	var in strings.Builder
	for i := range count {
		in.WriteString(caseLine(i) + "\n")
	}
	r := run(t, in.String(), "classify", "--cases", "-").want(t, cli.OK)
	require.Empty(t, r.err.String())
	lines := bufio.NewScanner(strings.NewReader(r.out.String()))
	n := 0
	for ; lines.Scan(); n++ {
		var got map[string]any
		require.NoError(t, json.Unmarshal(lines.Bytes(), &got))
		require.Equal(t, fmt.Sprintf("case-%d", n), got["id"])
		for _, key := range []string{"code", "class", "confidence", "rule_id", "retry_after_s", "reset_at", "agent_retrying"} {
			require.Contains(t, got, key)
		}
		require.Len(t, got, 8)
		if n%2 == 0 {
			require.Equal(t, "provider_overloaded", got["code"])
			require.Nil(t, got["retry_after_s"])
		} else {
			require.Equal(t, "rate_limited", got["code"])
			require.InDelta(t, 7, got["retry_after_s"], 0)
		}
	}
	require.Equal(t, count, n)
}

func TestABadCaseCostsOnlyItself(t *testing.T) {
	t.Parallel()
	in := caseLine(0) + "\nnot JSON\n" + `{"id":"bad","signals":[{"kind":"smoke"}]}` + "\n\n" + caseLine(2) + "\n"
	r := run(t, in, "classify", "--cases", "-").want(t, cli.General)
	lines := strings.Split(strings.TrimSpace(r.out.String()), "\n")
	require.Contains(t, lines[0], `"id":"case-0","code":"provider_overloaded"`)
	require.Contains(t, lines[1], `"id":"","code":"unclassified"`)
	require.Contains(t, lines[len(lines)-1], `"id":"case-2","code":"provider_overloaded"`)
	require.Contains(t, r.err.String(), "line 2: ")
}
