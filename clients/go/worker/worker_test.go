package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/go/worker"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

const (
	completed = recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED
	longLease = 30 * time.Second
)

func started(context.Context) error { return nil }

// succeed delivers a job and lets it succeed.
func succeed(ctx context.Context, job *worker.Job) worker.Outcome {
	if err := job.Send(ctx, started); err != nil {
		return worker.NotSent(err)
	}
	if err := job.Delivered(ctx, "native-"+job.Run.GetRunId()); err != nil {
		return worker.NotSent(err)
	}
	_ = job.Progress(ctx, answered, "")
	return worker.Succeeded(answered)
}

func TestEveryPromptIsRunOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	var mu sync.Mutex
	got := map[string]int{}
	running, most := 0, 0
	b.work(worker.Config{Concurrency: 4, Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		mu.Lock()
		got[job.Payload]++
		running++
		most = max(most, running)
		mu.Unlock()
		defer func() { mu.Lock(); running--; mu.Unlock() }()
		return succeed(ctx, job)
	}})
	var ids []string
	for i := range 20 {
		ids = append(ids, b.enqueue(fmt.Sprint("prompt ", i)).GetWakeupId())
	}
	for _, id := range ids {
		w := b.becomes(id, completed)
		require.EqualValues(t, 1, w.GetRunCount())
		require.NotEmpty(t, w.GetNativeSessionId())
	}
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, got, 20)
	require.LessOrEqual(t, most, 4)
}

func TestAFailureIsRetriedByTheServersDecision(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	var runs atomic.Int32
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		if runs.Add(1) > 1 {
			return succeed(ctx, job)
		}
		if err := job.Send(ctx, started); err != nil {
			return worker.NotSent(err)
		}
		return worker.Failed(overloaded())
	}})
	id := b.enqueue("do it").GetWakeupId()
	w := b.becomes(id, completed)
	require.EqualValues(t, 2, w.GetRunCount())
	require.EqualValues(t, 1, w.GetRetryCount())
}

func TestALostAnswerToBeginSendIsNoSecondSend(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	b.faults.lostSends.Store(2)
	b.faults.lostEnds.Store(2)
	var sends atomic.Int32
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		if err := job.Send(ctx, func(sending context.Context) error {
			sends.Add(1)
			deadline, bounded := sending.Deadline()
			require.True(t, bounded)
			require.LessOrEqual(t, time.Until(deadline), 10*time.Second, "never more than is certain")
			return nil
		}); err != nil {
			return worker.NotSent(err)
		}
		return worker.Succeeded(answered)
	}})
	w := b.becomes(b.enqueue("do it").GetWakeupId(), completed)
	require.EqualValues(t, 1, sends.Load())
	require.EqualValues(t, 1, w.GetRunCount())
}

func TestWhatCannotStartIsNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	id := make(chan string, 9)
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		err := job.Send(ctx, func(context.Context) error { return errors.New("fork/exec claude: no such file or directory") })
		id <- job.Run.GetRunId()
		return worker.NotSent(err)
	}})
	b.enqueue("do it")
	run := <-id
	require.Eventually(t, func() bool {
		answer, err := b.client.Recovery.GetRun(t.Context(), &recoursev1.GetRunRequest{RunId: run})
		return err == nil && answer.GetRun().GetOutcome() == recoursev1.RunOutcome_RUN_OUTCOME_NOT_SENT
	}, 10*time.Second, 10*time.Millisecond)
}

// A child goes on through an outage that is longer than its lease; its success
// counts when the server is back, because nobody else has acted meanwhile.
func TestADeliveredChildOutlivesAnOutage(t *testing.T) {
	t.Parallel()
	b := setup(t, shortLease)
	running, finish := make(chan struct{}), make(chan struct{})
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		if err := job.Send(ctx, started); err != nil {
			return worker.NotSent(err)
		}
		_ = job.Delivered(ctx, "native")
		close(running)
		<-finish
		if ctx.Err() != nil {
			t.Error("the child was ended by an outage:", context.Cause(ctx))
		}
		return worker.Succeeded(answered)
	}})
	id := b.enqueue("do it").GetWakeupId()
	await(t, running)
	b.faults.down.Store(true)
	b.runBecomes(id, recoursev1.RunState_RUN_STATE_LOST)
	close(finish)
	b.faults.down.Store(false)
	require.EqualValues(t, 1, b.becomes(id, completed).GetRunCount())
}

func (b *bench) runBecomes(wakeupID string, state recoursev1.RunState) *recoursev1.Run {
	b.t.Helper()
	var run *recoursev1.Run
	require.Eventually(b.t, func() bool {
		answer, err := b.client.Recovery.ListRuns(b.t.Context(), &recoursev1.ListRunsRequest{WakeupId: wakeupID})
		if err != nil || len(answer.GetRuns()) == 0 {
			return false
		}
		run = answer.GetRuns()[0]
		return run.GetState() == state
	}, 30*time.Second, 10*time.Millisecond)
	return run
}

func TestALostLeaseEndsTheChild(t *testing.T) {
	t.Parallel()
	b := setup(t, shortLease)
	running, cause := make(chan struct{}), make(chan error, 1)
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		if err := job.Send(ctx, started); err != nil {
			return worker.NotSent(err)
		}
		_ = job.Delivered(ctx, "native")
		close(running)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return worker.Failed(overloaded())
	}})
	id := b.enqueue("do it").GetWakeupId()
	await(t, running)
	b.faults.down.Store(true)
	b.runBecomes(id, recoursev1.RunState_RUN_STATE_LOST)
	b.faults.down.Store(false)
	require.ErrorIs(t, await(t, cause), worker.ErrLeaseLost)
}

func TestAStopRequestReachesTheJobAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	running, stopped := make(chan string, 1), make(chan error, 1)
	b.work(worker.Config{Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		if err := job.Send(ctx, started); err != nil {
			return worker.NotSent(err)
		}
		_ = job.Delivered(ctx, "native")
		running <- job.Run.GetRunId()
		<-ctx.Done()
		stopped <- context.Cause(ctx)
		return worker.Failed(overloaded())
	}})
	id := b.enqueue("do it").GetWakeupId()
	run := await(t, running)
	asked := time.Now()
	_, err := b.client.Recovery.StopRun(t.Context(), &recoursev1.StopRunRequest{RunId: run})
	require.NoError(t, err)
	require.ErrorIs(t, await(t, stopped), worker.ErrStopRequested)
	require.Less(t, time.Since(asked), time.Second)
	b.becomes(id, recoursev1.WakeupStatus_WAKEUP_STATUS_CANCELLED)
}

func TestAStoppingWorkerLetsItsJobsFinish(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	running, finish := make(chan struct{}, 2), make(chan struct{})
	stop := b.work(worker.Config{Grace: time.Minute, Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		running <- struct{}{}
		<-finish
		return succeed(ctx, job)
	}})
	first, second := b.enqueue("one").GetWakeupId(), ""
	await(t, running)
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	second = b.enqueue("two").GetWakeupId()
	close(finish)
	require.NoError(t, <-ended)
	b.becomes(first, completed)
	b.becomes(second, recoursev1.WakeupStatus_WAKEUP_STATUS_QUEUED)
}

func TestAStoppingWorkerEndsWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	running, cause := make(chan struct{}), make(chan error, 1)
	stop := b.work(worker.Config{Grace: 50 * time.Millisecond, Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
		close(running)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return worker.NotSent(context.Cause(ctx))
	}})
	b.enqueue("one")
	await(t, running)
	require.NoError(t, stop())
	require.ErrorIs(t, await(t, cause), worker.ErrDraining)
}

func TestATokenThatIsNotAcceptedEndsTheWorker(t *testing.T) {
	t.Parallel()
	b := setup(t, longLease)
	err := worker.Run(t.Context(), worker.Config{Client: b.client, Workspace: "another", Handle: succeed})
	require.Error(t, err)
	require.Error(t, worker.Run(t.Context(), worker.Config{}))
}
