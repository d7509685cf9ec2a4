package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"a claimed run that expires is armed again":         expireClaimed,
	"a sending run that expires is a person's":          expireSending,
	"a delivered run that expires is lost, then asked":  expireDelivered,
	"a late settle of a lost run counts":                lateSettle,
	"a late settle after a newer prompt is kept only":   lateEvidence,
	"a late failure after the grace promises nothing":   lateFailure,
	"a survey finds deadlines and signs of life":        survey,
	"expiry changes nothing before its time, nor twice": expiryOnce,
})

func (b *bench) overdue() []work.RunRef {
	refs, err := b.store.FindOverdue(b.ctx(), 10)
	require.NoError(b.t, err)
	return refs
}

func (b *bench) pass(d time.Duration) { b.clock.advance(d + time.Microsecond) }

func expireClaimed(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.pass(b.set.Lease)
	require.Equal(b.t, []work.RunRef{{WorkspaceID: workspace, RunID: c.Run.ID}}, b.overdue())
	require.True(b.t, b.expire(c))
	require.Empty(b.t, b.overdue())
	run, w := b.run(c.Run.ID), b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.RunSettled, run.State)
	require.Equal(b.t, recovery.OutcomeNotSent, run.Outcome)
	require.Equal(b.t, recovery.WakeupQueued, w.Status)
	require.Equal(b.t, recovery.SessionIdle, w.SessionState)
	// The old owner's token is worth nothing, a new claim is.
	_, err := b.store.BeginSend(b.ctx(), leaseOf(c), b.set)
	b.refused(err, fault.ReasonRunAlreadySettled)
	again, err := b.tryClaim(w.ID, laptopTwo, true)
	require.NoError(b.t, err)
	require.Equal(b.t, 2, again.Run.Ordinal)
}

func expireSending(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.send(c)
	b.pass(b.set.Lease)
	require.True(b.t, b.expire(c))
	run, w := b.run(c.Run.ID), b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.RunLost, run.State)
	require.Equal(b.t, recovery.OutcomeAmbiguous, run.Outcome)
	require.Equal(b.t, recovery.WakeupFailed, w.Status)
	require.Equal(b.t, work.AttentionPerson, w.Attention)
	require.Equal(b.t, string(recovery.StopAmbiguousDelivery), w.StatusReason)
	require.Equal(b.t, recovery.SessionFailed, w.SessionState)
	require.True(b.t, w.LastDecision.Owned())
	require.Equal(b.t, run.Decision, w.LastDecision)
	for _, by := range []work.Supervisor{laptop, laptopTwo} {
		_, err := b.tryClaim(w.ID, by, true)
		b.refused(err, fault.ReasonNotClaimable)
	}
	b.pass(b.set.LostGrace)
	require.Empty(b.t, b.overdue(), "a person has it; no timer is left")
}

func expireDelivered(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	b.pass(b.set.Lease)
	require.True(b.t, b.expire(c))
	run := b.run(c.Run.ID)
	require.Equal(b.t, recovery.RunLost, run.State)
	require.Equal(b.t, b.clock.Now().Add(b.set.LostGrace), run.GraceEndsAt)
	require.Equal(b.t, recovery.WakeupRunning, b.wakeup(c.Wakeup.ID).Status)
	_, err := b.tryClaim(c.Wakeup.ID, laptop, true)
	b.refused(err, fault.ReasonNotClaimable)
	_, err = b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
	b.refused(err, fault.ReasonStaleLease)

	b.pass(b.set.LostGrace)
	require.Len(b.t, b.overdue(), 1)
	require.True(b.t, b.expire(c))
	w := b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.WakeupFailed, w.Status)
	require.Equal(b.t, work.AttentionPerson, w.Attention)
	require.Equal(b.t, recovery.RunLost, b.run(c.Run.ID).State)
	require.Empty(b.t, b.overdue())
	// The person has not acted: a success that comes now is still the truth.
	settled, err := b.trySucceed(c)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.WakeupCompleted, settled.Wakeup.Status)
	require.Equal(b.t, recovery.SessionIdle, b.wakeup(w.ID).SessionState)
}

func (b *bench) lose() work.Claim {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	b.pass(b.set.Lease)
	require.True(b.t, b.expire(c))
	return c
}

func lateSettle(b *bench) {
	c := b.lose()
	settled := b.fail(c, overloaded)
	require.Equal(b.t, recovery.WakeupScheduledRetry, settled.Wakeup.Status)
	require.False(b.t, settled.Run.Late)
	_, err := b.trySucceed(c)
	e := b.refused(err, fault.ReasonRunAlreadySettled)
	require.Equal(b.t, "failed", e.Metadata["outcome"])
	require.Equal(b.t, string(recovery.ActionRetry), e.Metadata["action"])
	require.NotEmpty(b.t, e.Metadata["due_at"])
}

func lateEvidence(b *bench) {
	c := b.lose()
	in := b.prompt()
	in.SessionID = c.Run.SessionID
	next, err := b.tryBegin(in)
	require.NoError(b.t, err, "a lost run is not live")
	settled := b.fail(c, overloaded)
	require.True(b.t, settled.Run.Late)
	require.Equal(b.t, recovery.RunLost, settled.Run.State)
	stored := b.run(c.Run.ID)
	require.NotNil(b.t, stored.Evidence)
	require.Nil(b.t, stored.Decision)
	require.Equal(b.t, recovery.WakeupCancelled, b.wakeup(c.Wakeup.ID).Status)
	require.Equal(b.t, next.Wakeup, b.wakeup(next.Wakeup.ID), "the newer prompt does not notice")
	_, err = b.tryFail(c, overloaded)
	b.refused(err, fault.ReasonRunAlreadySettled)
	// The grace of the old run ends without asking anybody.
	b.pass(b.set.LostGrace)
	b.expire(c)
	require.Empty(b.t, b.overdue())
	require.Equal(b.t, recovery.WakeupCancelled, b.wakeup(c.Wakeup.ID).Status)
}

func lateFailure(b *bench) {
	c := b.lose()
	b.pass(b.set.LostGrace)
	require.True(b.t, b.expire(c))
	settled := b.fail(c, overloaded)
	require.Equal(b.t, recovery.ActionStop, settled.Run.Decision.Action)
	require.True(b.t, settled.Run.Decision.RetryAt.IsZero(), "no countdown that nobody owns")
	require.Equal(b.t, recovery.WakeupFailed, b.wakeup(c.Wakeup.ID).Status)
	require.Equal(b.t, evidence.KindHTTP, b.run(c.Run.ID).Evidence.Signals[0].Kind)
}

func survey(b *bench) {
	s, err := b.store.Survey(b.ctx())
	require.NoError(b.t, err)
	require.Zero(b.t, s.Watched)
	require.True(b.t, s.NextDeadlineAt.IsZero())
	c := b.claim(b.begin().Wakeup.ID)
	claimed := b.clock.Now()
	b.clock.advance(time.Second)
	second := b.claim(b.begin().Wakeup.ID)
	s, err = b.store.Survey(b.ctx())
	require.NoError(b.t, err)
	require.Equal(b.t, work.Survey{Watched: 2, NextDeadlineAt: claimed.Add(b.set.Lease), LastHeartbeatAt: b.clock.Now(), Now: b.clock.Now()}, s)
	b.send(c)
	_, err = b.trySucceed(c)
	require.NoError(b.t, err)
	s, err = b.store.Survey(b.ctx())
	require.NoError(b.t, err)
	require.Equal(b.t, second.Run.LeaseExpiresAt, s.NextDeadlineAt)
}

func expiryOnce(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	require.False(b.t, b.expire(c), "the lease runs")
	b.clock.advance(b.set.Lease)
	require.True(b.t, b.expire(c))
	before := b.wakeup(c.Wakeup.ID)
	require.False(b.t, b.expire(c))
	require.Equal(b.t, before, b.wakeup(c.Wakeup.ID))
}
