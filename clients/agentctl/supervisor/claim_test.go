package supervisor_test

import (
	"context"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// over is a ledger whose wakeup has ended.
type over struct {
	*ledger
	ended *supervisor.EndedError
}

func (l *over) Claim(context.Context, time.Time) (supervisor.Run, error) {
	return supervisor.Run{}, l.ended
}

func TestAWakeupThatEndedElsewhereIsNotRun(t *testing.T) {
	t.Parallel()
	cases := []struct {
		status v1.WakeupStatus
		end    supervisor.End
		phase  journal.Phase
		kind   supervisor.NoticeKind
	}{
		{v1.WakeupStatus_WAKEUP_STATUS_COMPLETED, supervisor.EndSucceeded, journal.PhaseCompleted, supervisor.NoticeSucceeded},
		{v1.WakeupStatus_WAKEUP_STATUS_CANCELLED, supervisor.EndCancelled, journal.PhaseCancelled, supervisor.NoticeCancelled},
		{v1.WakeupStatus_WAKEUP_STATUS_FAILED, supervisor.EndStopped, journal.PhaseStopped, supervisor.NoticeStopped},
		{v1.WakeupStatus_WAKEUP_STATUS_TIMED_OUT, supervisor.EndStopped, journal.PhaseStopped, supervisor.NoticeStopped},
	}
	for _, c := range cases {
		t.Run(c.status.String(), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "exit 0\n", journal.Policy{})
			b.Ledger = &over{ledger: &ledger{Ledger: b.Ledger}, ended: &supervisor.EndedError{Status: c.status, By: "ambiguous_delivery"}}
			result, err := b.Run(t.Context(), time.Time{})
			require.NoError(t, err)
			require.Equal(t, c.end, result.End)
			require.Equal(t, c.phase, b.Entry.State().Phase)
			require.Equal(t, []supervisor.NoticeKind{c.kind}, b.kinds())
			require.Equal(t, "0", b.launches(t))
			if c.kind == supervisor.NoticeStopped {
				require.Equal(t, "ambiguous_delivery", b.notices[0].Verdict.Decision.GetReason())
			}
		})
	}
}

// blocked is a ledger whose next claim waits for ever.
type blocked struct {
	*ledger
	waits chan struct{}
	once  sync.Once
	first bool
}

func (l *blocked) Claim(ctx context.Context, due time.Time) (supervisor.Run, error) {
	if !l.first {
		l.first = true
		return l.Ledger.Claim(ctx, due)
	}
	l.once.Do(func() { close(l.waits) })
	<-ctx.Done()
	return supervisor.Run{}, ctx.Err()
}

func TestSignalsDuringAWait(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		signals []syscall.Signal
		end     supervisor.End
		phase   journal.Phase
		cancels int
	}{
		{"two interrupts cancel it", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, supervisor.EndCancelled, journal.PhaseCancelled, 1},
		{"a TERM leaves it to be continued", []syscall.Signal{syscall.SIGTERM}, supervisor.EndWaiting, journal.PhaseWaiting, 0},
		{"so does a HUP after an interrupt", []syscall.Signal{syscall.SIGINT, syscall.SIGHUP}, supervisor.EndWaiting, journal.PhaseWaiting, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "echo '"+overloaded+"'; exit 1\n", journal.Policy{})
			double := &blocked{ledger: &ledger{Ledger: b.Ledger}, waits: make(chan struct{})}
			b.Ledger = double
			signals := make(chan syscall.Signal)
			b.Interrupts = signals
			go func() {
				<-double.waits
				for _, s := range c.signals {
					signals <- s
				}
			}()
			result, err := b.Run(t.Context(), time.Time{})
			require.NoError(t, err)
			require.Equal(t, c.end, result.End)
			require.Equal(t, c.phase, b.Entry.State().Phase)
			require.Equal(t, c.cancels, double.cancelled)
		})
	}
}

// A later job continues with the same flags: what is due by then is run.
func TestNotToWaitIsNotToRefuseWhatIsDue(t *testing.T) {
	t.Parallel()
	b := newBench(t, "[ $n -gt 1 ] && { echo '"+answered+"'; exit 0; }\necho '"+overloaded+"'; exit 1\n", journal.Policy{})
	b.NoWait = true
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndWaiting, result.End)
	result, err = b.Resume(t.Context())
	require.NoError(t, err)
	require.Equal(t, supervisor.EndWaiting, result.End, "it is not due yet")
	require.Equal(t, "1", b.launches(t))
	require.NoError(t, b.clock.Sleep(t.Context(), time.Minute))
	result, err = b.Resume(t.Context())
	require.NoError(t, err)
	require.Equal(t, supervisor.EndSucceeded, result.End)
	require.Equal(t, "2", b.launches(t))
}

func TestNotToWaitIsNotToWaitForTheFirstRunEither(t *testing.T) {
	t.Parallel()
	b := newBench(t, "echo '"+answered+"'\n", journal.Policy{Wait: true})
	b.NoWait = true
	result, err := b.Run(t.Context(), b.clock.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, supervisor.EndWaiting, result.End)
	require.Equal(t, "0", b.launches(t))
	require.Empty(t, b.clock.slept)
	require.Equal(t, []supervisor.NoticeKind{supervisor.NoticeReset}, b.kinds())
}
