package dialect_test

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/evidence/dialect"
	"github.com/stretchr/testify/assert"
)

// commands lists command lines with the agent and the mode that they start.
var commands = map[string]struct {
	kind string
	mode dialect.Mode
}{
	"claude -p hi": {"claude", dialect.Text},
	"claude -p hi --output-format stream-json --verbose":         {"claude", dialect.StreamJSON},
	"claude --output-format=json -p hi":                          {"claude", dialect.JSON},
	"/opt/tools/bin/claude -p hi":                                {"claude", dialect.Text},
	`C:\tools\claude.cmd -p hi`:                                  {"claude", dialect.Text},
	"CLAUDE.EXE -p hi":                                           {"claude", dialect.Text},
	"FOO=1 BAR=/x claude -p hi":                                  {"claude", dialect.Text},
	"env -i FOO=1 claude -p hi":                                  {"claude", dialect.Text},
	"npx -y @anthropic-ai/claude-code@2.1.3 -p hi":               {"claude", dialect.Text},
	"node /opt/node_modules/@anthropic-ai/claude-code/cli.js -p": {"claude", dialect.Text},
	"npx @zed-industries/claude-code-acp":                        {"claude", dialect.ACP},
	"claude-agent-acp":                                           {"claude", dialect.ACP},
	"codex exec --json hi":                                       {"codex", dialect.JSON},
	"codex exec hi":                                              {"codex", dialect.Text},
	"codex exec -o answer.txt hi":                                {"codex", dialect.Text},
	"codex-acp":                                                  {"codex", dialect.ACP},
	"gemini -p hi -o stream-json":                                {"gemini", dialect.StreamJSON},
	"gemini --experimental-acp":                                  {"gemini", dialect.ACP},
	"gemini --acp":                                               {"gemini", dialect.ACP},
	"opencode run --format json hi":                              {"opencode", dialect.JSON},
	"opencode acp":                                               {"opencode", dialect.ACP},
	"opencode run write about acp":                               {"opencode", dialect.Text},
	"copilot -p hi --output-format json":                         {"copilot", dialect.JSON},
	"amp -x hi --stream-json":                                    {"amp", dialect.StreamJSON},
	"auggie --print hi --output-format json":                     {"auggie", dialect.JSON},
	"cursor-agent -p hi --output-format stream-json":             {"cursor", dialect.StreamJSON},
	"agent -p hi":                                                {"cursor", dialect.Text},
	"qwen -p hi -o json":                                         {"qwen", dialect.JSON},
	"goose run -t hi":                                            {"goose", dialect.Text},
	"goose acp":                                                  {"goose", dialect.ACP},
	"aider --message hi":                                         {"aider", dialect.Text},
	"python3 -m aider --message hi":                              {"aider", dialect.Text},
	"uvx aider-chat --message hi":                                {"aider", dialect.Text},
	"kiro-cli chat --no-interactive hi":                          {"kiro", dialect.Text},
	"kiro-cli acp":                                               {"kiro", dialect.ACP},
	"cline --json hi":                                            {"cline", dialect.JSON},
	"claude -p hi -- --json":                                     {"claude", dialect.Text},
	"bash -c true":                                               {"", dialect.Text},
	"":                                                           {"", dialect.Text},
	"npx":                                                        {"", dialect.Text},
	"env":                                                        {"", dialect.Text},
	"/usr/bin/claudette":                                         {"", dialect.Text},
	"pnpm dlx @openai/codex exec --json hi":                      {"codex", dialect.JSON},
	"pnpx @openai/codex exec --json hi":                          {"codex", dialect.JSON},
	"deno run -A npm.js":                                         {"", dialect.Text},
	"sudo -E FOO=1 nice -5 codex exec --experimental-json --full hi ": {"codex", dialect.JSON},
}

func TestDetectAgent(t *testing.T) {
	t.Parallel()
	for command, want := range commands {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			kind, mode := dialect.DetectAgent(strings.Fields(command))
			assert.Equal(t, want.kind, kind)
			assert.Equal(t, want.mode, mode)
		})
	}
}

func TestKind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"claude-code": "claude", "Claude-Code-ACP": "claude", "claude-acp": "claude", "codex-acp": "codex", "zed-codex-acp": "codex",
		"gemini-cli": "gemini", "copilot-cli": "copilot", "opencode-acp": "opencode", "cursor-cli-acp": "cursor", "qwen-code-acp": "qwen",
		"goose-acp": "goose", "kiro-cli": "kiro", "antigravity-acp": "antigravity", "kimi-code": "kimi", "other": "other", "": "", "-acp": "-acp",
	} {
		assert.Equal(t, want, dialect.Kind(name), name)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind string
		mode dialect.Mode
	}{
		`{"type":"result","subtype":"success","is_error":true,"result":"x"}`:                                                          {"claude", dialect.StreamJSON},
		"noise first\n" + `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected"}}`:                                       {"claude", dialect.StreamJSON},
		`{"type":"result","session_id":"T-1","is_error":true,"error":"Out of Credits"}`:                                               {"amp", dialect.StreamJSON},
		`{"type":"turn.failed","error":{"message":"x"}}`:                                                                              {"codex", dialect.JSON},
		`{"type":"error","message":"Reconnecting... 1/5"}`:                                                                            {"codex", dialect.JSON},
		`{"type":"error","timestamp":1,"sessionID":"ses_1","error":{"name":"APIError"}}`:                                              {"opencode", dialect.JSON},
		`{"type":"init","timestamp":"t","session_id":"s","model":"gemini-2.5-flash"}`:                                                 {"gemini", dialect.StreamJSON},
		`{"type":"session.error","data":{"errorType":"rate_limit","message":"x"}}`:                                                    {"copilot", dialect.JSON},
		`{"type":"run_result","finishReason":"error","text":"x"}`:                                                                     {"cline", dialect.JSON},
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"_meta":{"codex":{"threadStatus":{"type":"active"}}}}}}`:      {"codex", dialect.ACP},
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error"}}`:                                                 {"", dialect.ACP},
		`{"type":"turn.failed","error":{"message":"cut o`:                                                                             {"codex", dialect.JSON},
		"OpenAI Codex v0.169.0\n--------\nERROR: x":                                                                                   {"codex", dialect.Text},
		"API Error: 529 Overloaded.":                                                                                                  {"claude", dialect.Text},
		"litellm.RateLimitError: RateLimitError: GroqException":                                                                       {"aider", dialect.Text},
		"Error when talking to Gemini API Full report available at: /tmp/x":                                                           {"gemini", dialect.Text},
		`{"detail":"Unsupported model"}`:                                                                                              {"", dialect.Text},
		"make: *** [test] Error 1":                                                                                                    {"", dialect.Text},
		"":                                                                                                                            {"", dialect.Text},
		`{"name":"x","type":"module"}`:                                                                                                {"", dialect.Text},
		`[{"type":"system","subtype":"init","session_id":"s","qwen_code_version":"0.24"},{"type":"result","is_error":true}]`:          {"qwen", dialect.StreamJSON},
		"\ufeff" + `{"type":"thread.started","thread_id":"t"}` + "\r\n":                                                               {"codex", dialect.JSON},
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","_meta":{"claudeCode":{}}}}}`:     {"claude", dialect.ACP},
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"session_info_update","_meta":{"goose":1}}}}`: {"goose", dialect.ACP},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			kind, mode := dialect.Sniff(text)
			assert.Equal(t, want.kind, kind)
			assert.Equal(t, want.mode, mode)
		})
	}
}
