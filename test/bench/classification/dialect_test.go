package classification_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// line is one thing that an agent printed or that was said over its connection:
// via is "out", "err", "in" or "to".
type line struct{ via, text string }

// sample is one failing run of an agent, with ways to quote the same words.
type sample struct {
	kind string
	mode dialect.Mode
	open []line // before anything happens
	fail []line // the failure; the last line is the one that decides
	exit int
	want classification.Code
	// quote says words as a tool's output and as a model's answer.
	quote func(words string) []line
	done  []line // a success, after which the process exits with 0
}

const limit = "You've hit your usage limit. Try again in 3 hours."

func out(texts ...string) (lines []line) {
	for _, text := range texts {
		lines = append(lines, line{"out", text})
	}
	return lines
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// claudeLike are the events of Claude Code and of those that mirror them.
func claudeLike(kind, message string, want classification.Code) sample {
	return sample{
		kind: kind, mode: dialect.StreamJSON, exit: 1, want: want,
		open: out(`{"type":"system","subtype":"init","session_id":"s","model":"m"}`),
		fail: out(`{"type":"result","subtype":"error_during_execution","is_error":true,"result":` + quoted(message) + `,"error":` + quoted(message) + `,"session_id":"s"}`),
		quote: func(words string) []line {
			return out(
				`{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":`+quoted(words)+`}}]},"session_id":"s"}`,
				`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":`+quoted(words)+`,"is_error":true}]},"session_id":"s"}`,
				`{"type":"assistant","message":{"model":"m","content":[{"type":"text","text":`+quoted(words)+`}]},"session_id":"s"}`,
			)
		},
		done: out(`{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s"}`),
	}
}

// textOf is an agent that prints for people and exits with a code.
func textOf(kind, via, message string, want classification.Code) sample {
	return sample{
		kind: kind, mode: dialect.Text, exit: 1, want: want, fail: []line{{via, message}},
		quote: func(words string) []line { return out("The log says:", "> "+words) },
	}
}

func acpOf(kind, message, data string, want classification.Code) sample {
	update := func(u string) line {
		return line{"in", `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + u + `}}`}
	}
	return sample{
		kind: kind, mode: dialect.ACP, exit: -1, want: want,
		open: []line{
			{"to", `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/srv"}}`},
			{"in", `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`},
			{"to", `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`},
		},
		fail: []line{{"in", `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":` + quoted(message) + `,"data":` + data + `}}`}},
		quote: func(words string) []line {
			return []line{
				update(`{"sessionUpdate":"tool_call","toolCallId":"t","title":"make","kind":"execute","status":"pending"}`),
				update(`{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed","content":[{"type":"content","content":{"type":"text","text":` + quoted(words) + `}}]}`),
				update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + quoted(words) + `}}`),
			}
		},
		done: []line{{"in", `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`}},
	}
}

// samples are one failure of every dialect.
func samples() map[string]sample {
	all := map[string]sample{
		"claude stream":   claudeLike("claude", "You've hit your session limit · resets 3pm (Europe/Warsaw)", classification.QuotaLimited),
		"claude text":     textOf("claude", "out", "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.", classification.ProviderOverloaded),
		"claude acp":      acpOf("claude-agent-acp", "Internal error: You've hit your session limit · resets 3pm (Europe/Warsaw)", `{"errorKind":"rate_limit"}`, classification.QuotaLimited),
		"amp stream":      claudeLike("amp", "Out of Credits", classification.SubscriptionRequired),
		"amp text":        textOf("amp", "err", "[amp] Execution error: Out of Credits", classification.SubscriptionRequired),
		"auggie json":     claudeLike("auggie", "API Error: HTTP error: 503 Service Unavailable", classification.ProviderUnavailable),
		"cursor stream":   claudeLike("cursor", limit, classification.QuotaLimited),
		"cursor text":     textOf("cursor", "err", limit, classification.QuotaLimited),
		"qwen stream":     claudeLike("qwen", "[API Error: 401 Incorrect API key provided]", classification.AuthRequired),
		"qwen text":       textOf("qwen", "err", "[API Error: 401 Incorrect API key provided]", classification.AuthRequired),
		"gemini text":     textOf("gemini", "err", "TerminalQuotaError: You have exhausted your daily quota on this model.", classification.QuotaLimited),
		"opencode text":   textOf("opencode", "err", "Error: Insufficient Balance", classification.SubscriptionRequired),
		"copilot text":    textOf("copilot", "err", "Failed to get response from the AI model; retried 5 times (total retry wait time: 16.71 seconds) Last error: 503 Our servers are currently overloaded.", classification.ProviderOverloaded),
		"aider text":      textOf("aider", "out", "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided", classification.AuthRequired),
		"kiro text":       textOf("kiro", "err", "error: The monthly usage limit has been reached", classification.QuotaLimited),
		"goose text":      textOf("goose", "err", "error: Authentication failed: invalid x-api-key (status 401)", classification.AuthRequired),
		"plain text":      textOf("some-tool", "err", "error: getaddrinfo ENOTFOUND api.example.test", classification.NetworkUnavailable),
		"acp of others":   acpOf("gemini", `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota, please check your plan and billing details"}}`, `null`, ""),
		"kiro acp":        acpOf("kiro-acp", "Internal error", `"The monthly usage limit has been reached"`, classification.QuotaLimited),
		"codex acp":       acpOf("codex-acp", limit, `{"message":`+quoted(limit)+`,"codexErrorInfo":"usageLimitExceeded"}`, classification.QuotaLimited),
		"codex server":    codexServer(),
		"codex exec json": codexJSON(),
		"codex text":      codexText(),
		"gemini stream":   geminiStream(),
		"opencode json":   opencodeJSON(),
		"copilot json":    copilotJSON(),
		"goose stream":    gooseStream(),
		"cline json":      clineJSON(),
	}
	return all
}

// observe runs a sample's lines through its parser and makes an envelope.
func observe(s sample, lines []line, exit int) (evidence.Envelope, dialect.State) {
	p := dialect.For(s.kind, s.mode)
	for _, l := range lines {
		switch l.via {
		case "err":
			p.Stderr([]byte(l.text))
		case "in":
			p.ACP(dialect.Received, []byte(l.text))
		case "to":
			p.ACP(dialect.Sent, []byte(l.text))
		default:
			p.Stdout([]byte(l.text))
		}
	}
	if exit >= 0 {
		p.Exit(evidence.Exit{Code: exit})
	}
	state := p.State()
	return evidence.Bounded(evidence.Envelope{
		AgentKind: dialect.Kind(s.kind), Provider: state.Provider, Model: state.Model, Phase: state.Phase, Effects: state.Effects,
		ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), Signals: state.Signals,
	}), state
}

func codexJSON() sample {
	return sample{
		kind: "codex", mode: dialect.JSON, exit: 1, want: classification.QuotaLimited,
		open: out(`{"type":"thread.started","thread_id":"th"}`, `{"type":"turn.started"}`),
		fail: out(`{"type":"error","message":`+quoted(limit)+`}`, `{"type":"turn.failed","error":{"message":`+quoted(limit)+`}}`),
		quote: func(words string) []line {
			return out(`{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"make","aggregated_output":`+quoted(words)+`,"exit_code":1}}`,
				`{"type":"item.completed","item":{"id":"j","type":"agent_message","text":`+quoted(words)+`}}`)
		},
		done: out(`{"type":"turn.completed","usage":{"input_tokens":1}}`),
	}
}

// codexServer is Codex's app server, which speaks JSON-RPC of its own.
func codexServer() sample {
	s := acpOf("codex", "", "null", classification.QuotaLimited)
	s.fail = []line{{"in", `{"method":"error","params":{"threadId":"th","turnId":"tu","willRetry":false,"error":{"message":` + quoted(limit) + `,"codexErrorInfo":"usageLimitExceeded"}}}`}}
	return s
}

func codexText() sample {
	head := []line{}
	for _, text := range []string{"OpenAI Codex v0.169.0", "--------", "workdir: /srv/repo", "model: gpt-5", "session id: th", "--------", "user", "Reply."} {
		head = append(head, line{"err", text})
	}
	return sample{
		kind: "codex", mode: dialect.Text, exit: 1, want: classification.QuotaLimited, open: head,
		fail: []line{{"err", "ERROR: " + limit}},
		quote: func(words string) []line {
			return []line{{"err", "exec"}, {"err", "bash -lc make in /srv/repo exited 1 in 10ms:"}, {"err", words}, {"err", "codex"}, {"err", words}, {"out", words}}
		},
	}
}

func geminiStream() sample {
	return sample{
		kind: "gemini", mode: dialect.StreamJSON, exit: 1, want: classification.QuotaLimited,
		open: out(`{"type":"init","timestamp":"t","session_id":"g","model":"gemini-2.5-flash"}`),
		fail: out(`{"type":"result","timestamp":"t","status":"error","error":{"type":"Error","message":"You have exhausted your daily quota on this model."},"stats":{}}`),
		quote: func(words string) []line {
			return out(`{"type":"tool_use","tool_name":"run_shell_command"}`, `{"type":"tool_result","status":"success","output":`+quoted(words)+`}`,
				`{"type":"message","role":"assistant","content":`+quoted(words)+`}`)
		},
		done: out(`{"type":"result","status":"success","stats":{}}`),
	}
}

func opencodeJSON() sample {
	return sample{
		kind: "opencode", mode: dialect.JSON, exit: 1, want: classification.ProviderOverloaded,
		open: out(`{"type":"step_start","sessionID":"o","part":{"type":"step-start"}}`),
		fail: out(`{"type":"error","timestamp":1,"sessionID":"o","error":{"name":"APIError","data":{"message":"Overloaded","statusCode":529,"isRetryable":true,"responseHeaders":{"retry-after":"7"},"responseBody":"{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"}}}`),
		quote: func(words string) []line {
			return out(`{"type":"tool_use","sessionID":"o","part":{"type":"tool","state":{"status":"completed","output":`+quoted(words)+`}}}`,
				`{"type":"text","sessionID":"o","part":{"type":"text","text":`+quoted(words)+`}}`)
		},
		done: out(`{"type":"step_finish","sessionID":"o","part":{"reason":"stop","cost":0.002}}`),
	}
}

func copilotJSON() sample {
	return sample{
		kind: "copilot", mode: dialect.JSON, exit: 1, want: classification.QuotaLimited,
		open: out(`{"type":"user.message","data":{"content":"Reply"}}`),
		fail: out(`{"type":"session.error","data":{"errorType":"quota","message":"Model call failed: {\"message\":\"You have exceeded your weekly limit\",\"code\":\"user_weekly_rate_limited\"}","statusCode":429}}`),
		quote: func(words string) []line {
			return out(`{"type":"tool.execution_start","data":{"toolName":"bash"}}`, `{"type":"tool.execution_complete","data":{"toolName":"bash","result":{"content":`+quoted(words)+`}}}`,
				`{"type":"assistant.message","data":{"content":`+quoted(words)+`}}`)
		},
		done: out(`{"type":"result","sessionId":"c","exitCode":0}`),
	}
}

func gooseStream() sample {
	return sample{
		kind: "goose", mode: dialect.StreamJSON, exit: 1, want: classification.AuthRequired,
		open: out(`{"type":"notification"}`),
		fail: out(`{"type":"error","error":"Authentication failed: invalid x-api-key (status 401)"}`),
		quote: func(words string) []line {
			return out(`{"type":"message","message":{"role":"user","content":[{"type":"toolResponse","toolResult":{"value":[{"type":"text","text":`+quoted(words)+`}]}}]}}`,
				`{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":`+quoted(words)+`}]}}`)
		},
		done: out(`{"type":"complete","total_tokens":9}`),
	}
}

func clineJSON() sample {
	return sample{
		kind: "cline", mode: dialect.JSON, exit: 1, want: classification.ProviderOverloaded,
		open: out(`{"ts":"t","type":"hook_event","hookEventName":"agent_start","taskId":"c"}`),
		fail: out(`{"ts":"t","type":"run_result","finishReason":"error","text":"529 Overloaded: the server is overloaded","model":{"id":"m"}}`),
		quote: func(words string) []line {
			return out(`{"ts":"t","type":"agent_event","event":{"type":"content_start","contentType":"tool","toolName":"bash"}}`,
				`{"ts":"t","type":"agent_event","event":{"type":"content_end","contentType":"text","text":`+quoted(words)+`}}`)
		},
		done: out(`{"ts":"t","type":"run_result","finishReason":"completed","text":"Done.","model":{"id":"m"}}`),
	}
}

func (s sample) String() string { return fmt.Sprintf("%s %s", s.kind, s.mode) }
