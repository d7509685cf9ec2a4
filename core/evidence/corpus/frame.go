package corpus

import (
	"encoding/json"

	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

func (r *replayer) frame(direction dialect.Direction, fields map[string]any) {
	fields["jsonrpc"] = "2.0"
	raw, err := json.Marshal(fields)
	if err != nil {
		return // the parts came from valid JSON; a case cannot make this fail
	}
	r.parser.ACP(direction, raw)
}

// prompted reports that the signals follow a prompt, so far as the case tells.
func (w wireCase) prompted() bool {
	for _, s := range w.Signals {
		switch s.Kind {
		case "acp_update", "acp_result", "acp_request":
			return true
		case "acp_error":
			return s.Method == "" || s.Method == "session/prompt"
		}
	}
	return false
}

// request tells the parser of a request that the client sent.
func (r *replayer) request(method string) {
	r.nextID++
	r.open, r.openMethod = r.nextID, method
	r.frame(dialect.Sent, map[string]any{"id": r.open, "method": method, "params": struct{}{}})
}

// answer gives the agent's answer to the open request, or to a new one.
func (r *replayer) answer(method, field string, value any) {
	if method == "" {
		method = "session/prompt"
	}
	if r.open == 0 || r.openMethod != method {
		r.request(method)
	}
	r.frame(dialect.Received, map[string]any{"id": r.open, field: value})
	r.open = 0
}

func (r *replayer) acpError(s wireSignal) {
	e := map[string]any{"code": s.Code, "message": s.Message + s.Text}
	if len(s.Data) > 0 {
		e["data"] = s.Data
	}
	r.answer(s.Method, "error", e)
}

// acpUpdate takes an update as sent, a whole frame, an older adapter's shape,
// or only the text of a message.
func (r *replayer) acpUpdate(s wireSignal) {
	update := s.Update
	if len(update) == 0 {
		update = s.Data
	}
	var whole struct {
		JSONRPC    string          `json:"jsonrpc"`
		Result     json.RawMessage `json:"result"`
		StopReason string          `json:"stopReason"`
	}
	if json.Unmarshal(update, &whole) == nil && whole.JSONRPC != "" {
		r.answer("session/prompt", "result", orEmpty(whole.Result, struct{}{}))
		return
	}
	if len(update) == 0 {
		r.update(map[string]any{"sessionUpdate": "agent_message_chunk", "content": map[string]string{"type": "text", "text": s.Text}})
		return
	}
	r.shaped(update, s.Text, whole.StopReason)
}

// shaped takes an update whose text or stop reason is told beside it.
func (r *replayer) shaped(update json.RawMessage, text, stop string) {
	var fields map[string]any
	if json.Unmarshal(update, &fields) != nil {
		return
	}
	if _, typed := fields["sessionUpdate"]; !typed && text != "" {
		fields["message"] = text
		if _, session := fields["sessionMeta"]; !session && fields["willRetry"] == nil && fields["codexErrorInfo"] == nil {
			fields["content"] = map[string]string{"type": "text", "text": text}
		}
	}
	r.update(fields)
	if _, session := fields["sessionMeta"]; session && text != "" {
		r.update(map[string]any{"sessionUpdate": "agent_message_chunk", "content": map[string]string{"type": "text", "text": text}})
	}
	if stop != "" {
		r.answer("session/prompt", "result", fields)
	}
}

func (r *replayer) update(fields map[string]any) {
	r.frame(dialect.Received, map[string]any{"method": "session/update", "params": map[string]any{"update": fields}})
}

func (r *replayer) acpSent(s wireSignal) {
	if s.Method != "" {
		r.frame(dialect.Sent, map[string]any{"method": s.Method, "params": orEmpty(s.Params, struct{}{})})
		return
	}
	r.frame(dialect.Sent, map[string]any{"id": json.Number(firstOf(r.asked, "0")), "result": orEmpty(s.Result, struct{}{})})
}
