package events_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
)

// In these tests time is the bubble's: it passes only when everybody waits.

type bench struct {
	t      *testing.T
	memory *memory
	stream *events.Stream
	ctx    context.Context
}

// bubble runs a test with a running stream in a bubble of its own.
func bubble(t *testing.T, cfg events.Config, test func(*bench)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		m := newMemory()
		cfg.Store = m
		b := &bench{t: t, memory: m, stream: events.New(cfg), ctx: ctx}
		go b.stream.Run(ctx)
		b.stream.Resync() // hints arrive
		test(b)
		cancel()
		synctest.Wait()
	})
}

func (b *bench) watch(in work.WatchEvents, c *collector) (ended chan error, stop func()) {
	in.WorkspaceID = workspace
	ctx, cancel := context.WithCancel(b.ctx)
	ended = make(chan error, 1)
	go func() { ended <- b.stream.Watch(ctx, in, c.send) }()
	synctest.Wait()
	return ended, cancel
}

func (b *bench) happen(count int) {
	b.memory.add(count)
	b.stream.Kick(workspace)
	synctest.Wait()
}

// pass lets the bubble's time pass, and everybody act on it.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func reason(t *testing.T, err error) fault.Reason {
	t.Helper()
	require.Error(t, err)
	return fault.From(err).Reason
}

func TestAWatcherSeesEverythingOnce(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		b.happen(3)
		var now, all, odd collector
		b.watch(work.WatchEvents{}, &now)
		page, err := b.stream.List(b.ctx, work.ListEvents{WorkspaceID: workspace, PageSize: 1})
		require.NoError(b.t, err)
		b.watch(work.WatchEvents{Cursor: page.NextCursor}, &all)
		_, stop := b.watch(work.WatchEvents{Cursor: page.NextCursor, Types: []string{"odd"}}, &odd)
		require.Equal(b.t, 1, now.beaten(), "a sign of life at the start")
		b.happen(700) // more than one batch
		require.Equal(b.t, upTo(4, 703), now.got())
		require.Equal(b.t, upTo(2, 703), all.got())
		require.Len(b.t, odd.got(), 351)
		stop()
		b.happen(2)
		// It goes on where it was, past the types that it does not want.
		b.watch(work.WatchEvents{Cursor: odd.cursor}, &odd)
		require.Equal(b.t, []int64{704, 705}, odd.got()[351:])
	})
}

func TestAHeartbeatComesEvery15Seconds(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		var c collector
		var last work.Watched
		c.before = func(w work.Watched) error { last = w; return nil }
		b.watch(work.WatchEvents{}, &c)
		b.happen(2)
		start := time.Now()
		pass(61 * time.Second)
		synctest.Wait()
		require.Equal(b.t, 5, c.beaten())
		require.Nil(b.t, last.Event)
		require.Equal(b.t, start.Add(60*time.Second).UTC(), last.ServerTime)
		var again collector
		b.watch(work.WatchEvents{Cursor: last.Cursor}, &again)
		require.Empty(b.t, again.got(), "a heartbeat's cursor is up to date")
	})
}

func TestCursorsThatLeadNowhere(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		b.happen(10)
		first, err := b.stream.List(b.ctx, work.ListEvents{WorkspaceID: workspace, PageSize: 3})
		require.NoError(b.t, err)
		last, err := b.stream.List(b.ctx, work.ListEvents{WorkspaceID: workspace})
		require.NoError(b.t, err)
		b.memory.prune(6)
		watch := func(cursor string) error {
			return b.stream.Watch(b.ctx, work.WatchEvents{WorkspaceID: workspace, Cursor: cursor}, (&collector{}).send)
		}
		err = watch(first.NextCursor)
		require.Equal(b.t, fault.ReasonCursorExpired, reason(b.t, err))
		_, err = b.stream.List(b.ctx, work.ListEvents{WorkspaceID: workspace, Cursor: first.NextCursor})
		require.Equal(b.t, fault.ReasonCursorExpired, reason(b.t, err))
		// What it says to do works.
		page, err := b.stream.List(b.ctx, work.ListEvents{WorkspaceID: workspace, Cursor: fault.From(err).Metadata["oldest_cursor"]})
		require.NoError(b.t, err)
		require.Equal(b.t, int64(6), page.Events[0].Seq)
		for _, damaged := range []string{"x", "!!!!", last.NextCursor + "A", last.NextCursor[1:], "AQ"} {
			require.Equal(b.t, fault.ReasonInvalidRequest, reason(b.t, watch(damaged)), damaged)
		}
		// A cursor of a database that was restored from a backup is no promise.
		ahead := events.Cursor(work.Event{Seq: 11})
		require.Equal(b.t, fault.ReasonCursorExpired, reason(b.t, watch(ahead)))
	})
}

func TestEventsThatArePrunedDuringACatchUpAreNotSkipped(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		b.happen(1200)
		c := collector{}
		c.before = func(w work.Watched) error {
			if w.Event != nil && w.Event.Seq == 3 {
				b.memory.prune(900)
			}
			return nil
		}
		ended, _ := b.watch(work.WatchEvents{Cursor: events.Cursor(work.Event{})}, &c)
		require.Equal(b.t, fault.ReasonCursorExpired, reason(b.t, <-ended))
		require.Equal(b.t, upTo(1, 500), c.got(), "a hole is an error, never silence")
	})
}

func TestASlowReaderIsCutOffAndCanResume(t *testing.T) {
	bubble(t, events.Config{Buffer: 8}, func(b *bench) {
		gate := make(chan struct{})
		slow, fast := collector{}, collector{}
		slow.before = func(w work.Watched) error {
			if w.Event != nil {
				<-gate
			}
			return nil
		}
		ended, _ := b.watch(work.WatchEvents{}, &slow)
		b.watch(work.WatchEvents{}, &fast)
		for range 10 {
			b.happen(2)
		}
		require.Equal(b.t, upTo(1, 20), fast.got(), "others do not wait for it")
		close(gate)
		err := <-ended
		require.Equal(b.t, fault.ReasonStreamTooSlow, reason(b.t, err))
		got := slow.got()
		require.Equal(b.t, upTo(1, int64(len(got))), got)
		slow.before = nil
		b.watch(work.WatchEvents{Cursor: fault.From(err).Metadata["cursor"]}, &slow)
		require.Equal(b.t, upTo(1, 20), slow.got(), "nothing lost, nothing twice")
	})
}

func TestALongCatchUpIsNotTheReadersFault(t *testing.T) {
	bubble(t, events.Config{Buffer: 8}, func(b *bench) {
		b.happen(100)
		gate := make(chan struct{})
		c := collector{}
		c.before = func(w work.Watched) error {
			if w.Event != nil && w.Event.Seq == 50 {
				<-gate
			}
			return nil
		}
		b.watch(work.WatchEvents{Cursor: events.Cursor(work.Event{})}, &c)
		b.happen(30) // more than the buffer holds
		close(gate)
		synctest.Wait()
		require.Equal(b.t, upTo(1, 130), c.got())
	})
}

func TestAnIdleStreamAsksNothing(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		synctest.Wait()
		before := b.memory.asked()
		pass(time.Hour)
		require.Equal(b.t, before, b.memory.asked(), "nobody watches")
		_, stop := b.watch(work.WatchEvents{}, &collector{})
		before = b.memory.asked()
		pass(time.Minute)
		synctest.Wait()
		require.LessOrEqual(b.t, b.memory.asked()-before, 24+1, "one watcher: two queries each five seconds")
		stop()
		pass(time.Minute)
		before = b.memory.asked()
		pass(time.Hour)
		require.Equal(b.t, before, b.memory.asked(), "nobody watches any more")
	})
}
