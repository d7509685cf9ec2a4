// Package supervisor runs one agent command until it has succeeded, until a
// person must act, or until somebody else owns it. What follows a failure is
// decided by its ledger: a server, or this host by the same functions. Nothing
// is ever sent that the journal does not know of.
package supervisor

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Supervisor runs one wakeup. Every field but Stdin and Interrupts is required.
type Supervisor struct {
	Plan     adapter.Plan
	Ledger   Ledger
	Entry    *journal.Entry
	Settings recovery.Settings
	Clock    Clock
	NewID    func() string // a fresh UUID
	// NewSession makes the id that is proposed to an agent for its session.
	NewSession func() string
	Stdin      *spool.Spool // nil gives the agent an empty input
	Out, Err   io.Writer
	Dir        string
	Env        []string
	HostZone   string // IANA name, "" if unknown
	// Version finds the version of an agent that did not print it, nil does not.
	Version func() string
	// NoWait returns instead of waiting for the next attempt.
	NoWait bool
	// Interrupts are the user's: INT, TERM and HUP.
	Interrupts <-chan syscall.Signal
	// Tell takes what happens, one at a time.
	Tell func(Notice)

	telling       sync.Mutex  // of Tell, which the keeper calls too
	unreachable   atomic.Bool // the ledger cannot be reached, and that was told
	interrupted   int         // how often the user interrupted
	ending        bool        // the user wants it all to end
	stopped       bool        // the ledger was asked to end the run
	journalFailed error
}

// End says how a supervisor ended.
type End string

// The ends.
const (
	EndSucceeded End = "succeeded"
	EndStopped   End = "stopped"   // a person must act
	EndWaiting   End = "waiting"   // it is to be continued, and nobody waits
	EndCancelled End = "cancelled" // the user or another person ended it
	EndLost      End = "lost"      // somebody else owns it
)

// Result is how a wakeup was left.
type Result struct {
	End  End
	Code int // of the last child, as a shell would give it; -1 if none ran
	// Interrupted says that the user ended it with an interrupt.
	Interrupted bool
	Verdict     Verdict
}

// Run runs the wakeup. due is when the next run may begin, zero for at once.
func (s *Supervisor) Run(ctx context.Context, due time.Time) (Result, error) {
	result := Result{End: EndLost, Code: -1}
	if s.NoWait && due.After(s.Clock.Now()) {
		s.tell(Notice{Kind: NoticeReset, Due: due})
		result.End = EndWaiting
		return result, nil
	}
	for {
		run, end, err := s.claim(ctx, due)
		var ended *EndedError
		if errors.As(err, &ended) {
			result.Verdict, end, err = s.endedElsewhere(ended)
		}
		if err != nil || end != "" {
			result.End, result.Interrupted = end, s.ending
			return result, err
		}
		out, err := s.attempt(ctx, run)
		if err != nil {
			return result, s.giveBack(err)
		}
		result.Code = out.code
		if out.succeeded {
			return s.succeed(ctx, run, out, result)
		}
		if out.lostLease != nil {
			return result, nil
		}
		if result.Verdict, err = s.fail(ctx, run, out); err != nil {
			return result, s.giveBack(err)
		}
		var next bool
		if due, next = s.follows(result.Verdict); !next {
			s.printFinal(out)
			result.End = s.tellEnd(result.Verdict, out)
			return result, s.journalFailed
		}
		if end := s.mayGoOn(ctx, result.Verdict, out, due); end != "" {
			s.printFinal(out)
			result.End, result.Interrupted = end, s.ending || out.exit.EndedBy == "user"
			return result, s.journalFailed
		}
	}
}

// Own takes the wakeup for this supervisor.
func (s *Supervisor) Own(supervisorID string) error {
	return s.record(journal.Record{Kind: journal.KindOwned, SupervisorID: supervisorID, PID: os.Getpid()})
}

func (s *Supervisor) beginSend(ctx context.Context, run Run) (within time.Duration, err error) {
	err = s.insist(ctx, func() (err error) {
		within, err = s.Ledger.BeginSend(ctx, run)
		return err
	})
	return within, err
}

// giveBack tells a refusal, which means that somebody else owns the run, from
// an error.
func (s *Supervisor) giveBack(err error) error {
	if notOurs(err) {
		s.tell(Notice{Kind: NoticeLeaseLost, Err: err})
		return nil
	}
	return err
}

func (s *Supervisor) succeed(ctx context.Context, run Run, out outcome, result Result) (Result, error) {
	report := Report{RequestID: s.NewID(), Session: out.session(s.Plan), CostUSD: out.state.CostUSD}
	report.Envelope.Effects = out.state.Effects
	if err := s.recordEnd(report, out); err != nil {
		return result, err
	}
	s.printFinal(out) // before a server that cannot be reached keeps it waiting
	// The lease may have ended meanwhile: a late success counts until a person acts.
	err := s.settle(ctx, func(ctx context.Context) error { return s.Ledger.Succeed(ctx, run, report) })
	if err != nil && !fault.Is(err, fault.ReasonRunAlreadySettled) {
		return result, s.giveBack(err)
	}
	if err := s.record(journal.Record{Kind: journal.KindCompleted}); err != nil {
		return result, err
	}
	s.tell(Notice{Kind: NoticeSucceeded, Run: s.Entry.State().Runs})
	result.End = EndSucceeded
	return result, nil
}

// fail reports a failure and records what follows.
func (s *Supervisor) fail(ctx context.Context, run Run, out outcome) (Verdict, error) {
	report := Report{RequestID: s.NewID(), Envelope: out.envelope, Session: out.session(s.Plan), CostUSD: out.state.CostUSD}
	if err := s.recordEnd(report, out); err != nil {
		return Verdict{}, err
	}
	return s.report(ctx, run, report)
}

// report gives a recorded failure to the ledger; after a crash it is called
// again with the same report.
func (s *Supervisor) report(ctx context.Context, run Run, report Report) (verdict Verdict, err error) {
	err = s.settle(ctx, func(ctx context.Context) (err error) {
		verdict, err = s.Ledger.Fail(ctx, run, report)
		return err
	})
	if err != nil {
		return Verdict{}, err
	}
	return verdict, s.recordVerdict(verdict)
}

// settle insists on a report; a second TERM or INT of the user gives up: the
// journal has the report, and whoever continues the wakeup sends it.
func (s *Supervisor) settle(ctx context.Context, call func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	quit := s.watchInterrupts(ctx, stop)
	err := s.insist(ctx, func() error { return call(ctx) })
	stop()
	if sig := <-quit; sig != 0 {
		s.ending = true
	}
	if errors.Is(err, context.Canceled) {
		return fault.Wrap(err, fault.Unavailable, fault.ReasonShuttingDown, "the outcome of the run is in the journal and was not reported yet")
	}
	return err
}

// follows says when the next run is due, or that none is.
func (s *Supervisor) follows(v Verdict) (due time.Time, next bool) {
	switch v.Status {
	case v1.WakeupStatus_WAKEUP_STATUS_COMPLETED, v1.WakeupStatus_WAKEUP_STATUS_FAILED,
		v1.WakeupStatus_WAKEUP_STATUS_TIMED_OUT, v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		return time.Time{}, false
	}
	at, next := v.RetryAt()
	return at.Add(-s.Ledger.Offset()), next
}

// mayGoOn tells about the wait that follows. The end is set when this process
// does not wait.
func (s *Supervisor) mayGoOn(ctx context.Context, v Verdict, out outcome, due time.Time) End {
	notice := Notice{Kind: NoticeWaiting, Verdict: v, Envelope: wire.Envelope(out.envelope), Due: due, Run: s.Entry.State().Runs}
	notice.Continue = v.Decision.GetSend() == v1.SendKind_SEND_KIND_CONTINUE
	switch {
	case s.ending || out.exit.EndedBy == "user":
		if err := s.cancel(ctx, "user"); err != nil {
			s.journalFailed = err
		}
		return EndCancelled
	case !notice.Continue && s.Stdin != nil && !s.Stdin.Replayable():
		if err := s.cancel(ctx, "input_not_replayable"); err != nil {
			s.journalFailed = err
		}
		notice.Kind, notice.NotReplayable = NoticeStopped, true
		s.tell(notice)
		return EndStopped
	case s.NoWait && due.After(s.Clock.Now()):
		notice.Kind = NoticeParked
		s.tell(notice)
		return EndWaiting
	}
	s.tell(notice)
	return ""
}

// printFinal prints what text mode would have printed, where the agent was
// made to print events. What is retried prints nothing: standard output is the
// answer.
func (s *Supervisor) printFinal(out outcome) {
	if text := out.state.FinalText; s.Plan.Adapted && text != "" && out.state.Succeeded || s.Plan.Adapted && out.state.Failed && text != "" {
		if text[len(text)-1] != '\n' {
			text += "\n"
		}
		_, _ = io.WriteString(s.Out, text)
	}
}

func (s *Supervisor) tell(n Notice) {
	s.telling.Lock()
	defer s.telling.Unlock()
	state := s.Entry.State()
	n.WakeupID, n.Resumable = state.Prompt.WakeupID, s.resumable(state.Session) != ""
	s.Tell(n)
}
