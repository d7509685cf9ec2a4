package storagetest

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"events say what happened, in order":            eventStory,
	"numbering steps that race leave no gap":        numberRace,
	"pruned events leave no hole and move the head": pruneEvents,
})

func (b *bench) number() int {
	n, err := b.store.NumberEvents(b.ctx(), workspace, 1000)
	require.NoError(b.t, err)
	return n
}

func (b *bench) events(after int64) []work.Event {
	list, err := b.store.ReadEvents(b.ctx(), workspace, after, 10000)
	require.NoError(b.t, err)
	return list
}

func eventStory(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	w := b.fail(c, overloaded).Wakeup
	require.Empty(b.t, b.events(0), "nobody sees an event without a number")
	ids, err := b.store.FindUnnumbered(b.ctx())
	require.NoError(b.t, err)
	require.Equal(b.t, []string{workspace}, ids)
	require.Positive(b.t, b.number())
	require.Zero(b.t, b.number())
	var story []string
	for i, e := range b.events(0) {
		require.EqualValues(b.t, i+1, e.Seq)
		switch e.Type {
		case work.EventWakeupUpdated:
			require.Equal(b.t, w.ID, e.Payload["wakeup_id"])
			story = append(story, "wakeup "+e.Payload["status"].(string))
		case work.EventSessionUpdated:
			require.Equal(b.t, w.SessionID, e.Payload["session_id"])
			story = append(story, "session "+e.Payload["state"].(string))
		case work.EventRecoveryUpdated:
			require.Equal(b.t, map[string]any{
				"wakeup_id": w.ID, "run_id": c.Run.ID, "code": "provider_overloaded", "class": "transient", "action": "retry",
				"retry_at": w.DueAt.Format(time.RFC3339Nano), "ordinal": 1.0, "max_attempts": 5.0,
			}, e.Payload)
			story = append(story, "recovery")
		}
	}
	require.Equal(b.t, []string{
		"session idle", "wakeup queued", "wakeup running", "session starting", "session running",
		"wakeup scheduled_retry", "session idle", "recovery",
	}, story)
	head, err := b.store.EventHead(b.ctx(), workspace)
	require.NoError(b.t, err)
	require.Equal(b.t, work.Head{LastSeq: 8, OldestSeq: 1}, head)
}

func numberRace(b *bench) {
	const writers, prompts = 6, 8
	var numbering, writing sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		numbering.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, err := b.store.NumberEvents(b.ctx(), workspace, 1+rand.IntN(5))
					if err != nil {
						b.t.Error(err)
						return
					}
				}
			}
		})
	}
	for range writers {
		writing.Go(func() {
			for range prompts {
				if _, err := b.tryBegin(b.prompt()); err != nil {
					b.t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	numbering.Wait()
	for b.number() > 0 {
	}
	list := b.events(0)
	require.Len(b.t, list, writers*prompts*2)
	seen := map[string]bool{}
	for i, e := range list {
		require.EqualValues(b.t, i+1, e.Seq)
		require.False(b.t, seen[e.ID])
		seen[e.ID] = true
	}
}

func pruneEvents(b *bench) {
	b.begin()
	b.clock.advance(time.Hour)
	young := b.clock.Now()
	begun := b.begin()
	b.number()
	_, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	more, err := b.store.PruneHistory(b.ctx(), workspace, young, 1)
	require.NoError(b.t, err)
	require.True(b.t, more)
	more, err = b.store.PruneHistory(b.ctx(), workspace, young, 10)
	require.NoError(b.t, err)
	require.False(b.t, more)
	b.number()
	list := b.events(0)
	require.EqualValues(b.t, 3, list[0].Seq)
	require.Equal(b.t, begun.Wakeup.ID, list[1].Payload["wakeup_id"])
	head, err := b.store.EventHead(b.ctx(), workspace)
	require.NoError(b.t, err)
	require.EqualValues(b.t, 3, head.OldestSeq)
	require.EqualValues(b.t, 6, head.LastSeq)
	_, err = b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err, "a request of today is still known")
	require.Equal(b.t, 3, b.count())
	require.Equal(b.t, recovery.WakeupQueued, b.wakeup(begun.Wakeup.ID).Status)
}
