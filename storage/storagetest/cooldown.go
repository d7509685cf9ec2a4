package storagetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"of eight that fail together one spends retries":         phaseOfEight,
	"a short phase passes on when its owner is gone":         phasePasses,
	"an exhausted short phase is over":                       phaseExhausted,
	"a release and the claims of those that wait both count": phaseRace,
	"another model has its own short phase":                  phaseOfModels,
})

func (b *bench) sharing(model string) work.BeginPrompt {
	in := b.workerPrompt("x")
	in.Profile.Model, in.Profile.Policy = model, work.PolicyChoice{Preset: work.PresetPatient}
	return in
}

// failing are n delivered runs of one provider and model that fail at once.
func (b *bench) failing(n int, model string) []work.Settled {
	for range n {
		_, err := b.tryBegin(b.sharing(model))
		require.NoError(b.t, err)
	}
	claims := b.claimDue(n).Claims
	require.Len(b.t, claims, n)
	settled := make([]work.Settled, n)
	var fs []func() error
	for i, c := range claims {
		b.deliver(c.Claim)
		fs = append(fs, func() (err error) { settled[i], err = b.tryFail(c.Claim, overloaded); return err })
	}
	for _, err := range together(fs...) {
		require.NoError(b.t, err)
	}
	return settled
}

// owner is the one of them that waits for nobody.
func (b *bench) owner(of []work.Settled) (owner work.Wakeup, waiting []work.Wakeup) {
	for _, s := range of {
		w := b.wakeup(s.Wakeup.ID)
		if w.Status != recovery.WakeupScheduledRetry {
			continue
		}
		if w.WaitsForRunID == "" {
			require.Empty(b.t, owner.ID, "two owners")
			owner = w
			continue
		}
		waiting = append(waiting, w)
	}
	require.NotEmpty(b.t, owner.ID)
	for _, w := range waiting {
		require.Equal(b.t, owner.LastRunID, w.WaitsForRunID)
	}
	return owner, waiting
}

func (b *bench) until(at time.Time) { b.clock.advance(max(at.Sub(b.clock.Now()), 0)) }

// takeDue claims one wakeup of all that is due; the others must not be.
func (b *bench) takeDue(id string) work.Claim {
	claims := b.claimDue(20).Claims
	require.Len(b.t, claims, 1)
	require.Equal(b.t, id, claims[0].Wakeup.ID)
	b.deliver(claims[0].Claim)
	return claims[0].Claim
}

func phaseOfEight(b *bench) {
	settled := b.failing(8, "m")
	owner, waiting := b.owner(settled)
	require.Len(b.t, waiting, 7)
	b.until(owner.DueAt)
	b.fail(b.takeDue(owner.ID), overloaded)
	b.clock.advance(time.Second) // those that wait look, and are put off
	require.Empty(b.t, b.claimDue(20).Claims)
	owner = b.wakeup(owner.ID)
	for _, w := range waiting {
		_, err := b.tryClaim(w.ID, laptop, true)
		var early *work.NotDue
		require.ErrorAs(b.t, err, &early)
		require.True(b.t, early.DueAt.After(owner.DueAt))
	}
	b.until(owner.DueAt)
	_, err := b.trySucceed(b.takeDue(owner.ID))
	require.NoError(b.t, err)
	released := b.clock.Now()
	spent, perSecond := 0, map[time.Duration]int{}
	for _, s := range settled {
		w := b.wakeup(s.Wakeup.ID)
		spent += w.RetryCount()
		if w.ID != owner.ID {
			require.Empty(b.t, w.WaitsForRunID)
			require.Equal(b.t, w.DueAt, w.LastDecision.RetryAt)
			perSecond[w.DueAt.Sub(released).Truncate(time.Second)]++
		}
	}
	require.Equal(b.t, 2, spent, "the owner's only")
	require.Equal(b.t, map[time.Duration]int{0: 2, time.Second: 4, 2 * time.Second: 1}, perSecond)
	for range 7 {
		next, err := b.store.NextDue(b.ctx(), workspace, time.Time{}, nil)
		require.NoError(b.t, err)
		b.until(next.DueAt)
		for _, c := range b.claimDue(20).Claims {
			b.deliver(c.Claim)
			_, err := b.trySucceed(c.Claim)
			require.NoError(b.t, err)
		}
	}
	for _, s := range settled {
		require.Equal(b.t, recovery.WakeupCompleted, b.wakeup(s.Wakeup.ID).Status)
	}
}

func phasePasses(b *bench) {
	for name, gone := range map[string]func(work.Wakeup){
		"cancelled": func(w work.Wakeup) {
			_, err := b.cancel(w.ID, 0)
			require.NoError(b.t, err)
		},
		"superseded": func(w work.Wakeup) {
			in := b.prompt()
			in.SessionID = w.SessionID
			_, err := b.tryBegin(in)
			require.NoError(b.t, err)
		},
		"lease dead": func(w work.Wakeup) {
			b.until(w.DueAt)
			claim, err := b.tryClaim(w.ID, laptop, true)
			require.NoError(b.t, err)
			b.deliver(claim)
			b.clock.advance(b.set.Lease + time.Second)
			require.True(b.t, b.expire(claim))
		},
	} {
		settled := b.failing(3, name)
		owner, waiting := b.owner(settled)
		gone(owner)
		var rest []work.Settled
		for _, s := range settled {
			if s.Wakeup.ID != owner.ID {
				rest = append(rest, s)
			}
		}
		next, still := b.owner(rest)
		require.Contains(b.t, []string{waiting[0].ID, waiting[1].ID}, next.ID)
		require.Len(b.t, still, 1)
		require.Zero(b.t, next.RetryCount())
		for _, w := range append(still, next) {
			_, err := b.cancel(w.ID, 0)
			require.NoError(b.t, err)
		}
	}
}

func phaseExhausted(b *bench) {
	settled := b.failing(2, "m")
	owner, waiting := b.owner(settled)
	for range b.set.UnattendedRetries {
		owner = b.wakeup(owner.ID)
		require.Equal(b.t, recovery.WakeupScheduledRetry, owner.Status)
		b.until(owner.DueAt)
		b.fail(b.takeDue(owner.ID), overloaded)
	}
	require.Equal(b.t, recovery.WakeupParked, b.wakeup(owner.ID).Status)
	next := b.wakeup(waiting[0].ID)
	require.Empty(b.t, next.WaitsForRunID)
	require.Zero(b.t, next.RetryCount())
	require.Equal(b.t, recovery.Published(b.clock.Now()), next.DueAt)
}

// Those that wait are claimed by many at the very moment at which the owner
// succeeds, fails or is cancelled.
func phaseRace(b *bench) {
	for round := range rounds {
		model := fmt.Sprint(round)
		settled := b.failing(4, model)
		owner, waiting := b.owner(settled)
		b.until(owner.DueAt)
		claim := b.takeDue(owner.ID)
		b.clock.advance(time.Second)
		fs := []func() error{func() error {
			switch round % 3 {
			case 0:
				_, err := b.trySucceed(claim)
				return err
			case 1:
				_, err := b.tryFail(claim, overloaded)
				return err
			}
			_, err := b.tryFail(claim, loginNeeded)
			return err
		}}
		for _, w := range waiting {
			fs = append(fs, func() error {
				_, err := b.tryClaim(w.ID, laptop, true)
				var early *work.NotDue
				if errors.As(err, &early) || err != nil && fault.From(err).Reason == fault.ReasonNotClaimable {
					return nil
				}
				return err
			}, func() error {
				_, err := b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, Slots: b.slots(4, laptop)})
				return err
			})
		}
		for _, err := range together(fs...) {
			require.NoError(b.t, err)
		}
		for _, w := range waiting {
			after := b.wakeup(w.ID)
			require.Zero(b.t, after.RetryCount())
			if round%3 == 1 {
				require.Equal(b.t, recovery.WakeupScheduledRetry, after.Status, "never started while another owns it")
			}
			require.True(b.t, after.Status == recovery.WakeupRunning || !after.DueAt.IsZero())
		}
		for _, s := range settled { // the next round is none of theirs
			_, _ = b.cancel(s.Wakeup.ID, 0)
		}
	}
}

func phaseOfModels(b *bench) {
	b.owner(b.failing(2, "one"))
	b.owner(b.failing(2, "two"))
	settled := b.failing(2, "")
	for _, s := range settled {
		require.Empty(b.t, s.Wakeup.WaitsForRunID, "what is not known is not shared")
	}
}
