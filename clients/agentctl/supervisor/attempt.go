package supervisor

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/launch"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/core/recovery"
)

// lookInterval is how often the agent's output is weighed while it works.
const lookInterval = 200 * time.Millisecond

// linger is how long output is read from what an ended agent left behind.
const linger = 2 * time.Second

// errLate: the acknowledgement came, and then the host slept past its margin.
var errLate = errors.New("the permission to send had run out before the process could start")

// attempt runs one claimed run to its end. The error is one of the ledger or
// the journal; a process that fails is an outcome.
func (s *Supervisor) attempt(ctx context.Context, run Run) (outcome, error) {
	command, err := s.command(run)
	if err != nil {
		return outcome{}, err
	}
	asked := time.Now() // monotonic: the margin is counted by this host's own clock
	within, err := s.beginSend(ctx, run)
	if err != nil {
		return outcome{}, err
	}
	if err := s.record(journal.Record{Kind: journal.KindSending}); err != nil {
		return outcome{}, err
	}
	if within > 0 && time.Since(asked) >= within {
		return s.notSent(errLate)
	}
	watch := newObserver(s.Plan, s.Out, s.Err)
	c := child.Command{
		Argv: command.Argv, Dir: s.Dir, Env: s.Env, Out: watch.stdout(), Err: watch.stderr(),
		Grace: s.Settings.TermToKill, Linger: linger,
	}
	if command.Stdin && s.Stdin != nil {
		c.In = io.MultiReader(strings.NewReader(command.Before), s.Stdin.Reader())
		defer s.Stdin.Release()
	}
	process, err := child.Start(c)
	if err != nil {
		return s.notSent(err)
	}
	if err := s.record(journal.Record{Kind: journal.KindDelivered, PID: process.PID()}); err != nil {
		// What cannot be remembered must not go on: a crash would forget that it ran.
		process.Stop("supervisor")
		<-process.Ended()
		return outcome{}, err
	}
	return s.follow(ctx, run, process, watch), nil
}

// command is the command line of a run.
func (s *Supervisor) command(run Run) (launch.Command, error) {
	switch {
	case run.Fresh:
		return s.Plan.Fresh(recovery.FreshInstruction, s.NewSession)
	case !run.Continue:
		state := s.Entry.State()
		return s.Plan.Prompt(launch.Request{Retry: state.Runs - 1, Session: state.Session, NewID: s.NewSession}), nil
	}
	command, ok := s.Plan.Resume(run.Session, recovery.ContinueInstruction)
	if !ok {
		return launch.Command{}, errors.New("the decision was to resume the agent's own session, and this command line cannot")
	}
	return command, nil
}

func (s *Supervisor) notSent(err error) (outcome, error) {
	return s.spawnFailed(err), s.record(journal.Record{Kind: journal.KindNotSent})
}

// follow watches a child to its end.
func (s *Supervisor) follow(ctx context.Context, run Run, process *child.Process, watch *observer) outcome {
	keeper := s.keep(ctx, run)
	defer keeper.stop()
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	var own ownRetries
	for {
		select {
		case <-process.Ended():
			keeper.stop()
			out := s.outcomeOf(process.Exit(), watch)
			s.noteSession(out.state.NativeSessionID)
			out.lostLease = keeper.lost()
			return out
		case <-ctx.Done():
			process.Stop("supervisor")
			ctx = context.WithoutCancel(ctx)
		case sig := <-s.Interrupts:
			s.interruptChild(process, sig)
		case <-keeper.lostLease:
			s.tell(Notice{Kind: NoticeLeaseLost, Err: keeper.lost()})
			process.Stop("supervisor")
			keeper.lostLease = nil
		case <-keeper.stopAsked:
			s.stopped = true
			s.tell(Notice{Kind: NoticeStopAsked})
			process.Stop("user")
			keeper.stopAsked = nil
		case <-ticker.C:
			s.weigh(process, watch, keeper, &own)
		}
	}
}

// ownRetries is what was told of the agent's own retries.
type ownRetries struct {
	told  bool
	over  bool // they went on for too long, and the agent is being ended
	cause string
	after time.Duration
}

// weigh looks at what was printed: effects and the session are recorded, the
// agent's own retries are told, and ended when they go on for too long.
func (s *Supervisor) weigh(process *child.Process, watch *observer, keeper *keeper, own *ownRetries) {
	now := s.Clock.Now()
	state, news := watch.look(now)
	if news {
		s.noteSession(state.NativeSessionID)
		keeper.progress(state.Effects, s.resumable(state.NativeSessionID))
	}
	spent, budget := watch.retryingFor(now), s.Settings.OwnRetryBudget
	if !state.Retrying {
		own.told = false
		return
	}
	switch {
	case own.over:
	case spent >= budget:
		own.over = true
		s.tell(Notice{Kind: NoticeOwnRetryOver, Cause: state.RetryCause, Spent: spent, Budget: budget})
		process.Stop("supervisor")
	case !own.told || own.cause != state.RetryCause || own.after != state.RetryAfter:
		own.told, own.cause, own.after = true, state.RetryCause, state.RetryAfter
		s.tell(Notice{Kind: NoticeOwnRetry, Cause: state.RetryCause, After: state.RetryAfter, Spent: spent, Budget: budget})
	}
}

// interruptChild: the first interrupt is the child's to handle, the second
// ends it, as any TERM or HUP does.
func (s *Supervisor) interruptChild(process *child.Process, sig syscall.Signal) {
	s.interrupted++
	s.ending = s.ending || sig != syscall.SIGINT
	if sig == syscall.SIGINT && s.interrupted == 1 {
		process.Signal(sig)
		return
	}
	s.ending = true
	s.tell(Notice{Kind: NoticeStopping})
	process.Stop("user")
}

// resumable is the session if this command line can resume it.
func (s *Supervisor) resumable(session string) string {
	if session == "" || !s.Plan.Resumable() {
		return ""
	}
	return session
}

func (s *Supervisor) noteSession(session string) {
	if session == "" || session == s.Entry.State().Session {
		return
	}
	if err := s.record(journal.Record{Kind: journal.KindSession, Session: session}); err != nil {
		s.journalFailed = err
	}
}
