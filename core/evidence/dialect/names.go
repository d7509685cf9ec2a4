package dialect

import "strings"

// kinds maps the names of programs, packages and labels to an agent's kind.
var kinds = map[string]string{
	"claude": "claude", "claude-code": "claude", "claude_code": "claude", "claudecode": "claude",
	"claude-acp": "claude", "claude-code-acp": "claude", "claude-agent-acp": "claude", "zed-claude-acp": "claude",
	"@anthropic-ai/claude-code": "claude", "@zed-industries/claude-code-acp": "claude", "@agentclientprotocol/claude-agent-acp": "claude",
	"codex": "codex", "codex-cli": "codex", "codex-acp": "codex", "zed-codex-acp": "codex",
	"@openai/codex": "codex", "@zed-industries/codex-acp": "codex", "@agentclientprotocol/codex-acp": "codex",
	"gemini": "gemini", "gemini-cli": "gemini", "gemini-acp": "gemini", "@google/gemini-cli": "gemini",
	"opencode": "opencode", "opencode-acp": "opencode", "opencode-ai": "opencode",
	"copilot": "copilot", "copilot-cli": "copilot", "github-copilot": "copilot", "@github/copilot": "copilot",
	"amp": "amp", "amp-acp": "amp", "@sourcegraph/amp": "amp",
	"auggie": "auggie", "auggie-acp": "auggie", "augment": "auggie", "@augmentcode/auggie": "auggie",
	"cursor": "cursor", "cursor-agent": "cursor", "agent": "cursor", "cursor-cli": "cursor", "cursor-cli-acp": "cursor", "cursor-acp": "cursor",
	"qwen": "qwen", "qwen-code": "qwen", "qwen-code-acp": "qwen", "@qwen-code/qwen-code": "qwen",
	"goose": "goose", "goose-acp": "goose", "goose-cli": "goose",
	"aider": "aider", "aider-chat": "aider",
	"kiro": "kiro", "kiro-cli": "kiro", "kiro-cli-chat": "kiro", "kiro-acp": "kiro",
	"cline": "cline", "cline-cli": "cline",
	"grok": "grok", "grok-cli": "grok",
}

// Kind returns the canonical kind of an agent from any of its names; a name
// that is not known comes back in lower case without "-acp", "-cli" or "-code".
func Kind(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if kind, ok := kinds[name]; ok {
		return kind
	}
	for _, suffix := range [...]string{"-acp", "-cli", "-code"} {
		if short := strings.TrimSuffix(name, suffix); short != name && short != "" {
			return Kind(short)
		}
	}
	return name
}

// isAdapter reports a program that speaks ACP and nothing else.
func isAdapter(program string) bool {
	return strings.HasSuffix(program, "-acp")
}
