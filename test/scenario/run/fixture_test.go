package run

import "fmt"

const (
	session = "3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10"
	thread  = "0199a213-81c0-7800-8aa1-bbab2a035a53"

	overloadedText = "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check https://status.claude.com."
	overloadedBody = `API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`
)

// What Claude Code prints, with the fields that matter.

func line(format string, args ...any) string {
	return fmt.Sprintf(format, args...) + "\n"
}

func claudeFailed(text, kind string, status int) string {
	return line(`{"type":"assistant","message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":%q}]},"session_id":%q,"error":%q,"is_api_error_message":true,"api_error_status":%d}`, text, session, kind, status) +
		line(`{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":%d,"result":%q,"num_turns":1,"session_id":%q,"permission_denials":[]}`, status, text, session)
}

func claudeAnswered(text string) string {
	return line(`{"type":"assistant","message":{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":%q}]},"session_id":%q}`, text, session) +
		line(`{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":%q,"num_turns":1,"session_id":%q,"permission_denials":[],"total_cost_usd":0.0039}`, text, session)
}

func claudeUsedTool() string {
	return line(`{"type":"assistant","message":{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"touch x"}}]},"session_id":%q}`, session) +
		line(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"","is_error":false}]},"session_id":%q}`, session)
}

func claudeRetries(status int, kind string) string {
	return line(`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":559,"error_status":%d,"error":%q,"session_id":%q}`, status, kind, session)
}

func claudeOverloaded() string {
	return claudeRetries(529, "overloaded") + claudeFailed(overloadedText, "server_error", 529)
}

func claudeLimit(resetsAt int64) string {
	return line(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour","isUsingOverage":false},"session_id":%q}`, resetsAt, session) +
		claudeFailed("You've hit your 5-hour limit", "rate_limit", 429)
}

// What Codex prints.

func codexBegan() string {
	return line(`{"type":"thread.started","thread_id":%q}`, thread) + `{"type":"turn.started"}` + "\n"
}

func codexFailed(text string) string {
	return line(`{"type":"error","message":%q}`, text) + line(`{"type":"turn.failed","error":{"message":%q}}`, text)
}

func codexRan() string {
	return `{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"touch x","aggregated_output":"","exit_code":0,"status":"completed"}}` + "\n"
}

func codexAnswered(text string) string {
	return codexBegan() + line(`{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":%q}}`, text) +
		`{"type":"turn.completed","usage":{"input_tokens":12,"output_tokens":2}}` + "\n"
}
