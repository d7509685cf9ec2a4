package run

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// status tells a person on standard error what happens. A terminal gets one
// live line while it waits, everything else one line per change.
type status struct {
	inv     *cli.Invocation
	quiet   bool
	onEvent string
	// eventLimit is how long onEvent may take.
	eventLimit time.Duration
	plan       adapter.Plan
	server     bool

	mu   sync.Mutex
	live chan struct{} // closed to end the live line, nil when there is none
	gone chan struct{} // closed when it is gone
}

func newStatus(inv *cli.Invocation, quiet bool, onEvent string) *status {
	return &status{inv: inv, quiet: quiet, onEvent: onEvent, eventLimit: eventTimeout}
}

// about says whose run it is.
func (s *status) about(plan adapter.Plan, server bool) { s.plan, s.server = plan, server }

// say prints one line unless it is quiet.
func (s *status) say(text string) {
	if !s.quiet {
		s.print(text)
	}
}

func (s *status) print(text string) {
	fmt.Fprintf(s.inv.Err, "agentctl: %s\n", cli.Clean(text))
}

// done ends the live line.
func (s *status) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil {
		close(s.live)
		<-s.gone
		s.live = nil
	}
}

// tell takes what the supervisor has to say.
func (s *status) tell(n supervisor.Notice) {
	if n.Kind != supervisor.NoticeInterrupt {
		s.done()
	}
	switch n.Kind {
	case supervisor.NoticeWaiting, supervisor.NoticeReset:
		s.waiting(n)
	case supervisor.NoticeLaunching:
		s.say(launching(n))
	case supervisor.NoticeStopped, supervisor.NoticeParked:
		s.stopped(n)
	case supervisor.NoticeCancelled:
		s.cancelled(n)
	case supervisor.NoticeSucceeded:
		if n.Run > 1 {
			s.say(fmt.Sprintf("succeeded in run %d", n.Run))
		}
	default:
		s.say(s.aside(n))
	}
	s.event(n)
}

// aside has the words for what changes nothing by itself.
func (s *status) aside(n supervisor.Notice) string {
	switch n.Kind {
	case supervisor.NoticeOwnRetry:
		return ownRetry(n)
	case supervisor.NoticeOwnRetryOver:
		return fmt.Sprintf("the agent did nothing but retry by itself for %s: ending it", wording.Span(n.Spent))
	case supervisor.NoticeStopAsked:
		return "a person asked to end this run: ending the agent"
	case supervisor.NoticeUnreachable:
		return "the server cannot be reached; asking again until it answers, nothing is lost"
	case supervisor.NoticeReachable:
		return "the server answers again"
	case supervisor.NoticeLeaseLost:
		return "somebody else owns this run now: ending the agent"
	case supervisor.NoticeStopping:
		return "ending the agent"
	case supervisor.NoticeInterrupt:
		return "interrupt again to stop; nothing is running now"
	}
	return string(n.Kind)
}

func ownRetry(n supervisor.Notice) string {
	text := "the agent retries by itself"
	if n.Cause != "" {
		text += " (" + n.Cause + ")"
	}
	if n.After > 0 {
		text += " in " + wording.Span(n.After)
	}
	return text + fmt.Sprintf("; nothing is done before %s of it have passed", wording.Span(n.Budget))
}

func launching(n supervisor.Notice) string {
	if n.Continue {
		return fmt.Sprintf("run %d: resuming the agent's own session with the continue instruction", n.Run)
	}
	if n.Fresh {
		return fmt.Sprintf("run %d: starting fresh in a new session of the agent, that first looks at what is there", n.Run)
	}
	return fmt.Sprintf("run %d: the same command again", n.Run)
}

// stopped prints the three lines of every stop: the cause; until when and who
// said so; the exact next command.
func (s *status) stopped(n supervisor.Notice) {
	summary := Summary(n)
	subject := s.subject(n)
	if !summary.Until.IsZero() {
		subject.Left = summary.Until.Sub(s.inv.Clock.Now())
	}
	word := "stopped"
	next := wording.Next(summary.Next, subject)
	if n.Kind == supervisor.NoticeParked {
		word, next = "waiting", "agentctl run --continue "+n.WakeupID
	}
	cause, until := wording.Cause(summary), wording.Until(summary, s.inv.Clock.Now())
	switch {
	case n.NotReplayable:
		until = "nothing is waited for: its prompt cannot be sent again"
		next = "run it again yourself: its standard input was over 1 MiB and was not kept"
	case s.sessionGone(n):
		next = "agentctl run --continue " + n.WakeupID + " --fresh   (a new session of the agent, that first looks at what is there)"
	case interrupted(n):
		cause, until, next = "you ended the agent", "somebody goes on with it", subject.Continue()
	}
	s.print(word + ": " + cause)
	s.print("until: " + until)
	s.print("next: " + next)
	s.bell()
}

// interrupted: the user's own signal ended the agent, and no other cause is known.
func interrupted(n supervisor.Notice) bool {
	if n.Verdict.Classification.GetCode() != v1.Code_CODE_UNCLASSIFIED {
		return false
	}
	return slices.ContainsFunc(n.Envelope.GetSignals(), func(s *v1.Signal) bool { return s.GetProcessExit().GetEndedBy() == "user" })
}

// cancelled: a run that a person stopped has its three lines too.
func (s *status) cancelled(n supervisor.Notice) {
	next := "agentctl run --continue " + n.WakeupID
	switch n.By {
	case supervisor.ByStopRequest:
	case "input_not_replayable": // the stop that follows tells it
		return
	case "cancelled":
		s.say("cancelled at the server; to go on later: " + next)
		return
	default:
		s.say("cancelled by " + strings.ReplaceAll(n.By, "_", " ") + "; to go on later: " + next)
		return
	}
	s.print("stopped: a person asked the server to end this run")
	s.print("until: somebody goes on with it")
	s.print("next: " + next)
	s.bell()
}

func (s *status) subject(n supervisor.Notice) wording.Subject {
	return wording.Subject{WakeupID: n.WakeupID, AgentKind: s.plan.Kind, Resumable: n.Resumable, Server: s.server, Said: n.Verdict.Classification.GetSafeExcerpt()}
}

// Summary is the data of the three lines of a notice.
func Summary(n supervisor.Notice) recovery.Summary {
	facts := recovery.Facts{Effects: wire.EffectsBack(n.Envelope.GetEffects())}
	return recovery.Summarise(facts, wire.ClassificationBack(n.Verdict.Classification), wire.DecisionBack(n.Verdict.Decision))
}

// waiting tells about the wait before the next attempt.
func (s *status) waiting(n supervisor.Notice) {
	text := func() string { return waitingText(n, s.inv.Clock.Now()) }
	if s.quiet {
		return
	}
	if !s.inv.ErrTTY || s.inv.Tick == 0 {
		s.print(text())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	live, gone := make(chan struct{}), make(chan struct{})
	s.live, s.gone = live, gone
	go func() {
		defer close(gone)
		ticker := time.NewTicker(s.inv.Tick)
		defer ticker.Stop()
		for {
			fmt.Fprintf(s.inv.Err, "\r\x1b[Kagentctl: %s", cli.Clean(text()))
			select {
			case <-live:
				fmt.Fprint(s.inv.Err, "\r\x1b[K")
				return
			case <-ticker.C:
			}
		}
	}()
}

func waitingText(n supervisor.Notice, now time.Time) string {
	if n.Kind == supervisor.NoticeReset {
		return "waiting for the stated reset, until " + wording.Instant(n.Due, now)
	}
	decision := wire.DecisionBack(n.Verdict.Decision)
	what := "the same command again"
	if n.Continue {
		what = "resuming its own session"
	}
	text := fmt.Sprintf("%s: %s ", wire.CodeWord(n.Verdict.Classification.GetCode()), what)
	if left := n.Due.Sub(now); left > 0 {
		text += "in " + wording.Span(left)
	} else if n.Verdict.Decision != nil {
		text += "now: due"
	}
	if decision.MaxAttempts > 0 && decision.Ordinal > 0 {
		text += fmt.Sprintf(" (%d/%d)", decision.Ordinal, decision.MaxAttempts)
	}
	if decision.Receipt.Kind == recovery.ReceiptStated {
		text += fmt.Sprintf(", as stated by %q", decision.Receipt.Source)
	}
	return text
}

// bell calls a person who looks at another window.
func (s *status) bell() {
	if s.inv.ErrTTY && !s.quiet {
		fmt.Fprint(s.inv.Err, "\a")
	}
}
