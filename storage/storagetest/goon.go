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
	"resume goes on in the agent's own session":  resumesNatively,
	"resume sends what was never sent":           resumesUnsent,
	"resume never repeats what may have been":    resumesNever,
	"a fresh start leaves the agent's session":   startsFresh,
	"a worker's prompt goes with its session":    carriesPrompt,
	"going on is fenced by the generation":       goOnFences,
	"a prompt may begin with continue":           beginsWithContinue,
	"what disarms a wait disarms it for good":    disarms,
	"only its caller goes on with what it began": leavesToCaller,
	"recoveries are listed by their last change": listsRecoveries,
})

func (b *bench) goOn(sessionID string, fresh bool) (work.Begun, error) {
	in := work.GoOn{WorkspaceID: workspace, SessionID: sessionID, Fresh: fresh, By: "ann"}
	return b.store.GoOn(b.ctx(), work.Request{}, in, newID(b.t))
}

// byWorker is a prompt that workers deliver.
func (b *bench) byWorker() work.BeginPrompt {
	in := b.prompt()
	in.Delivery, in.Prompt = work.DeliveryWorker, "mend the failing test"
	return in
}

func (b *bench) beginWorker() work.Begun {
	begun, err := b.tryBegin(b.byWorker())
	require.NoError(b.t, err)
	return begun
}

// leavesToCaller: what a caller delivers nobody else would ever claim.
func leavesToCaller(b *bench) {
	w := b.stoppedAfterEffects(b.prompt()).Wakeup
	require.Empty(b.t, b.session(w.SessionID).Actions)
	for _, fresh := range []bool{false, true} {
		before := b.session(w.SessionID)
		_, err := b.goOn(w.SessionID, fresh)
		told := b.refused(err, fault.ReasonNotResumable)
		require.Equal(b.t, w.ID, told.Metadata["wakeup_id"])
		require.Equal(b.t, laptop.HostID, told.Metadata["host_id"])
		require.Contains(b.t, told.Error(), "agentctl run --continue "+w.ID)
		require.Equal(b.t, before, b.session(w.SessionID), "nothing changed")
	}
	in := b.prompt()
	in.SessionID, in.Send = w.SessionID, work.SendFresh
	begun, err := b.tryBegin(in)
	require.NoError(b.t, err, "its caller starts fresh")
	require.Empty(b.t, begun.Wakeup.NativeSessionID)
	c := b.claim(begun.Wakeup.ID)
	require.Equal(b.t, work.SendFresh, c.Run.Send)
	require.Empty(b.t, c.Run.NativeSessionID)
	b.send(c)
	require.Empty(b.t, b.session(w.SessionID).Session.NativeSessionID, "the old session of the agent is left")
}

// stoppedAfterEffects is a session that waits for a person: its run had effects.
func (b *bench) stoppedAfterEffects(in work.BeginPrompt) work.Settled {
	begun, err := b.tryBegin(in)
	require.NoError(b.t, err)
	c := b.claim(begun.Wakeup.ID)
	b.deliver(c)
	f := b.failure(c, loginNeeded)
	f.Envelope.Effects.ToolActivity = evidence.EffectSeen
	settled, err := b.store.FailRun(b.ctx(), work.Request{}, leaseOf(c), f)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.WakeupFailed, settled.Wakeup.Status)
	return settled
}

func resumesNatively(b *bench) {
	w := b.stoppedAfterEffects(b.byWorker()).Wakeup
	require.Equal(b.t, []work.UserAction{work.UserResumeSession, work.UserStartFresh}, b.session(w.SessionID).Actions)
	begun, err := b.goOn(w.SessionID, false)
	require.NoError(b.t, err)
	next := begun.Wakeup
	require.Equal(b.t, work.SendContinue, next.NextSend)
	require.Equal(b.t, "native-1", next.NativeSessionID)
	require.Equal(b.t, w.Generation+1, next.Generation)
	require.Equal(b.t, w.Profile, next.Profile)
	require.Equal(b.t, work.Supervisor{HostID: w.Supervisor.HostID}, next.Supervisor, "its host has the agent's session")
	require.Equal(b.t, work.SourceUserResume, next.Source)
	b.acted(work.UserResumeSession, next.ID)
	run := b.claim(next.ID).Run
	require.Equal(b.t, work.SendContinue, run.Send)
	require.Equal(b.t, recovery.WakeupFailed, b.wakeup(w.ID).Status, "what has ended stays as it was")
}

func resumesUnsent(b *bench) {
	w := b.beginWorker().Wakeup
	begun, err := b.goOn(w.SessionID, false)
	require.NoError(b.t, err)
	require.Equal(b.t, work.SendPrompt, begun.Wakeup.NextSend)
	require.Equal(b.t, work.StatusSuperseded, b.wakeup(w.ID).StatusReason)
	c := b.claim(begun.Wakeup.ID)
	_, err = b.stop(c.Run.ID)
	require.NoError(b.t, err)
	begun, err = b.goOn(w.SessionID, false)
	require.NoError(b.t, err, "stopped before a byte had left")
	require.Equal(b.t, work.SendPrompt, begun.Wakeup.NextSend)
	require.Equal(b.t, recovery.SessionIdle, begun.Session.State)
}

func resumesNever(b *bench) {
	unproven := b.byWorker()
	unproven.Profile.AgentKind = "amp"
	settle := func(in work.BeginPrompt) string {
		begun, err := b.tryBegin(in)
		require.NoError(b.t, err)
		c := b.claim(begun.Wakeup.ID)
		b.deliver(c)
		f := b.failure(c, loginNeeded)
		f.Envelope.AgentKind, f.Envelope.AgentVersion = in.Profile.AgentKind, in.Profile.AgentVersion
		_, err = b.store.FailRun(b.ctx(), work.Request{}, leaseOf(c), f)
		require.NoError(b.t, err)
		return begun.Session.ID
	}
	old := b.byWorker()
	old.Profile.AgentVersion = "1.0.0"
	for name, in := range map[string]work.BeginPrompt{"no proof for the agent": unproven, "no proof for the version": old} {
		id := settle(in)
		require.Equal(b.t, []work.UserAction{work.UserStartFresh}, b.session(id).Actions, name)
		_, err := b.goOn(id, false)
		require.Equal(b.t, string(work.UserStartFresh), b.refused(err, fault.ReasonNotResumable).Metadata["instead"], name)
	}
	done := b.claim(b.beginWorker().Wakeup.ID)
	b.deliver(done)
	_, err := b.trySucceed(done)
	require.NoError(b.t, err)
	_, err = b.goOn(done.Wakeup.SessionID, false)
	b.refused(err, fault.ReasonNotResumable)
}

func startsFresh(b *bench) {
	w := b.stoppedAfterEffects(b.byWorker()).Wakeup
	begun, err := b.goOn(w.SessionID, true)
	require.NoError(b.t, err)
	require.Equal(b.t, work.SendFresh, begun.Wakeup.NextSend)
	require.Empty(b.t, begun.Wakeup.NativeSessionID)
	require.Empty(b.t, begun.Session.NativeSessionID)
	require.Equal(b.t, work.SourceUserStartFresh, begun.Wakeup.Source)
	b.acted(work.UserStartFresh, begun.Wakeup.ID)
	c := b.claim(begun.Wakeup.ID)
	require.Equal(b.t, work.SendFresh, c.Run.Send)
	require.Empty(b.t, c.Run.NativeSessionID, "no resume token crosses over")
	_, err = b.goOn(w.SessionID, true)
	b.refused(err, fault.ReasonSessionBusy)
}

func carriesPrompt(b *bench) {
	in := b.byWorker()
	w := b.stoppedAfterEffects(in).Wakeup
	for i, fresh := range []bool{false, true} {
		begun, err := b.goOn(w.SessionID, fresh)
		require.NoError(b.t, err)
		require.Equal(b.t, work.DeliveryWorker, begun.Wakeup.Delivery)
		require.Empty(b.t, begun.Wakeup.Supervisor.ID, "any worker may have it")
		if !fresh {
			require.Equal(b.t, w.Supervisor.HostID, begun.Wakeup.Supervisor.HostID, "its host has the agent's session")
		}
		claim := b.claim(begun.Wakeup.ID)
		want := recovery.ContinueInstruction
		if fresh {
			want = recovery.FreshInstruction + in.Prompt
		}
		require.Equal(b.t, want, claim.Payload, "%d", i)
		_, err = b.stop(claim.Run.ID)
		require.NoError(b.t, err)
	}
}

func goOnFences(b *bench) {
	w := b.stoppedAfterEffects(b.byWorker()).Wakeup
	for _, fresh := range []bool{false, true} {
		in := work.GoOn{WorkspaceID: workspace, SessionID: w.SessionID, ExpectedGeneration: w.Generation + 1, Fresh: fresh}
		_, err := b.store.GoOn(b.ctx(), work.Request{}, in, newID(b.t))
		require.Equal(b.t, "1", b.refused(err, fault.ReasonStaleGeneration).Metadata["generation"])
		_, err = b.goOn(newID(b.t), fresh)
		b.refused(err, fault.ReasonSessionNotFound)
		_, err = b.goOn("no id", fresh)
		b.refused(err, fault.ReasonSessionNotFound)
		c := b.claim(b.begin().Wakeup.ID)
		_, err = b.goOn(c.Wakeup.SessionID, fresh)
		require.Equal(b.t, c.Run.ID, b.refused(err, fault.ReasonSessionBusy).Metadata["run_id"])
	}
}

func beginsWithContinue(b *bench) {
	in := b.prompt()
	in.Send = work.SendContinue
	_, err := b.tryBegin(in)
	b.refused(err, fault.ReasonNotResumable)
	in.SessionID = b.stoppedAfterEffects(b.prompt()).Wakeup.SessionID
	begun, err := b.tryBegin(in)
	require.NoError(b.t, err)
	run := b.claim(begun.Wakeup.ID).Run
	require.Equal(b.t, work.SendContinue, run.Send)
	require.Equal(b.t, "native-1", run.NativeSessionID)
}

// disarms checks that an old timer, click or claim changes nothing after each
// of what disarms a wait.
func disarms(b *bench) {
	other := b.prompt()
	other.Profile.Model = "another"
	next := func(in work.BeginPrompt) func(work.Wakeup) error {
		return func(w work.Wakeup) error {
			in.SessionID = w.SessionID
			_, err := b.tryBegin(in)
			return err
		}
	}
	for name, disarm := range map[string]func(work.Wakeup) error{
		"new prompt":    next(b.prompt()),
		"another model": next(other),
		"cancel":        func(w work.Wakeup) error { _, err := b.cancel(w.ID, 0); return err },
		"resume":        func(w work.Wakeup) error { _, err := b.goOn(w.SessionID, false); return err },
		"start fresh":   func(w work.Wakeup) error { _, err := b.goOn(w.SessionID, true); return err },
		"retry, then stop": func(w work.Wakeup) error {
			_, err := b.retry(w, 0)
			require.NoError(b.t, err)
			_, err = b.stop(b.claim(w.ID).Run.ID)
			return err
		},
		"retry, then success": func(w work.Wakeup) error {
			_, err := b.retry(w, 0)
			require.NoError(b.t, err)
			c := b.claim(w.ID)
			b.deliver(c)
			_, err = b.trySucceed(c)
			return err
		},
	} {
		w := b.waitingOf(b.byWorker())
		require.NoError(b.t, disarm(w), name)
		ended := b.wakeup(w.ID)
		require.True(b.t, ended.Status.Ended(), name)
		require.True(b.t, ended.DueAt.IsZero(), name)
		b.clock.advance(time.Hour)
		_, err := b.tryClaim(w.ID, laptop, true)
		b.refused(err, fault.ReasonNotClaimable)
		_, err = b.retry(w, 0)
		b.refused(err, fault.ReasonStaleVersion)
		_, err = b.cancel(w.ID, w.Version)
		b.refused(err, fault.ReasonStaleVersion)
		require.Equal(b.t, ended, b.wakeup(w.ID), name)
	}
}

func listsRecoveries(b *bench) {
	b.begin() // queued: it needs nothing
	failed := b.stoppedAfterEffects(b.prompt()).Wakeup
	b.clock.advance(time.Second)
	waits := b.waiting()
	b.clock.advance(time.Second)
	lost := b.claim(b.begin().Wakeup.ID)
	b.send(lost)
	b.clock.advance(b.set.Lease + time.Second)
	require.True(b.t, b.expire(lost))
	gone, err := b.goOn(b.stoppedAfterEffects(b.byWorker()).Wakeup.SessionID, true)
	require.NoError(b.t, err)
	require.NotEmpty(b.t, gone.Wakeup.ID)
	list := func(f work.RecoveryFilter) (ids []string) {
		f.WorkspaceID, f.Limit = workspace, max(f.Limit, 1)
		found, err := b.store.ListRecoveries(b.ctx(), f)
		require.NoError(b.t, err)
		for _, r := range found {
			ids = append(ids, r.Wakeup.ID)
		}
		return ids
	}
	want := []string{lost.Wakeup.ID, waits.ID, failed.ID}
	require.Equal(b.t, want, list(work.RecoveryFilter{Limit: 10}), "the newest wakeup of a session only; the ambiguous one is a person's")
	require.Equal(b.t, want[:1], list(work.RecoveryFilter{Limit: 1}))
	require.Equal(b.t, want[2:], list(work.RecoveryFilter{Limit: 10, BeforeAt: waits.UpdatedAt, BeforeID: waits.ID}))
	require.Equal(b.t, want[1:2], list(work.RecoveryFilter{Limit: 10, Attention: work.AttentionDeadline}))
	require.Equal(b.t, []work.UserAction{work.UserRetryNow, work.UserCancelWait}, b.session(waits.SessionID).Actions)
	require.Equal(b.t, waits.DueAt, b.session(waits.SessionID).RetryAt())
	_, err = b.store.GetSessionRecovery(b.ctx(), workspace, newID(b.t))
	b.refused(err, fault.ReasonSessionNotFound)
}
