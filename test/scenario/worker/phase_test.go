package worker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/go/worker"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

func started(context.Context) error { return nil }

// Eight prompts meet a provider that is overloaded for a while. One of them
// retries; the others wait for it, start after it one by one, and have spent
// nothing of their own. Nothing falls through to anything else.
func TestOneRunFindsOutForEight(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c := s.Client(t, s.AdminToken)
	const prompts = 8
	var ids []string
	for i := range prompts {
		ids = append(ids, enqueue(t, c, fmt.Sprint("prompt ", i), &recoursev1.PolicyChoice{Preset: recoursev1.PolicyPreset_POLICY_PRESET_PATIENT}).GetWakeupId())
	}
	var sends atomic.Int32
	var together sync.WaitGroup
	together.Add(prompts)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Run(ctx, worker.Config{Client: c, Concurrency: prompts, Supervisor: host, Handle: func(ctx context.Context, job *worker.Job) worker.Outcome {
			if err := job.Send(ctx, started); err != nil {
				return worker.NotSent(err)
			}
			if n := sends.Add(1); n <= prompts { // the first wave meets the overload
				together.Done()
				together.Wait()
				return worker.Failed(overloaded())
			} else if n == prompts+1 {
				return worker.Failed(overloaded()) // and so does the owner's first retry
			}
			return worker.Succeeded(answered)
		}})
	}()
	waited := map[string]bool{}
	require.Eventually(t, func() bool {
		list, err := c.Recovery.ListWakeups(t.Context(), &recoursev1.ListWakeupsRequest{})
		if err != nil {
			return false
		}
		done := 0
		for _, w := range list.GetWakeups() {
			if w.GetWaitsForRunId() != "" {
				waited[w.GetWakeupId()] = true
				require.Equal(t, recoursev1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, w.GetStatus())
			}
			require.NotEqual(t, recoursev1.Action_ACTION_NEXT_CANDIDATE, w.GetLastDecision().GetAction(), "no surface says that a fallback has begun")
			if w.GetStatus() == recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED {
				done++
			}
		}
		return done == prompts
	}, 60*time.Second, 50*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	require.Len(t, waited, prompts-1)
	spent := int32(0)
	for _, id := range ids {
		w, err := c.Recovery.GetWakeup(t.Context(), &recoursev1.GetWakeupRequest{WakeupId: id})
		require.NoError(t, err)
		spent += w.GetWakeup().GetRetryCount()
	}
	require.EqualValues(t, 2, spent, "the owner's only")
	require.EqualValues(t, prompts+2+prompts-1, sends.Load())
}
