package why

import (
	"fmt"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// tell prints the story in plain words.
func (s story) tell(inv *cli.Invocation) error {
	now := inv.Clock.Now()
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(inv.Out, "%-9s %s\n", name, cli.Clean(text))
		}
	}
	line("wakeup", s.wakeup.GetWakeupId()+s.who())
	line("state", s.state(now))
	if s.wakeup.GetLastDecision() == nil {
		line("next", s.next(recovery.NextNothing, 0))
		line("you may", s.commands)
		return nil
	}
	result, decided := wire.ClassificationBack(s.wakeup.GetLastClassification()), wire.DecisionBack(s.wakeup.GetLastDecision())
	facts := recovery.Facts{Effects: wire.EffectsBack(s.evidence.GetEffects())}
	summary := recovery.Summarise(facts, result, decided)
	line("cause", s.cause(summary))
	line("evidence", evidence(s.wakeup.GetLastClassification()))
	line("until", wording.Until(summary, now))
	var left time.Duration
	if !summary.Until.IsZero() {
		left = summary.Until.Sub(now)
	}
	line("next", s.next(summary.Next, left))
	line("you may", s.commands)
	line("because", strings.Join(decided.Because, ", "))
	return nil
}

// cause says that a person stopped it, where a person did and nothing else is known.
func (s story) cause(summary recovery.Summary) string {
	if s.wakeup.GetStatusReason() == "stopped" && s.wakeup.GetLastClassification().GetCode() == v1.Code_CODE_UNCLASSIFIED {
		return "a person asked the server to stop this run; the event stream names them"
	}
	return wording.Cause(summary)
}

func (s story) who() string {
	var parts []string
	if kind := s.wakeup.GetProfile().GetAgentKind(); kind != "" {
		parts = append(parts, kind)
	}
	if n := s.wakeup.GetRunCount(); n == 1 {
		parts = append(parts, "1 run")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d runs", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// states has the words for what a wakeup is doing.
var states = map[v1.WakeupStatus]string{
	v1.WakeupStatus_WAKEUP_STATUS_QUEUED:          "it may run now; nothing was sent yet",
	v1.WakeupStatus_WAKEUP_STATUS_RUNNING:         "its agent is running",
	v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY: "it waits for its next run",
	v1.WakeupStatus_WAKEUP_STATUS_PARKED:          "it is parked: nothing may run now",
	v1.WakeupStatus_WAKEUP_STATUS_COMPLETED:       "it has succeeded",
	v1.WakeupStatus_WAKEUP_STATUS_FAILED:          "it has stopped and needs a person",
	v1.WakeupStatus_WAKEUP_STATUS_TIMED_OUT:       "it ran for too long and was ended",
	v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:       "it was cancelled",
}

func (s story) state(now time.Time) string {
	text := states[s.wakeup.GetStatus()]
	switch s.phase {
	case journal.PhaseContinued:
		text = "a person went on with it as wakeup " + s.by
	case journal.PhaseSending:
		text = "agentctl ended between the permission to send and the start of the agent: whether it ran is not known, so it is never sent again by itself"
	case journal.PhaseEnded:
		text = "its last run has ended, and that was not reported yet"
	}
	if due := s.wakeup.GetDueAt(); due != nil && s.wakeup.GetEndedAt() == nil {
		text += ", due " + wording.Instant(due.AsTime(), now)
	}
	return text
}

func evidence(c *v1.Classification) string {
	var parts []string
	if text := strings.TrimSpace(c.GetSafeExcerpt()); text != "" {
		parts = append(parts, fmt.Sprintf("%q", text))
	}
	if rule := c.GetRuleId(); rule != "" {
		parts = append(parts, "rule "+rule)
	}
	if confidence := wire.ClassificationBack(c).Confidence; confidence != "" {
		parts = append(parts, "confidence "+string(confidence))
	}
	return strings.Join(parts, ", ")
}

func (s story) next(step recovery.NextStep, left time.Duration) string {
	switch {
	case s.phase == journal.PhaseContinued:
		return "agentctl why " + s.by
	case s.phase == journal.PhaseSending:
		return "look at what was done, as with git status; if sending the prompt again does no harm: agentctl run --replay-safe --continue " + s.wakeup.GetWakeupId()
	case s.wakeup.GetStatus() == v1.WakeupStatus_WAKEUP_STATUS_COMPLETED:
		return "nothing"
	case s.wakeup.GetStatus() == v1.WakeupStatus_WAKEUP_STATUS_RUNNING && s.phase != journal.PhaseEnded:
		return "nothing: wait for it"
	case s.wakeup.GetStatus() == v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		step = recovery.NextContinue
	}
	subject := wording.Subject{
		WakeupID: s.wakeup.GetWakeupId(), AgentKind: s.wakeup.GetProfile().GetAgentKind(), Resumable: s.wakeup.GetNativeSessionId() != "",
		Left: left, Said: s.wakeup.GetLastClassification().GetSafeExcerpt(),
	}
	return wording.Next(step, subject)
}
