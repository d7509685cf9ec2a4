package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"work that ended long ago goes, with all of it": pruneEnded,
	"work that goes on or waits is never pruned":    pruneSparesTheLiving,
	"pruning goes in batches":                       pruneInBatches,
})

func (b *bench) prune(before time.Time, limit int) bool {
	more, err := b.store.PruneWork(b.ctx(), workspace, before, limit)
	require.NoError(b.t, err)
	return more
}

// finish takes a prompt through a failed and a successful run.
func (b *bench) finish(begun work.Begun) {
	c := b.claim(begun.Wakeup.ID)
	b.deliver(c)
	settled := b.fail(c, overloaded)
	b.pass(settled.Wakeup.DueAt.Sub(b.clock.Now()))
	c = b.claim(begun.Wakeup.ID)
	b.deliver(c)
	_, err := b.trySucceed(c)
	require.NoError(b.t, err)
}

func pruneEnded(b *bench) {
	old := b.begin()
	b.finish(old)
	again := b.prompt()
	again.SessionID = old.Session.ID
	newer, err := b.tryBegin(again)
	require.NoError(b.t, err)
	b.pass(time.Hour)
	before := b.clock.Now()
	require.False(b.t, b.prune(before, 10))
	require.Equal(b.t, []string{newer.Wakeup.ID}, b.wakeups(work.WakeupFilter{Limit: 10}))
	runs, err := b.store.ListRuns(b.ctx(), work.RunFilter{WorkspaceID: workspace, Limit: 10})
	require.NoError(b.t, err)
	require.Empty(b.t, runs)

	_, err = b.cancel(newer.Wakeup.ID, 0)
	require.NoError(b.t, err)
	require.False(b.t, b.prune(before, 10), "what ended after the instant stays")
	require.Len(b.t, b.wakeups(work.WakeupFilter{Limit: 10}), 1)
	b.pass(time.Hour)
	require.False(b.t, b.prune(b.clock.Now(), 10))
	require.Empty(b.t, b.wakeups(work.WakeupFilter{Limit: 10}))
	_, err = b.tryBegin(again)
	require.ErrorContains(b.t, err, "session", "the session went with its last wakeup")
}

func pruneSparesTheLiving(b *bench) {
	waits := b.begin()
	c := b.claim(waits.Wakeup.ID)
	b.deliver(c)
	b.fail(c, overloaded)
	runs := b.begin()
	b.deliver(b.claim(runs.Wakeup.ID))
	queued := b.begin()
	b.pass(1000 * time.Hour)
	require.False(b.t, b.prune(b.clock.Now(), 10))
	require.ElementsMatch(b.t, []string{waits.Wakeup.ID, runs.Wakeup.ID, queued.Wakeup.ID}, b.wakeups(work.WakeupFilter{Limit: 10}))
}

func pruneInBatches(b *bench) {
	for range 5 {
		begun := b.begin()
		_, err := b.cancel(begun.Wakeup.ID, 0)
		require.NoError(b.t, err)
	}
	b.pass(time.Hour)
	require.True(b.t, b.prune(b.clock.Now(), 2))
	require.Len(b.t, b.wakeups(work.WakeupFilter{Limit: 10}), 3)
	require.True(b.t, b.prune(b.clock.Now(), 2))
	require.False(b.t, b.prune(b.clock.Now(), 2))
	require.Empty(b.t, b.wakeups(work.WakeupFilter{Limit: 10}))
}
