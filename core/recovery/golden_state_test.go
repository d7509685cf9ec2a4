package recovery_test

import (
	"strings"

	"github.com/recourse-dev/recourse/core/recovery"
)

func (p *printer) states() {
	p.title("Legal transitions")
	p.head("of", "from", "to")
	for _, from := range recovery.SessionStatuses() {
		p.row("session", string(from), targets(from, recovery.SessionStatuses()))
	}
	for _, from := range recovery.WakeupStatuses() {
		p.row("wakeup", string(from), targets(from, recovery.WakeupStatuses()))
	}
	for _, from := range recovery.RunStatuses() {
		p.row("run", string(from), targets(from, recovery.RunStatuses()))
	}
	p.title("Legal combinations of wakeup, newest run and session")
	p.head("wakeup", "run", "session")
	for _, wakeup := range recovery.WakeupStatuses() {
		for _, run := range append(recovery.RunStatuses(), recovery.RunNone) {
			var sessions []string
			for _, session := range recovery.SessionStatuses() {
				if recovery.Legal(session, wakeup, run) {
					sessions = append(sessions, string(session))
				}
			}
			if len(sessions) > 0 {
				p.row(string(wakeup), orDash(string(run)), strings.Join(sessions, ", "))
			}
		}
	}
}

func targets[S interface {
	~string
	CanBecome(to S) bool
}](from S, all []S) string {
	var names []string
	for _, to := range all {
		if from.CanBecome(to) {
			names = append(names, string(to))
		}
	}
	return orDash(strings.Join(names, ", "))
}

func (p *printer) dispatch() {
	p.title("What an event does to a run whose fences hold and whose wakeup is running")
	p.head("event", "claimed", "sending", "delivered", "settled", "lost")
	for _, event := range recovery.RunEvents() {
		cells := []string{string(event)}
		for _, run := range recovery.RunStatuses() {
			f := held(run)
			if event == recovery.EventLeaseExpired {
				f = expired(run)
			}
			cells = append(cells, stepText(advance(f, event)))
		}
		p.row(cells...)
	}
}

func stepText(s recovery.Step) string {
	if s.Refused != "" {
		return string(s.Refused)
	}
	var parts []string
	if s.Run != "" {
		parts = append(parts, "run "+string(s.Run))
	}
	if s.Outcome != "" {
		parts = append(parts, string(s.Outcome))
	}
	if s.Wakeup != "" {
		parts = append(parts, "wakeup "+string(s.Wakeup))
	}
	if s.ByDecision {
		parts = append(parts, "wakeup by decision")
	}
	if s.RenewLease {
		parts = append(parts, "renew")
	}
	if s.StartGrace {
		parts = append(parts, "grace begins")
	}
	if s.StopReason != "" {
		parts = append(parts, string(s.StopReason))
	}
	return strings.Join(parts, ", ")
}

func (p *printer) interrupts() {
	p.title("What interrupts a wakeup")
	header := []string{"interrupt"}
	for _, s := range recovery.Situations() {
		header = append(header, string(s))
	}
	p.head(header...)
	for _, i := range recovery.Interrupts() {
		cells := []string{string(i)}
		for _, s := range recovery.Situations() {
			cells = append(cells, effectText(recovery.Interrupted(s, i)))
		}
		p.row(cells...)
	}
}

func effectText(e recovery.Effect) string {
	if e.Refused != "" {
		return string(e.Refused)
	}
	var parts []string
	if e.To != "" {
		parts = append(parts, string(e.To))
	}
	if e.NextGeneration {
		parts = append(parts, "generation + 1")
	}
	if e.CarryPayload {
		parts = append(parts, "payload carried")
	}
	if e.Coalesce {
		parts = append(parts, "payload appended")
	}
	if e.RequestStop {
		parts = append(parts, "stop requested")
	}
	return orDash(strings.Join(parts, ", "))
}
