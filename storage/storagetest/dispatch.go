package storagetest

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"the whole path to success":                     wholePath,
	"a retry is claimable exactly when it is due":   retryWhenDue,
	"a wakeup is pinned to its supervisor":          pinned,
	"a second send is never granted":                oneSend,
	"a send needs the margin":                       sendMargin,
	"a wrong token owns nothing":                    wrongToken,
	"effects only rise":                             effectsRise,
	"a heartbeat renews, and only a live lease":     heartbeats,
	"a new prompt supersedes what waits":            supersedes,
	"a new prompt is refused while a run is live":   busySession,
	"a wait can be cancelled once, on its version":  cancelOnce,
	"after a continue the prompt is not sent again": continueAgain,
})

func wholePath(b *bench) {
	begun := b.begin()
	require.Equal(b.t, recovery.WakeupQueued, begun.Wakeup.Status)
	require.EqualValues(b.t, 1, begun.Session.Generation)
	c := b.claim(begun.Wakeup.ID)
	require.Equal(b.t, recovery.RunClaimed, c.Run.State)
	require.Equal(b.t, recovery.WakeupRunning, c.Wakeup.Status)
	require.Equal(b.t, recovery.SessionStarting, c.Wakeup.SessionState)
	require.Equal(b.t, b.clock.Now().Add(b.set.Lease), c.Run.LeaseExpiresAt)
	require.Equal(b.t, recovery.RunDelivered, b.deliver(c).State)
	require.Equal(b.t, recovery.SessionRunning, b.wakeup(c.Wakeup.ID).SessionState)
	settled, err := b.trySucceed(c)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.OutcomeSucceeded, settled.Run.Outcome)
	require.True(b.t, settled.Run.LeaseExpiresAt.IsZero())
	w := b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.WakeupCompleted, w.Status)
	require.Equal(b.t, work.StatusSucceeded, w.StatusReason)
	require.Equal(b.t, recovery.SessionIdle, w.SessionState)
	require.Equal(b.t, settled.Wakeup, w, "the answer is what was stored")
	require.Equal(b.t, settled.Run, b.run(c.Run.ID))
}

func retryWhenDue(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	settled := b.fail(c, overloaded)
	d := settled.Run.Decision
	require.Equal(b.t, recovery.ActionRetry, d.Action, "%v", d.Because)
	require.Equal(b.t, 1, d.Ordinal)
	w := b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.WakeupScheduledRetry, w.Status)
	require.Equal(b.t, work.AttentionDeadline, w.Attention)
	require.Equal(b.t, d.RetryAt, w.DueAt)
	require.Equal(b.t, settled.Wakeup, w)
	require.Equal(b.t, settled.Run, b.run(c.Run.ID))

	b.clock.advance(w.DueAt.Sub(b.clock.Now()) - time.Microsecond)
	_, err := b.tryClaim(w.ID, laptop, false)
	var early *work.NotDue
	require.True(b.t, errors.As(err, &early), "%v", err)
	require.Equal(b.t, w.DueAt, early.DueAt)
	b.clock.advance(time.Microsecond)
	again := b.claim(w.ID)
	require.Equal(b.t, 2, again.Run.Ordinal)
	require.Equal(b.t, work.SendPrompt, again.Run.Send)
}

func pinned(b *bench) {
	id := b.begin().Wakeup.ID
	for _, try := range []struct {
		by       work.Supervisor
		takeOver bool
	}{{laptopTwo, false}, {elsewhere, true}, {work.Supervisor{}, true}} {
		_, err := b.tryClaim(id, try.by, try.takeOver)
		b.refused(err, fault.ReasonNotClaimable)
	}
	c, err := b.tryClaim(id, laptopTwo, true)
	require.NoError(b.t, err)
	require.Equal(b.t, laptopTwo, c.Wakeup.Supervisor)
	// While its run is live nobody takes it, not even from the same host.
	_, err = b.tryClaim(id, laptop, true)
	e := b.refused(err, fault.ReasonNotClaimable)
	require.Equal(b.t, string(recovery.WakeupRunning), e.Metadata["status"])
}

func oneSend(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.send(c)
	_, err := b.store.BeginSend(b.ctx(), leaseOf(c), b.set)
	b.refused(err, fault.ReasonStaleVersion)
	require.Equal(b.t, recovery.RunSending, b.run(c.Run.ID).State)
}

func sendMargin(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.clock.advance(b.set.Lease - b.set.SendMargin + time.Millisecond)
	_, err := b.store.BeginSend(b.ctx(), leaseOf(c), b.set)
	b.refused(err, fault.ReasonStaleLease)
	_, err = b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
	require.NoError(b.t, err)
	require.Equal(b.t, b.clock.Now().Add(b.set.Lease), b.send(c).LeaseExpiresAt)
}

func wrongToken(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	thief := c
	thief.LeaseToken = "not-" + c.LeaseToken
	_, err := b.store.BeginSend(b.ctx(), leaseOf(thief), b.set)
	b.refused(err, fault.ReasonStaleLease)
	_, err = b.store.RenewLease(b.ctx(), leaseOf(thief), b.set)
	b.refused(err, fault.ReasonStaleLease)
	_, err = b.tryFail(thief, overloaded)
	b.refused(err, fault.ReasonStaleLease)
	_, err = b.trySucceed(thief)
	b.refused(err, fault.ReasonStaleLease)
	foreign := leaseOf(c)
	foreign.WorkspaceID = other
	_, err = b.store.BeginSend(b.ctx(), foreign, b.set)
	b.refused(err, fault.ReasonRunNotFound)
	require.Equal(b.t, c.Run, b.run(c.Run.ID), "nothing changed")
}

func effectsRise(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	report := func(e evidence.Effects) evidence.Effects {
		run, err := b.store.RecordProgress(b.ctx(), work.RecordProgress{Lease: leaseOf(c), Effects: e}, b.set)
		require.NoError(b.t, err)
		return run.Effects
	}
	seen := report(evidence.Effects{ToolActivity: evidence.EffectSeen})
	require.Equal(b.t, evidence.EffectSeen, seen.ToolActivity)
	require.Equal(b.t, evidence.EffectNone, seen.AssistantOutput, "what the news leave out stays")
	require.Equal(b.t, evidence.EffectSeen, report(evidence.NoEffects()).ToolActivity)
	settled := b.fail(c, overloaded)
	require.Equal(b.t, evidence.EffectSeen, settled.Run.Effects.ToolActivity, "the report says none, the run says seen")
	require.NotEqual(b.t, recovery.BoundaryEffectFree, settled.Run.Decision.Boundary)
}

func heartbeats(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	b.clock.advance(b.set.Lease + time.Second)
	// The lease has passed, but nobody has ended it: the owner keeps it.
	expires, err := b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
	require.NoError(b.t, err)
	require.Equal(b.t, b.clock.Now().Add(b.set.Lease), expires.LeaseExpiresAt)
	require.False(b.t, b.expire(c), "the heartbeat was faster")
	_, err = b.trySucceed(c)
	require.NoError(b.t, err)
	_, err = b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
	e := b.refused(err, fault.ReasonRunAlreadySettled)
	require.Equal(b.t, string(recovery.OutcomeSucceeded), e.Metadata["outcome"])
}

func supersedes(b *bench) {
	first := b.begin()
	c := b.claim(first.Wakeup.ID)
	b.deliver(c)
	b.fail(c, overloaded)
	in := b.prompt()
	in.SessionID = first.Session.ID
	next, err := b.tryBegin(in)
	require.NoError(b.t, err)
	require.EqualValues(b.t, 2, next.Session.Generation)
	require.Equal(b.t, "native-1", next.Wakeup.NativeSessionID, "the agent's session goes on")
	old := b.wakeup(first.Wakeup.ID)
	require.Equal(b.t, recovery.WakeupCancelled, old.Status)
	require.Equal(b.t, work.StatusSuperseded, old.StatusReason)
	b.clock.advance(time.Hour)
	_, err = b.tryClaim(old.ID, laptop, false)
	e := b.refused(err, fault.ReasonNotClaimable)
	require.Equal(b.t, string(recovery.WakeupCancelled), e.Metadata["status"])
	b.claim(next.Wakeup.ID)

	in.SessionID = newID(b.t)
	_, err = b.tryBegin(in)
	b.refused(err, fault.ReasonSessionNotFound)
	in.SessionID = "no id"
	_, err = b.tryBegin(in)
	b.refused(err, fault.ReasonSessionNotFound)
}

func busySession(b *bench) {
	begun := b.begin()
	c := b.claim(begun.Wakeup.ID)
	in := b.prompt()
	in.SessionID = begun.Session.ID
	_, err := b.tryBegin(in)
	e := b.refused(err, fault.ReasonSessionBusy)
	require.Equal(b.t, c.Run.ID, e.Metadata["run_id"])
	require.Equal(b.t, begun.Session.ID, e.Metadata["session_id"])
	require.Equal(b.t, recovery.WakeupRunning, b.wakeup(begun.Wakeup.ID).Status)
}

func cancelOnce(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	_, err := b.cancel(c.Wakeup.ID, 0)
	b.refused(err, fault.ReasonStaleVersion)
	w := b.fail(c, overloaded).Wakeup
	_, err = b.cancel(w.ID, w.Version-1)
	e := b.refused(err, fault.ReasonStaleVersion)
	require.Equal(b.t, string(recovery.WakeupScheduledRetry), e.Metadata["status"])
	cancelled, err := b.cancel(w.ID, w.Version)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.WakeupCancelled, cancelled.Status)
	require.Equal(b.t, recovery.SessionIdle, cancelled.SessionState)
	require.Equal(b.t, cancelled, b.wakeup(w.ID))
	_, err = b.cancel(w.ID, 0)
	b.refused(err, fault.ReasonStaleVersion)
	_, err = b.cancel(newID(b.t), 0)
	b.refused(err, fault.ReasonWakeupNotFound)
}

func continueAgain(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	_, err := b.store.RecordProgress(b.ctx(), work.RecordProgress{Lease: leaseOf(c), Effects: evidence.Effects{ToolActivity: evidence.EffectSeen}}, b.set)
	require.NoError(b.t, err)
	w := b.fail(c, overloaded).Wakeup
	require.Equal(b.t, work.SendContinue, w.NextSend)
	require.Equal(b.t, recovery.BoundaryNativeResume, w.LastDecision.Boundary)
	b.clock.advance(time.Hour)
	second := b.claim(w.ID)
	require.Equal(b.t, work.SendContinue, second.Run.Send)
	b.deliver(second)
	// This run did nothing, but the one before did: the prompt stays unsaid.
	w = b.fail(second, overloaded).Wakeup
	require.Equal(b.t, recovery.WakeupScheduledRetry, w.Status)
	require.Equal(b.t, work.SendContinue, w.NextSend)
	require.True(b.t, w.LastDecision.SendContinue)
}
