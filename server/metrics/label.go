package metrics

import (
	"strings"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

const (
	unknown = "unknown" // nobody said
	other   = "other"   // somebody said what is on no list
)

// agents and providers are what a label may hold. Callers write both as they
// like, and each new value would be a new series for ever.
var (
	agents = setOf("claude", "codex", "gemini", "opencode", "copilot", "cursor", "amp", "qwen", "aider", "goose", "droid", "kiro", "auggie", "cline", "crush")

	providers = setOf("anthropic", "openai", "google", "bedrock", "vertex", "azure", "openrouter", "mistral", "groq", "xai", "deepseek",
		"together", "fireworks", "cohere", "cerebras", "moonshot", "alibaba", "zai", "minimax", "nvidia", "huggingface", "ollama", "github", "cursor", "aws")
)

func setOf(values ...string) map[string]bool {
	set := make(map[string]bool, len(values))
	for _, v := range values {
		set[v] = true
	}
	return set
}

func agentLabel(kind string) string { return listed(agents, kind) }

func providerLabel(name string) string { return listed(providers, name) }

func listed(set map[string]bool, value string) string {
	value = strings.ToLower(value)
	switch {
	case value == "":
		return unknown
	case set[value]:
		return value
	}
	return other
}

func orUnknown(value string) string {
	if value == "" {
		return unknown
	}
	return value
}

// contextLabel is the execution context that a policy selects.
func contextLabel(p work.PolicyChoice) string {
	return string(p.Facts(recovery.Facts{}, recovery.Settings{}).Context)
}
