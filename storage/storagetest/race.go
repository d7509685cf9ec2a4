package storagetest

import (
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"of many claimers one gets the wakeup":            claimRace,
	"timer, cancel and new prompt have one winner":    waitRace,
	"success, failure and expiry have one winner":     settleRace,
	"a heartbeat and the reconciler never both win":   leaseRace,
	"of many first starts one makes the workspace":    bootstrapRace,
	"prompts into one session get rising generations": promptRace,
})

// together starts every function at once and returns their errors.
func together(fs ...func() error) []error {
	errs := make([]error, len(fs))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, f := range fs {
		wg.Go(func() {
			<-start
			errs[i] = f()
		})
	}
	close(start)
	wg.Wait()
	return errs
}

func (b *bench) oneWinner(errs []error, losers ...fault.Reason) (winner int) {
	winner = -1
	for i, err := range errs {
		if err == nil {
			require.Equal(b.t, -1, winner, "two winners")
			winner = i
			continue
		}
		require.Contains(b.t, losers, fault.From(err).Reason, "%v", err)
	}
	require.NotEqual(b.t, -1, winner, "no winner: %v", errs)
	return winner
}

const rounds = 20

func claimRace(b *bench) {
	for range rounds {
		id := b.begin().Wakeup.ID
		var fs []func() error
		for i := range 6 {
			by := laptop
			if i%2 == 1 {
				by = laptopTwo
			}
			fs = append(fs, func() error { _, err := b.tryClaim(id, by, true); return err })
		}
		b.oneWinner(together(fs...), fault.ReasonNotClaimable)
		require.Equal(b.t, 1, b.wakeup(id).RunCount)
	}
}

func waitRace(b *bench) {
	for range rounds {
		c := b.claim(b.begin().Wakeup.ID)
		b.deliver(c)
		w := b.fail(c, overloaded).Wakeup
		b.clock.advance(w.DueAt.Sub(b.clock.Now()))
		in := b.prompt()
		in.SessionID = w.SessionID
		errs := together(
			func() error { _, err := b.tryClaim(w.ID, laptop, false); return err },
			func() error { _, err := b.cancel(w.ID, w.Version); return err },
			func() error { _, err := b.tryBegin(in); return err },
		)
		claimed, cancelled, begun := errs[0] == nil, errs[1] == nil, errs[2] == nil
		require.False(b.t, claimed && cancelled, "timer and click both won")
		require.False(b.t, claimed && begun, "a live run and a new prompt")
		require.True(b.t, claimed || cancelled || begun)
		for _, err := range errs {
			if err != nil {
				require.Contains(b.t, []fault.Reason{
					fault.ReasonNotClaimable, fault.ReasonStaleVersion, fault.ReasonStaleGeneration, fault.ReasonSessionBusy,
				}, fault.From(err).Reason, "%v", err)
			}
		}
		want := recovery.WakeupCancelled
		if claimed {
			want = recovery.WakeupRunning
		}
		require.Equal(b.t, want, b.wakeup(w.ID).Status)
	}
}

func settleRace(b *bench) {
	for range rounds {
		c := b.claim(b.begin().Wakeup.ID)
		b.deliver(c)
		b.clock.advance(b.set.Lease)
		errs := together(
			func() error { _, err := b.trySucceed(c); return err },
			func() error { _, err := b.tryFail(c, overloaded); return err },
			func() error {
				_, err := b.store.ExpireRun(b.ctx(), work.RunRef{WorkspaceID: workspace, RunID: c.Run.ID}, b.set)
				return err
			},
		)
		require.NoError(b.t, errs[2])
		winner := b.oneWinner(errs[:2], fault.ReasonRunAlreadySettled)
		// Whether the reconciler came first or not, the first report counts.
		want := []recovery.WakeupStatus{recovery.WakeupCompleted, recovery.WakeupScheduledRetry}[winner]
		require.Equal(b.t, want, b.wakeup(c.Wakeup.ID).Status)
		require.Equal(b.t, recovery.RunSettled, b.run(c.Run.ID).State)
	}
}

func leaseRace(b *bench) {
	for range rounds {
		c := b.claim(b.begin().Wakeup.ID)
		b.clock.advance(b.set.Lease)
		expired := false
		errs := together(
			func() error { _, err := b.store.RenewLease(b.ctx(), leaseOf(c), b.set); return err },
			func() (err error) {
				expired, err = b.store.ExpireRun(b.ctx(), work.RunRef{WorkspaceID: workspace, RunID: c.Run.ID}, b.set)
				return err
			},
		)
		require.NoError(b.t, errs[1])
		require.Equal(b.t, expired, errs[0] != nil, "%v", errs[0])
		require.Equal(b.t, !expired, b.run(c.Run.ID).State.Live())
	}
}

func promptRace(b *bench) {
	begun := b.begin()
	in := b.prompt()
	in.SessionID = begun.Session.ID
	const prompts = 6
	generations := make([]int64, prompts)
	var fs []func() error
	for i := range prompts {
		fs = append(fs, func() error {
			next, err := b.tryBegin(in)
			generations[i] = next.Session.Generation
			return err
		})
	}
	for _, err := range together(fs...) {
		require.NoError(b.t, err)
	}
	require.ElementsMatch(b.t, []int64{2, 3, 4, 5, 6, 7}, generations)
	open, err := b.store.ListWakeups(b.ctx(), work.WakeupFilter{WorkspaceID: workspace, Statuses: []string{"queued"}, Limit: 10})
	require.NoError(b.t, err)
	require.Len(b.t, open, 1)
	require.EqualValues(b.t, 7, open[0].Generation)
}
