package demo

// act is one attempt of a played agent.
type act struct {
	lines []string
	code  int
}

const (
	claudeSession = "3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10"
	codexThread   = "0199a213-81c0-7800-8aa1-bbab2a035a53"
)

// The events of Claude Code that the plays are made of, with the fields that
// matter of what version 2.1.328 prints.
const (
	claudeInit  = `{"type":"system","subtype":"init","session_id":"` + claudeSession + `","model":"claude-sonnet-4-5","claude_code_version":"2.1.328"}`
	claudeRetry = `{"type":"system","subtype":"api_retry","attempt":1,"max_retries":1,"retry_delay_ms":559,"error_status":529,"error":"overloaded","session_id":"` + claudeSession + `"}`
	claudeTool  = `{"type":"assistant","message":{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"toolu_demo1","name":"Bash","input":{"command":"go test ./..."}}]},"session_id":"` + claudeSession + `"}`
	claudeRan   = `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_demo1","type":"tool_result","content":"ok","is_error":false}]},"session_id":"` + claudeSession + `"}`
)

const (
	overloadedText = "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check https://status.claude.com."
	limitText      = "You've hit your 5-hour limit · resets {{clock}}"
	authText       = "Invalid API key · Fix external API key"
	proseText      = "The client answers 429 Too Many Requests when the rate limit is hit; I added the test for it."
)

// claudeError is how Claude Code prints a failure: a message of its own making,
// then the result.
func claudeError(text, kind, status string) []string {
	return []string{
		`{"type":"assistant","message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"` + text + `"}]},"session_id":"` + claudeSession + `","error":"` + kind + `","is_api_error_message":true,"api_error_status":` + status + `}`,
		`{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":` + status + `,"result":"` + text + `","num_turns":1,"session_id":"` + claudeSession + `","permission_denials":[],"total_cost_usd":0}`,
	}
}

// claudeAnswer is how Claude Code prints a success.
func claudeAnswer(text string) []string {
	return []string{
		`{"type":"assistant","message":{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"` + text + `"}]},"session_id":"` + claudeSession + `"}`,
		`{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","api_error_status":null,"result":"` + text + `","num_turns":1,"session_id":"` + claudeSession + `","permission_denials":[],"total_cost_usd":0.0039}`,
	}
}

func lines(parts ...[]string) []string {
	var all []string
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// scripts are what the agent plays, one act an attempt; the last repeats.
var scripts = map[string][]act{
	"overload": {
		{lines: lines([]string{claudeInit, claudeRetry}, claudeError(overloadedText, "server_error", "529")), code: 1},
		{lines: lines([]string{claudeInit}, claudeAnswer("The failing test is mended."))},
	},
	"throttle": {
		{lines: []string{
			`{"type":"thread.started","thread_id":"` + codexThread + `"}`, `{"type":"turn.started"}`,
			`{"type":"error","message":"stream disconnected before completion: Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29600, Requested 1900. Please try again in 3s."}`,
			`{"type":"turn.failed","error":{"message":"stream disconnected before completion: Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29600, Requested 1900. Please try again in 3s."}}`,
		}, code: 1},
		{lines: []string{
			`{"type":"thread.started","thread_id":"` + codexThread + `"}`, `{"type":"turn.started"}`,
			`{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"The parser is ported."}}`,
			`{"type":"turn.completed","usage":{"input_tokens":1200,"output_tokens":20}}`,
		}},
	},
	"limit": {{lines: lines([]string{
		claudeInit,
		`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":{{epoch}},"rateLimitType":"five_hour","overageStatus":"rejected","isUsingOverage":false},"session_id":"` + claudeSession + `"}`,
	}, claudeError(limitText, "rate_limit", "429")), code: 1}},
	"auth": {{lines: lines([]string{claudeInit}, claudeError(authText, "authentication_failed", "401")), code: 1}},
	"tool": {
		{lines: lines([]string{claudeInit, claudeTool, claudeRan, claudeRetry}, claudeError(overloadedText, "server_error", "529")), code: 1},
		{lines: lines([]string{claudeInit}, claudeAnswer("The tests passed before; the rest is done."))},
	},
	"unknown": {{lines: []string{overloadedText}, code: 1}},
	"prose":   {{lines: lines([]string{claudeInit}, claudeAnswer(proseText))}},
}
