package dialect

import (
	"strings"
)

// maxSniff is how much of a text is looked at, in bytes.
const maxSniff = 256 << 10

// Sniff says which dialect a pasted text looks like. kind is "" if nothing
// gives it away; mode is then still right about JSON-RPC frames.
func Sniff(text string) (kind string, mode Mode) {
	if len(text) > maxSniff {
		text = text[:maxSniff]
	}
	mode = Text
	for line := range strings.Lines(text) {
		splitJSON([]byte(line), sink{
			event: func(o object, _ bool) {
				if kind == "" || mode == Text {
					if k, m := sniffEvent(o); m != Text {
						kind, mode = firstText(k, kind), m
					}
				}
			},
			broken: func(o object, _ []byte) {
				if mode == Text {
					if k, m := sniffEvent(o); m != Text {
						kind, mode = k, m
					}
				}
			},
			other: func([]byte) {},
		})
		if kind != "" && mode != Text {
			return kind, mode
		}
	}
	if mode != Text {
		return kind, mode
	}
	return sniffText(text), Text
}

// sniffEvent looks at the fields that only one agent's events have.
func sniffEvent(o object) (string, Mode) {
	event := o.str("type")
	switch {
	case o.str("jsonrpc") == "2.0":
		return sniffFrame(o), ACP
	case o.has("sessionUpdate"):
		return sniffFrame(o), ACP
	case strings.HasPrefix(event, "thread."), strings.HasPrefix(event, "turn."), strings.HasPrefix(event, "item."):
		return "codex", JSON
	case event == "error" && o.str("message") != "" && len(o) == 2:
		return "codex", JSON
	case event == "rate_limit_event", event == "system" && o.has("subtype"), event == "result" && o.has("is_error"),
		(event == "assistant" || event == "user") && o.obj("message") != nil, event == "stream_event":
		return sniffMirror(o), StreamJSON
	case o.has("sessionID") && event != "":
		return "opencode", JSON
	case event == "hook_event", event == "agent_event", event == "run_result":
		return "cline", JSON
	case strings.HasPrefix(event, "session."), strings.HasPrefix(event, "model.call"), strings.HasPrefix(event, "assistant."):
		return "copilot", JSON
	case event == "init" && o.has("session_id"), event == "result" && o.has("status"):
		return "gemini", StreamJSON
	}
	return "", Text
}

// sniffMirror tells apart the agents whose events mirror Claude Code's.
func sniffMirror(o object) string {
	switch {
	case strings.HasPrefix(o.str("session_id"), "T-"):
		return "amp"
	case o.has("duration_ms") && o.has("request_id") && !o.has("num_turns"), o.has("apiKeySource") && o.has("permissionMode") && !o.has("tools"):
		return "cursor"
	case o.has("qwen_code_version"):
		return "qwen"
	}
	return "claude"
}

func sniffFrame(o object) string {
	meta := string(o.obj("params")["update"]) + string(o["result"]) + string(o["_meta"])
	switch {
	case strings.Contains(meta, `"codex"`), strings.Contains(meta, "codexErrorInfo"):
		return "codex"
	case strings.Contains(meta, `"claudeCode"`), strings.Contains(meta, `"_claude/`):
		return "claude"
	case strings.Contains(meta, `"goose"`):
		return "goose"
	}
	return ""
}

// textMarks are words that one agent prints and others do not.
var textMarks = []struct{ mark, kind string }{
	{"OpenAI Codex v", "codex"},
	{"codex_acp::", "codex"},
	{"copilot --resume=", "copilot"},
	{"litellm.", "aider"},
	{"Error when talking to Gemini API", "gemini"},
	{"gemini-client-error-", "gemini"},
	{"exceeded retry limit, last status:", "codex"},
	{"stream disconnected before completion", "codex"},
	{"AI_APICallError", "opencode"},
	{"AI_RetryError", "opencode"},
	{"Claude AI usage limit reached", "claude"},
	{"claude.ai/settings", "claude"},
	{"Please run /login", "claude"},
	{"API Error: ", "claude"},
	{"kiro-cli", "kiro"},
	{"[amp] ", "amp"},
}

func sniffText(text string) string {
	for _, m := range textMarks {
		if strings.Contains(text, m.mark) {
			return m.kind
		}
	}
	return ""
}
