package dialect

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// result takes the answer to a request of the client.
func (a *acp) result(method string, r object) {
	if stop := r.str("stopReason"); stop != "" && (method == "" || method == "session/prompt") {
		a.stopped(stop, r)
		return
	}
	label(&a.session, r.str("sessionId"))
	label(&a.version, r.obj("agentInfo").str("version"))
	label(&a.model, r.obj("models").str("currentModelId"))
}

// stopped takes the end of a turn. An end_turn is a success only if something
// was seen and nothing was broken: agents end failed turns in the same way.
func (a *acp) stopped(reason string, r object) {
	if f := r.at("_meta", "jetbrains", "air", "sessionFailure"); f != nil {
		a.sessionFailure(f)
	}
	a.planWindow(r)
	s := evidence.Signal{Kind: evidence.KindACPResult, Event: reason, Data: r.data("usage")}
	if reason == "cancelled" && a.cancelled {
		s.EndedBy = "supervisor"
	}
	switch {
	case reason != "end_turn" || a.broken || a.failed:
		a.fail(s)
	case a.assistant || a.tool:
		a.overcome()
		a.add(s)
		a.succeeded = true
		a.progress()
	default:
		a.add(s)
	}
}

// overcome demotes the failures that a turn got over.
func (a *acp) overcome() {
	a.flush()
	for i := range a.signals {
		switch s := &a.signals[i]; s.Kind {
		case evidence.KindACPError:
			s.InFlight = true
		case evidence.KindACPUpdate:
			s.InFlight = s.InFlight || !s.Prose && s.Event != "permission_denied"
		case evidence.KindHTTP, evidence.KindACPResult, evidence.KindStderr, evidence.KindStdout,
			evidence.KindResultEvent, evidence.KindProcessExit:
		}
	}
}
