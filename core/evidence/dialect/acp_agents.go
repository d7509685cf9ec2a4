package dialect

import (
	"strings"
)

// newACPFor returns the ACP reader with what is known of one agent's adapter.
func newACPFor(kind string) *acp {
	switch kind {
	case "claude":
		a := newACP(claudeAdapterRule)
		a.provider = "anthropic"
		a.ownChunk = claudeOwnChunk
		return a
	case "codex":
		a := newACP(codexTraceRule)
		a.provider = "openai"
		a.ownChunk = codexOwnChunk
		return a
	case "goose":
		a := newACP(printedRule)
		a.ownChunk = gooseOwnChunk
		return a
	case "opencode":
		return newACP(opencodeLogRule)
	case "gemini", "qwen":
		return newACP(geminiErrRule)
	}
	return newACP(printedRule)
}

// claudeAdapterRule sets aside what the adapter's own background jobs print.
func claudeAdapterRule(line string, previous class) class {
	for _, job := range [...]string{"[idle-compaction]", "claude auth status "} {
		if strings.HasPrefix(line, job) {
			return foreign
		}
	}
	return printedRule(line, previous)
}

// claudeOwnChunk knows the messages that Claude Code made: the API names the
// model's messages "msg_…", the program names its own by a UUID.
func claudeOwnChunk(_ *acp, update object, _ string) class {
	id := update.str("messageId")
	if len(id) == 36 && strings.Count(id, "-") == 4 {
		return foreign
	}
	return prose
}

// codexOwnChunk knows the notice about missing model metadata, which comes
// before any answer.
func codexOwnChunk(_ *acp, _ object, text string) class {
	text = strings.TrimPrefix(text, "Warning: ")
	if strings.HasPrefix(text, "Model metadata for ") && strings.Contains(text, "not found") {
		return foreign
	}
	return prose
}

// gooseOwnChunk knows the last error of a request that Goose gave up on: it
// repeats the cause that the retries on standard error named.
func gooseOwnChunk(a *acp, _ object, text string) class {
	if !a.retrying {
		return prose
	}
	_, cause, ok := strings.Cut(a.retryCause, `("`)
	if !ok {
		return prose
	}
	cause, _, _ = strings.Cut(cause, `"`)
	if len(cause) >= 8 && strings.Contains(text, strings.TrimRight(cause, "….")) {
		return plain
	}
	return prose
}
