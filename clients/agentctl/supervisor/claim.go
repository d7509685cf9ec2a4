package supervisor

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
)

// claim waits for the next run. The end is set when none will come.
func (s *Supervisor) claim(ctx context.Context, due time.Time) (Run, End, error) {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	quit := s.watchInterrupts(waiting, stop)
	var run Run
	err := s.insist(waiting, func() (err error) {
		run, err = s.Ledger.Claim(waiting, due)
		return err
	})
	stop()
	switch <-quit {
	case syscall.SIGINT:
		s.ending = true
		return Run{}, EndCancelled, s.cancel(ctx, "user")
	case 0:
	default:
		return Run{}, EndWaiting, nil // a TERM leaves it to whoever continues it
	}
	if errors.Is(err, context.Canceled) {
		return Run{}, EndWaiting, nil
	}
	if err != nil {
		return Run{}, "", err
	}
	record := journal.Record{Kind: journal.KindClaimed, RunID: run.ID, LeaseToken: run.Token, Send: journal.SendPrompt}
	switch {
	case run.Fresh:
		record.Send = journal.SendFresh
	case run.Continue:
		record.Send = journal.SendContinue
	}
	if err := s.record(record); err != nil {
		return Run{}, "", err
	}
	if n := s.Entry.State().Runs; n > 1 || run.Continue || run.Fresh {
		s.tell(Notice{Kind: NoticeLaunching, Run: n, Continue: run.Continue, Fresh: run.Fresh})
	}
	return run, "", nil
}

// watchInterrupts ends a wait at the second INT, or at the first TERM or HUP,
// and then gives that signal, else 0 once the wait is over.
func (s *Supervisor) watchInterrupts(waiting context.Context, stop context.CancelFunc) <-chan syscall.Signal {
	quit := make(chan syscall.Signal, 1)
	go func() {
		asked := false
		for {
			select {
			case <-waiting.Done():
				quit <- 0
				return
			case sig := <-s.Interrupts:
				if sig == syscall.SIGINT && !asked {
					asked = true
					s.tell(Notice{Kind: NoticeInterrupt})
					continue
				}
				quit <- sig
				stop()
				return
			}
		}
	}()
	return quit
}
