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
	"retry now makes a wait due":                     retriesNow,
	"retry now comes too late":                       retriesTooLate,
	"a run that was not sent stops at once":          stopsClaimed,
	"a run that was sent is asked to stop":           stopsDelivered,
	"a stopped run that succeeds counts":             stopsTooLate,
	"a stopped run that is lost is never relaunched": stopsThenLost,
	"a lost run is given up":                         stopsLost,
	"a person's action is asked for once":            actsOnce,
})

func (b *bench) retry(w work.Wakeup, version int64) (work.Wakeup, error) {
	return b.store.RetryNow(b.ctx(), work.Request{}, work.RetryNow{WorkspaceID: workspace, WakeupID: w.ID, ExpectedVersion: version, By: "ann"})
}

func (b *bench) stop(runID string) (work.Stopped, error) {
	return b.store.StopRun(b.ctx(), work.Request{}, work.StopRun{WorkspaceID: workspace, RunID: runID, By: "ann"})
}

// waiting is a wakeup that waits for its first retry.
func (b *bench) waiting() work.Wakeup { return b.waitingOf(b.prompt()) }

func (b *bench) waitingOf(in work.BeginPrompt) work.Wakeup {
	begun, err := b.tryBegin(in)
	require.NoError(b.t, err)
	c := b.claim(begun.Wakeup.ID)
	b.deliver(c)
	w := b.fail(c, overloaded).Wakeup
	require.Equal(b.t, recovery.WakeupScheduledRetry, w.Status)
	return w
}

func (b *bench) session(id string) work.SessionRecovery {
	r, err := b.store.GetSessionRecovery(b.ctx(), workspace, id)
	require.NoError(b.t, err)
	return r
}

func retriesNow(b *bench) {
	w := b.waiting()
	b.clock.advance(time.Second)
	_, err := b.tryClaim(w.ID, laptop, false)
	require.ErrorAs(b.t, err, new(*work.NotDue))
	now, err := b.retry(w, w.Version)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.WakeupQueued, now.Status)
	require.Equal(b.t, b.clock.Now(), now.DueAt)
	require.Equal(b.t, recovery.Receipt{Kind: recovery.ReceiptPerson, Source: "ann"}, now.LastDecision.Receipt)
	require.Equal(b.t, now.DueAt, now.LastDecision.RetryAt, "one instant on every surface")
	require.Equal(b.t, now, b.wakeup(w.ID))
	require.Equal(b.t, w.LastDecision.RetryAt, b.run(w.LastRunID).Decision.RetryAt, "the run keeps what was decided")
	again, err := b.retry(now, 0)
	require.NoError(b.t, err)
	require.Equal(b.t, now, again, "it is due: nothing changes")
	require.Equal(b.t, 1, b.claim(w.ID).Wakeup.RetryCount(), "it costs no retry")
	b.acted(work.UserRetryNow, w.ID)
}

// acted looks for the audit of an action; there is exactly one.
func (b *bench) acted(action work.UserAction, wakeupID string) {
	b.t.Helper()
	_, err := b.store.NumberEvents(b.ctx(), workspace, 1000)
	require.NoError(b.t, err)
	list, err := b.store.ReadEvents(b.ctx(), workspace, 0, 1000)
	require.NoError(b.t, err)
	found := 0
	for _, e := range list {
		if e.Type == work.EventRecoveryUpdated && e.Payload["action"] == string(action) && e.Payload["wakeup_id"] == wakeupID {
			require.Equal(b.t, "ann", e.Payload["actor"])
			found++
		}
	}
	require.Equal(b.t, 1, found)
}

func retriesTooLate(b *bench) {
	w := b.waiting()
	_, err := b.retry(w, w.Version+1)
	e := b.refused(err, fault.ReasonStaleVersion)
	require.Equal(b.t, string(recovery.WakeupScheduledRetry), e.Metadata["status"])
	require.NotEmpty(b.t, e.Metadata["due_at"])
	b.clock.advance(time.Hour)
	c := b.claim(w.ID)
	_, err = b.retry(w, 0)
	require.Equal(b.t, string(recovery.WakeupRunning), b.refused(err, fault.ReasonStaleVersion).Metadata["status"])
	b.deliver(c)
	_, err = b.trySucceed(c)
	require.NoError(b.t, err)
	_, err = b.retry(w, 0)
	require.Equal(b.t, string(recovery.WakeupCompleted), b.refused(err, fault.ReasonStaleVersion).Metadata["status"])
	_, err = b.retry(work.Wakeup{ID: newID(b.t)}, 0)
	b.refused(err, fault.ReasonWakeupNotFound)
}

func stopsClaimed(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	stopped, err := b.stop(c.Run.ID)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.RunSettled, stopped.Run.State)
	require.Equal(b.t, recovery.OutcomeCancelled, stopped.Run.Outcome)
	require.Equal(b.t, recovery.WakeupCancelled, stopped.Wakeup.Status)
	require.Equal(b.t, work.StatusStopped, stopped.Wakeup.StatusReason)
	require.Equal(b.t, recovery.SessionStopped, b.session(c.Wakeup.SessionID).Session.State)
	_, err = b.store.BeginSend(b.ctx(), leaseOf(c), b.set)
	b.refused(err, fault.ReasonRunAlreadySettled)
	_, err = b.stop(c.Run.ID)
	b.refused(err, fault.ReasonRunAlreadySettled)
	b.acted(work.UserStopRun, c.Wakeup.ID)
}

func stopsDelivered(b *bench) {
	for _, deliver := range []func(work.Claim) work.Run{b.send, b.deliver} {
		c := b.claim(b.begin().Wakeup.ID)
		deliver(c)
		renewed, err := b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
		require.NoError(b.t, err)
		require.False(b.t, renewed.StopRequested)
		first, err := b.stop(c.Run.ID)
		require.NoError(b.t, err)
		require.Equal(b.t, b.clock.Now(), first.Run.StopRequestedAt)
		require.Equal(b.t, recovery.WakeupRunning, first.Wakeup.Status, "its owner ends it")
		b.clock.advance(time.Second)
		again, err := b.stop(c.Run.ID)
		require.NoError(b.t, err)
		require.Equal(b.t, first.Run.StopRequestedAt, again.Run.StopRequestedAt)
		renewed, err = b.store.RenewLease(b.ctx(), leaseOf(c), b.set)
		require.NoError(b.t, err)
		require.True(b.t, renewed.StopRequested)
		settled := b.fail(c, overloaded)
		require.Equal(b.t, recovery.OutcomeCancelled, settled.Run.Outcome)
		require.Equal(b.t, recovery.WakeupCancelled, settled.Wakeup.Status)
		require.True(b.t, settled.Wakeup.DueAt.IsZero(), "no retry, whatever the evidence says")
		run := b.run(c.Run.ID)
		require.NotNil(b.t, run.Evidence)
		require.Equal(b.t, overloaded.Code, run.Classification.Code)
		require.Equal(b.t, recovery.ActionStop, run.Decision.Action)
		require.True(b.t, run.Decision.RetryAt.IsZero())
		require.Equal(b.t, recovery.SessionStopped, b.session(c.Wakeup.SessionID).Session.State)
		b.acted(work.UserStopRun, c.Wakeup.ID)
	}
}

func stopsTooLate(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	_, err := b.stop(c.Run.ID)
	require.NoError(b.t, err)
	settled, err := b.trySucceed(c)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.WakeupCompleted, settled.Wakeup.Status)
	require.Equal(b.t, recovery.OutcomeSucceeded, settled.Run.Outcome)
}

func stopsThenLost(b *bench) {
	for name, deliver := range map[string]func(work.Claim) work.Run{"sending": b.send, "delivered": b.deliver} {
		c := b.claim(b.begin().Wakeup.ID)
		deliver(c)
		_, err := b.stop(c.Run.ID)
		require.NoError(b.t, err)
		b.clock.advance(b.set.Lease + time.Second)
		require.True(b.t, b.expire(c), name)
		w := b.wakeup(c.Wakeup.ID)
		require.Equal(b.t, recovery.WakeupCancelled, w.Status, name)
		require.Equal(b.t, work.StatusStopped, w.StatusReason, name)
		require.Equal(b.t, recovery.RunLost, b.run(c.Run.ID).State, name)
		b.clock.advance(b.set.LostGrace + time.Second)
		require.False(b.t, b.expire(c), "nobody is asked about it any more")
		_, err = b.trySucceed(c)
		require.NoError(b.t, err)
		require.True(b.t, b.run(c.Run.ID).Late, "a late report is kept and changes nothing")
		require.Equal(b.t, recovery.WakeupCancelled, b.wakeup(c.Wakeup.ID).Status)
	}
}

func stopsLost(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	b.clock.advance(b.set.Lease + time.Second)
	require.True(b.t, b.expire(c))
	stopped, err := b.stop(c.Run.ID)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.RunLost, stopped.Run.State)
	require.Equal(b.t, recovery.WakeupCancelled, stopped.Wakeup.Status)
	_, err = b.stop(c.Run.ID)
	b.refused(err, fault.ReasonStaleVersion)
	_, err = b.stop(newID(b.t))
	b.refused(err, fault.ReasonRunNotFound)
	c = b.claim(b.begin().Wakeup.ID)
	_, err = b.store.StopRun(b.ctx(), work.Request{}, work.StopRun{WorkspaceID: workspace, RunID: c.Run.ID, ExpectedVersion: c.Run.Version + 1})
	b.refused(err, fault.ReasonStaleVersion)
}

func actsOnce(b *bench) {
	w := b.waitingOf(b.byWorker())
	retry := func(id string) (work.Wakeup, error) {
		return b.store.RetryNow(b.ctx(), requestID(id, "retry"), work.RetryNow{WorkspaceID: workspace, WakeupID: w.ID, By: "ann"})
	}
	first, err := retry("a")
	require.NoError(b.t, err)
	c := b.claim(w.ID)
	again, err := retry("a")
	require.NoError(b.t, err)
	require.Equal(b.t, first, again, "the first answer, although it runs by now")
	_, err = retry("b")
	b.refused(err, fault.ReasonStaleVersion)
	b.deliver(c)
	stop := func() (work.Stopped, error) {
		return b.store.StopRun(b.ctx(), requestID("c", "stop"), work.StopRun{WorkspaceID: workspace, RunID: c.Run.ID, By: "ann"})
	}
	asked, err := stop()
	require.NoError(b.t, err)
	_, err = b.store.FailRun(b.ctx(), work.Request{}, leaseOf(c), b.failure(c, overloaded))
	require.NoError(b.t, err)
	same, err := stop()
	require.NoError(b.t, err)
	require.Equal(b.t, asked, same)
	fresh := func() (work.Begun, error) {
		in := work.GoOn{WorkspaceID: workspace, SessionID: w.SessionID, Fresh: true, By: "ann"}
		return b.store.GoOn(b.ctx(), requestID("d", "fresh"), in, newID(b.t))
	}
	begun, err := fresh()
	require.NoError(b.t, err)
	second, err := fresh()
	require.NoError(b.t, err)
	require.Equal(b.t, begun, second)
	require.Equal(b.t, evidence.NoEffects(), b.claim(begun.Wakeup.ID).Run.Effects)
}
