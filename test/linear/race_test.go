package linear

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// waiting makes a wakeup that waits for its first retry.
func waiting(ctx context.Context, c *client.Client) (*v1.Wakeup, error) {
	w, err := begin(ctx, c, "")
	if err != nil {
		return nil, err
	}
	made, err := claim(ctx, c, w.GetWakeupId())
	if err != nil {
		return nil, err
	}
	run, token := made.GetRun().GetRunId(), made.GetLeaseToken()
	if _, err := c.Recovery.BeginSend(ctx, &v1.BeginSendRequest{RunId: run, LeaseToken: token}); err != nil {
		return nil, err
	}
	if _, err := c.Recovery.MarkDelivered(ctx, &v1.MarkDeliveredRequest{RunId: run, LeaseToken: token}); err != nil {
		return nil, err
	}
	answer, err := c.Recovery.ReportFailure(ctx, overloaded(run, token))
	return answer.GetWakeup(), err
}

// prepare makes n wakeups that wait, and returns when all of them are due.
func prepare(t *testing.T, callers []*client.Client, n int) []*v1.Wakeup {
	t.Helper()
	out := make([]*v1.Wakeup, n)
	ctx := t.Context()
	var done sync.WaitGroup
	errs := make([]error, len(callers))
	for i, c := range callers {
		done.Go(func() {
			for k := i; k < n && errs[i] == nil; k += len(callers) {
				out[k], errs[i] = waiting(ctx, c)
			}
		})
	}
	done.Wait()
	var last time.Time
	for _, err := range errs {
		require.NoError(t, err)
	}
	for _, w := range out {
		require.Equal(t, v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, w.GetStatus())
		if due := w.GetDueAt().AsTime(); due.After(last) {
			last = due
		}
	}
	<-time.After(time.Until(last) + 50*time.Millisecond) // server and test share a machine, hence a clock
	return out
}

func callersOf(b *bench) []*client.Client {
	var out []*client.Client
	for i := range clients {
		out = append(out, b.client(i))
	}
	return out
}

// TestOneRetryHasOneWinnerOfEachKind: the timer's claim, Retry now, Cancel and
// a new prompt meet at one due retry, each twice, on both replicas.
func TestOneRetryHasOneWinnerOfEachKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	callers := callersOf(b)
	won := map[string]int{}
	const batch = 100
	for done := 0; done < raceRounds; done += batch {
		for _, w := range prepare(t, callers, min(batch, raceRounds-done)) {
			meet(t, callers, w, won)
		}
	}
	b.requireSound()
	t.Logf("who won: %v", won)
	if raceRounds < 100 {
		return // too few for each to win
	}
	for _, kind := range []string{"claim", "retryNow", "cancel", "begin"} {
		require.NotZero(t, won[kind], "%s never won: the race is none", kind)
	}
}

// meet is one race; it counts who was told to have won.
func meet(t *testing.T, callers []*client.Client, w *v1.Wakeup, won map[string]int) {
	t.Helper()
	id, version, ctx := w.GetWakeupId(), w.GetVersion(), t.Context()
	kinds := map[string]func(*client.Client) error{
		"claim": func(c *client.Client) error {
			made, err := claim(ctx, c, id)
			if err == nil && made == nil {
				return fault.New(fault.Internal, fault.ReasonInternal, "a due retry is said to be early")
			}
			return err
		},
		"retryNow": func(c *client.Client) error {
			_, err := c.Recovery.RetryNow(ctx, &v1.RetryNowRequest{WakeupId: id, ExpectedVersion: version})
			return err
		},
		"cancel": func(c *client.Client) error {
			_, err := c.Recovery.CancelWait(ctx, &v1.CancelWaitRequest{WakeupId: id, ExpectedVersion: version})
			return err
		},
		"begin": func(c *client.Client) error { _, err := begin(ctx, c, w.GetSessionId()); return err },
	}
	var names []string
	var fs []func() error
	for name, do := range kinds { // in an order that varies
		for range 2 {
			c := callers[len(fs)]
			names, fs = append(names, name), append(fs, func() error { return do(c) })
		}
	}
	wins := map[string]int{}
	for i, err := range together(fs...) {
		if err == nil {
			wins[names[i]]++
			continue
		}
		requireLost(t, names[i], err, version)
	}
	requireOutcome(t, callers[0], w, wins)
	for kind, n := range wins {
		won[kind] += n
	}
}

// requireLost: a loser is told what is now, and by which version.
func requireLost(t *testing.T, kind string, err error, version int64) {
	t.Helper()
	f := fault.From(err)
	allowed := map[string][]fault.Reason{
		"claim":    {fault.ReasonNotClaimable, fault.ReasonStaleGeneration},
		"retryNow": {fault.ReasonStaleVersion},
		"cancel":   {fault.ReasonStaleVersion},
		"begin":    {fault.ReasonSessionBusy},
	}
	require.Contains(t, allowed[kind], f.Reason, "%s: %v", kind, err)
	switch f.Reason {
	case fault.ReasonNotClaimable, fault.ReasonStaleVersion:
		require.NotEmpty(t, f.Metadata["status"], "%v", f.Metadata)
		require.NotEmpty(t, f.Metadata["version"], "%v", f.Metadata)
		require.NotEqual(t, strconv.FormatInt(version, 10), f.Metadata["version"], "%v", err)
	case fault.ReasonSessionBusy:
		require.NotEmpty(t, f.Metadata["run_id"])
	}
}

func requireOutcome(t *testing.T, c *client.Client, w *v1.Wakeup, wins map[string]int) {
	t.Helper()
	require.LessOrEqual(t, wins["claim"], 1)
	require.LessOrEqual(t, wins["retryNow"]+wins["cancel"], 1, "two clicks on one version: %v", wins)
	require.False(t, wins["claim"] > 0 && wins["cancel"] > 0, "%v", wins)
	require.False(t, wins["claim"] > 0 && wins["begin"] > 0, "a live run and a new prompt: %v", wins)
	require.Positive(t, wins["claim"]+wins["cancel"]+wins["begin"], "nobody won: %v", wins)
	if wins["claim"] == 0 {
		require.Equal(t, 2, wins["begin"], "only a live run keeps a prompt out: %v", wins)
	}
	got, err := c.Recovery.GetWakeup(t.Context(), &v1.GetWakeupRequest{WakeupId: w.GetWakeupId()})
	require.NoError(t, err)
	want := v1.WakeupStatus_WAKEUP_STATUS_CANCELLED
	if wins["claim"] > 0 {
		want = v1.WakeupStatus_WAKEUP_STATUS_RUNNING
	}
	require.Equal(t, want, got.GetWakeup().GetStatus(), "%v", wins)
	require.EqualValues(t, 1+wins["claim"], got.GetWakeup().GetRunCount())
}

// TestEightClaimersOfOneRetry: one gets it, the others hear what it is now.
func TestEightClaimersOfOneRetry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	callers := callersOf(b)
	const batch = 100
	for done := 0; done < raceRounds; done += batch {
		for _, w := range prepare(t, callers, min(batch, raceRounds-done)) {
			var fs []func() error
			runs := make([]string, len(callers))
			for i, c := range callers {
				ctx := t.Context()
				fs = append(fs, func() error {
					made, err := claim(ctx, c, w.GetWakeupId())
					runs[i] = made.GetRun().GetRunId()
					return err
				})
			}
			winners := 0
			for i, err := range together(fs...) {
				if err != nil {
					requireLost(t, "claim", err, w.GetVersion())
					continue
				}
				require.NotEmpty(t, runs[i], "a due retry is said to be early")
				winners++
			}
			require.Equal(t, 1, winners)
		}
	}
	b.requireSound()
}
