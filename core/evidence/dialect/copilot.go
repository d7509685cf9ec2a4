package dialect

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// copilot reads the events of GitHub Copilot CLI's JSON mode.
type copilot struct{ events }

func newCopilotJSON() *copilot {
	p := &copilot{}
	p.provider = "github"
	p.events.event = p.handle
	p.errRule = copilotErrRule
	p.brokenEvent = func(o object, _ []byte) bool {
		p.effectOf(o.str("type"))
		return false
	}
	p.wire()
	return p
}

func (p *copilot) handle(o object) {
	label(&p.session, o.str("sessionId"))
	p.structured = true
	data := o.obj("data")
	event := o.str("type")
	if p.effectOf(event) {
		text := firstText(data.str("content"), data.str("text"), contentText(data["result"]))
		if event == "assistant.message" && text != "" {
			p.final.set(text)
		}
		p.chunk(evidence.KindResultEvent, event, prose, text+"\n")
		return
	}
	switch event {
	case "user.message", "assistant.turn_start", "model.call_start":
		p.accepted()
		label(&p.model, data.str("model"))
	case "model.call_failure":
		p.attempt(data)
	case "assistant.turn_retry":
		p.retry(data.str("reason"), 0)
	case "session.error":
		p.fail(evidence.Signal{
			Kind: evidence.KindResultEvent, Event: event, Text: data.str("message"), Status: data.whole("statusCode"),
			Data: data.data("message", "originatingMessageId", "stack"), Foreign: data.str("source") != "" && data.str("source") != "top_level",
		})
	case "result":
		p.result(o)
	default:
		p.other(event, data)
	}
}

// effectOf notes the effect that an event type shows, if it shows one.
func (p *copilot) effectOf(event string) bool {
	switch event {
	case "assistant.message", "assistant.reasoning", "assistant.intent":
		p.sawOutput()
	case "assistant.message_delta", "assistant.reasoning_delta", "assistant.streaming_delta":
		p.sawPartial()
	case "tool.execution_start", "tool.execution_complete", "tool.execution_progress", "tool.execution_partial_result",
		"tool.user_requested", "subagent.started", "subagent.completed", "subagent.failed", "hook.start", "hook.end", "permission.requested":
		p.sawTool()
	default:
		return false
	}
	return true
}

// attempt takes one failed call of the model; the agent decides whether it tries again.
func (p *copilot) attempt(data object) {
	s := evidence.Signal{
		Kind: evidence.KindResultEvent, Event: "model.call_failure", Text: data.str("errorMessage"), Status: data.whole("statusCode"),
		Data: object{"failureKind": data["failureKind"], "retryAttempt": data["retryAttempt"], "statusCode": data["statusCode"]}.present(), InFlight: true,
	}
	p.retry(s.Text, 0)
	p.add(s)
}

func (p *copilot) result(o object) {
	if o.has("exitCode") && o.whole("exitCode") != 0 {
		p.failed, p.succeeded = true, false
		return
	}
	if !p.failed {
		p.succeed("result", "")
	}
}

// other takes events about the session. Those that nobody knows leave doubt
// about effects, unless their family has none.
func (p *copilot) other(event string, data object) {
	switch event {
	case "session.info", "session.warning", "session.skills_loaded", "session.mcp_servers_loaded", "session.tools_updated", "session.start",
		"session.resume", "session.idle", "session.usage_info", "session.model_change", "session.mode_changed", "session.context_changed",
		"session.background_tasks_changed", "session.custom_agents_updated", "session.title_changed", "session.shutdown",
		"session.compaction_start", "session.compaction_complete", "session.truncation", "system.message", "pending_messages.modified",
		"model.call_finished", "model.call_final_result", "assistant.turn_end", "assistant.idle", "assistant.usage", "abort", "auto_mode_switch.requested":
		if text := data.str("message"); text != "" {
			if _, retries := ownRetry(text); retries {
				p.add(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Text: text, InFlight: true})
			}
		}
	default:
		p.doubtful = true
	}
}
