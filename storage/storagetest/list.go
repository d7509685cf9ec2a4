package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"wakeups are listed newest first and filtered": listWakeups,
	"runs are listed without their evidence":       listRuns,
	"what is no id names nothing":                  noID,
	"a hard failure stops for a person":            hardStop,
	"text that cannot be stored is refused":        badText,
	"a failure over the limit is stored cut":       longMessage,
})

func (b *bench) wakeups(f work.WakeupFilter) []string {
	f.WorkspaceID = workspace
	if f.Limit == 0 {
		f.Limit = 10
	}
	list, err := b.store.ListWakeups(b.ctx(), f)
	require.NoError(b.t, err)
	ids := []string{}
	for _, w := range list {
		require.Equal(b.t, b.wakeup(w.ID), w)
		ids = append(ids, w.ID)
	}
	return ids
}

func listWakeups(b *bench) {
	first, second := b.begin(), b.begin()
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	third := b.fail(c, overloaded).Wakeup
	one, two, three := first.Wakeup.ID, second.Wakeup.ID, third.ID
	require.Equal(b.t, []string{three, two, one}, b.wakeups(work.WakeupFilter{}))
	require.Equal(b.t, []string{three, two}, b.wakeups(work.WakeupFilter{Limit: 2}))
	require.Equal(b.t, []string{one}, b.wakeups(work.WakeupFilter{BeforeID: two}))
	require.Equal(b.t, []string{two, one}, b.wakeups(work.WakeupFilter{Statuses: []string{"queued", "parked"}}))
	require.Equal(b.t, []string{two}, b.wakeups(work.WakeupFilter{SessionID: second.Session.ID}))
	require.Equal(b.t, []string{three}, b.wakeups(work.WakeupFilter{Code: string(classification.ProviderOverloaded)}))
	require.Empty(b.t, b.wakeups(work.WakeupFilter{Code: string(classification.QuotaLimited)}))
	require.Empty(b.t, b.wakeups(work.WakeupFilter{SessionID: "no id"}))
	list, err := b.store.ListWakeups(b.ctx(), work.WakeupFilter{WorkspaceID: other, Limit: 10})
	require.NoError(b.t, err)
	require.Empty(b.t, list)
}

func listRuns(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	w := b.fail(c, overloaded).Wakeup
	b.clock.advance(w.DueAt.Sub(b.clock.Now()))
	again := b.claim(w.ID)
	b.claim(b.begin().Wakeup.ID)
	list, err := b.store.ListRuns(b.ctx(), work.RunFilter{WorkspaceID: workspace, WakeupID: w.ID, Limit: 10})
	require.NoError(b.t, err)
	require.Len(b.t, list, 2)
	require.Equal(b.t, again.Run, list[0])
	whole := b.run(c.Run.ID)
	require.NotNil(b.t, whole.Evidence)
	whole.Evidence = nil
	require.Equal(b.t, whole, list[1])
	list, err = b.store.ListRuns(b.ctx(), work.RunFilter{WorkspaceID: workspace, States: []string{"settled", "lost"}, Limit: 10})
	require.NoError(b.t, err)
	require.Len(b.t, list, 1)
	list, err = b.store.ListRuns(b.ctx(), work.RunFilter{WorkspaceID: workspace, BeforeID: again.Run.ID, Limit: 10})
	require.NoError(b.t, err)
	require.Len(b.t, list, 1)
}

func noID(b *bench) {
	for _, id := range []string{"", "x", newID(b.t), "'; DROP TABLE runs; --"} {
		_, err := b.store.GetWakeup(b.ctx(), workspace, id)
		b.refused(err, fault.ReasonWakeupNotFound)
		_, err = b.store.GetRun(b.ctx(), workspace, id)
		b.refused(err, fault.ReasonRunNotFound)
		_, err = b.tryClaim(id, laptop, false)
		b.refused(err, fault.ReasonWakeupNotFound)
		_, err = b.store.RenewLease(b.ctx(), work.Lease{WorkspaceID: workspace, RunID: id, Token: "t"}, b.set)
		b.refused(err, fault.ReasonRunNotFound)
		_, err = b.store.BeginSend(b.ctx(), work.Lease{WorkspaceID: workspace, RunID: id, Token: "t"}, b.set)
		b.refused(err, fault.ReasonRunNotFound)
	}
}

func hardStop(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	settled := b.fail(c, loginNeeded)
	require.Equal(b.t, recovery.ActionStop, settled.Run.Decision.Action)
	w := b.wakeup(c.Wakeup.ID)
	require.Equal(b.t, recovery.WakeupFailed, w.Status)
	require.Equal(b.t, work.AttentionPerson, w.Attention)
	require.Equal(b.t, string(recovery.ReasonPersonRequired), w.StatusReason)
	require.Equal(b.t, recovery.RemedyLogIn, w.LastDecision.Remedy)
	require.Equal(b.t, loginNeeded.SafeExcerpt, w.ErrorMessage)
	require.Equal(b.t, recovery.SessionFailed, w.SessionState)
	// The session is not dead: a person's next prompt starts again.
	in := b.prompt()
	in.SessionID = w.SessionID
	next, err := b.tryBegin(in)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.SessionIdle, next.Session.State)
}

func badText(b *bench) {
	in := b.prompt()
	in.Supervisor.HostID = "host\x00name"
	_, err := b.tryBegin(in)
	b.refused(err, fault.ReasonInvalidRequest)
	in = b.prompt()
	in.Profile.Labels = map[string]string{"repo": "nul\x00 and \ud7ff"}
	begun, err := b.tryBegin(in)
	require.NoError(b.t, err)
	require.Equal(b.t, in.Profile.Labels, b.wakeup(begun.Wakeup.ID).Profile.Labels)
}

func longMessage(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	in := b.failure(c, loginNeeded)
	in.ErrorMessage = strings.Repeat("x", b.set.ErrorMessageBytes)
	_, err := b.store.FailRun(b.ctx(), work.Request{}, leaseOf(c), in)
	require.NoError(b.t, err)
	require.Len(b.t, b.wakeup(c.Wakeup.ID).ErrorMessage, b.set.ErrorMessageBytes)
	list, err := b.store.ListWakeups(b.ctx(), work.WakeupFilter{WorkspaceID: workspace, Limit: 1})
	require.NoError(b.t, err)
	require.Less(b.t, len(list[0].ErrorMessage), 4096)
}
