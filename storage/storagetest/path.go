package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// The steps of the durable path, as the tests take them.

func (b *bench) prompt() work.BeginPrompt {
	return work.BeginPrompt{
		WorkspaceID: workspace, Supervisor: laptop,
		Profile: work.Profile{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", ArgvShape: []string{"claude", "-p"}},
	}
}

func (b *bench) tryBegin(in work.BeginPrompt) (work.Begun, error) {
	return b.store.BeginPrompt(b.ctx(), work.Request{}, in, work.BeginIDs{SessionID: newID(b.t), WakeupID: newID(b.t)})
}

func (b *bench) begin() work.Begun {
	begun, err := b.tryBegin(b.prompt())
	require.NoError(b.t, err)
	return begun
}

func (b *bench) tryClaim(wakeupID string, by work.Supervisor, takeOver bool) (work.Claim, error) {
	token := newID(b.t)
	claim, err := b.store.ClaimWakeup(b.ctx(), workspace, wakeupID, work.ClaimRequest{
		Supervisor: by, TakeOver: takeOver, RunID: newID(b.t), TokenHash: work.HashToken(token), Settings: b.set,
	})
	claim.LeaseToken = token
	return claim, err
}

func (b *bench) claim(wakeupID string) work.Claim {
	claim, err := b.tryClaim(wakeupID, laptop, false)
	require.NoError(b.t, err)
	return claim
}

func leaseOf(c work.Claim) work.Lease {
	return work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}
}

func (b *bench) send(c work.Claim) work.Run {
	run, err := b.store.BeginSend(b.ctx(), leaseOf(c), b.set)
	require.NoError(b.t, err)
	return run
}

func (b *bench) deliver(c work.Claim) work.Run {
	b.send(c)
	run, err := b.store.MarkDelivered(b.ctx(), work.MarkDelivered{Lease: leaseOf(c), NativeSessionID: "native-1"}, b.set)
	require.NoError(b.t, err)
	return run
}

func (b *bench) failure(c work.Claim, r classification.Result) work.Failure {
	return work.Failure{Token: c.LeaseToken, Envelope: envelope(), Result: r, ErrorMessage: r.SafeExcerpt, Settings: b.set}
}

func (b *bench) tryFail(c work.Claim, r classification.Result) (work.Settled, error) {
	return b.store.FailRun(b.ctx(), work.Request{}, leaseOf(c), b.failure(c, r))
}

func (b *bench) fail(c work.Claim, r classification.Result) work.Settled {
	settled, err := b.tryFail(c, r)
	require.NoError(b.t, err)
	return settled
}

func (b *bench) trySucceed(c work.Claim) (work.Settled, error) {
	return b.store.SucceedRun(b.ctx(), work.Request{}, leaseOf(c), work.Success{
		Token: c.LeaseToken, Effects: evidence.Effects{AssistantOutput: evidence.EffectSeen, ToolActivity: evidence.EffectNone}, Settings: b.set,
	})
}

func (b *bench) expire(c work.Claim) bool {
	changed, err := b.store.ExpireRun(b.ctx(), work.RunRef{WorkspaceID: workspace, RunID: c.Run.ID}, b.set)
	require.NoError(b.t, err)
	return changed
}

func (b *bench) wakeup(id string) work.Wakeup {
	w, err := b.store.GetWakeup(b.ctx(), workspace, id)
	require.NoError(b.t, err)
	return w
}

func (b *bench) run(id string) work.Run {
	r, err := b.store.GetRun(b.ctx(), workspace, id)
	require.NoError(b.t, err)
	return r
}

func (b *bench) cancel(wakeupID string, version int64) (work.Wakeup, error) {
	return b.store.CancelWait(b.ctx(), work.Request{}, work.CancelWait{WorkspaceID: workspace, WakeupID: wakeupID, ExpectedVersion: version})
}

// refused checks that an error has a reason, and returns it.
func (b *bench) refused(err error, reason fault.Reason) *fault.Error {
	b.t.Helper()
	require.Error(b.t, err)
	require.Equal(b.t, reason, fault.From(err).Reason, "%v", err)
	return fault.From(err)
}
