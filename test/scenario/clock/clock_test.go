package clock

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// patience bounds every wait; a healthy machine needs a fraction of it.
const patience = time.Minute

// steps are how the database's clock jumps, one after the other: as when a
// machine wakes, a time server corrects it, or an operator errs.
var steps = []time.Duration{time.Hour, -time.Hour, -10 * time.Minute, time.Second, time.Hour, -time.Second, 10 * time.Minute, -time.Hour}

// owner keeps a run alive, at one replica and then at the other.
type owner struct {
	claim work.Claim
	beats atomic.Int64
}

func (b *bench) keep(ctx context.Context, o *owner, errs chan<- error) {
	tick := time.NewTicker(lease / 5)
	defer tick.Stop()
	for i := 0; ; i++ {
		if _, err := b.replicas[i%2].HeartbeatRun(ctx, work.HeartbeatRun{Lease: leaseOf(o.claim)}); err != nil {
			if ctx.Err() == nil {
				errs <- err
			}
			return
		}
		o.beats.Add(1)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// A lease that its owner renews in time is never taken away, however the
// database's clock moves.
func TestAKeptLeaseOutlivesEveryStep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 8)
	var done sync.WaitGroup
	var owners []*owner
	for i := range 4 {
		o := &owner{claim: b.deliver(i % 2)}
		owners = append(owners, o)
		done.Go(func() { b.keep(ctx, o, errs) })
	}
	for round := range rounds {
		b.step(steps[round%len(steps)])
		// More than a lease's worth of renewals: whatever would expire has by then.
		var want []int64
		for _, o := range owners {
			want = append(want, o.beats.Load()+8)
		}
		for i, o := range owners {
			require.Eventually(t, func() bool { return o.beats.Load() >= want[i] || len(errs) > 0 }, patience, 5*time.Millisecond)
		}
		select {
		case err := <-errs:
			t.Fatalf("after a step of %s: %v", steps[round%len(steps)], err)
		default:
		}
	}
	cancel()
	done.Wait()
	for _, o := range owners {
		require.Equal(t, recovery.RunDelivered, b.run(o.claim.Run.ID).State)
	}
}

// A lease that nobody renews ends, but not before the time that was promised
// has passed for whoever holds it, whose own clock did not jump.
func TestASilentLeaseIsNotShorterThanPromised(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{time.Hour, time.Second, lease, -10 * time.Minute} {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			// Somebody else shows that the way to the servers is open.
			ctx, cancel := context.WithCancel(t.Context())
			other := &owner{claim: b.deliver(1)}
			errs := make(chan error, 1)
			var done sync.WaitGroup
			done.Go(func() { b.keep(ctx, other, errs) })
			defer func() { cancel(); done.Wait() }()
			// The reconcilers' own start is over: only the step is left.
			require.Eventually(t, func() bool { return other.beats.Load() >= 8 }, patience, 5*time.Millisecond)
			c, ok := b.claim(0, b.begin(0).ID, 0)
			require.True(t, ok)
			granted := time.Now()
			b.step(by)
			if by < 0 {
				// Longer than promised is safe; it ends once the clock is right again.
				require.Eventually(t, func() bool { return time.Since(granted) > lease }, patience, 5*time.Millisecond)
				require.Equal(t, recovery.RunClaimed, b.run(c.Run.ID).State)
				b.step(-by)
			}
			require.Eventually(t, func() bool { return b.run(c.Run.ID).State != recovery.RunClaimed }, patience, 2*time.Millisecond)
			require.GreaterOrEqual(t, time.Since(granted), lease, "the lease was cut short")
			require.Empty(t, errs, "the other lease was kept")
			w, err := b.replicas[0].GetWakeup(t.Context(), workspace, c.Wakeup.ID)
			require.NoError(t, err)
			require.Equal(t, recovery.WakeupQueued, w.Status, "what was not sent is armed again")
		})
	}
}

// Retries go on through steps: none is early by the clock that rules, and none
// is granted twice.
func TestRetriesThroughSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	var cycles atomic.Int64
	for i := range 4 {
		done.Go(func() {
			for ctx.Err() == nil {
				b.cycle(ctx, i%2)
				cycles.Add(1)
			}
		})
	}
	for round := range rounds {
		b.step(steps[round%len(steps)])
		want := cycles.Load() + 8
		require.Eventually(t, func() bool { return cycles.Load() >= want || t.Failed() }, patience, 5*time.Millisecond)
	}
	cancel()
	done.Wait()
	b.requireEachSentOnce()
}

// cycle fails a prompt until its retries are used, or until the clock has gone
// back so far that the next is not worth waiting for.
func (b *bench) cycle(ctx context.Context, replica int) {
	w := b.begin(replica)
	for range settings().InteractiveDelays {
		c, ok := b.claim(replica, w.ID, 300*time.Millisecond)
		if !ok || ctx.Err() != nil {
			return
		}
		for _, r := range b.replicas { // a second grant is asked for, at the other replica
			_, err := r.BeginSend(b.t.Context(), leaseOf(c))
			if reason := fault.From(err); err != nil && reason.Reason != fault.ReasonStaleVersion {
				// A step may have ended the lease: then nothing was granted at all.
				if reason.Reason != fault.ReasonStaleLease && reason.Reason != fault.ReasonRunAlreadySettled {
					b.t.Errorf("begin send: %v", err)
				}
				return
			}
		}
		w = b.fail(1-replica, c)
	}
}

// requireEachSentOnce: of each wakeup at most one run is open, and the next was
// claimed only after the one before had settled.
func (b *bench) requireEachSentOnce() {
	b.t.Helper()
	page, err := b.replicas[0].ListRuns(b.t.Context(), work.ListRuns{WorkspaceID: workspace, PageSize: 1000})
	require.NoError(b.t, err)
	open := map[string]int{}
	seen := map[string]map[int]bool{}
	for _, r := range page.Runs {
		if r.State != recovery.RunSettled {
			open[r.WakeupID]++
		}
		if seen[r.WakeupID] == nil {
			seen[r.WakeupID] = map[int]bool{}
		}
		require.False(b.t, seen[r.WakeupID][r.Ordinal], "two runs of one number")
		seen[r.WakeupID][r.Ordinal] = true
	}
	for id, n := range open {
		require.LessOrEqual(b.t, n, 1, "%s has %d open runs", id, n)
	}
}
