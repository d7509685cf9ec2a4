package events_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
)

func TestWithoutHintsTheTablesAreLookedAt(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		var c collector
		b.watch(work.WatchEvents{}, &c)
		b.stream.Failed(errBroken)
		b.memory.add(3) // another replica's, that was killed before it numbered them
		pass(6 * time.Second)
		synctest.Wait()
		require.Equal(b.t, upTo(1, 3), c.got())
		before := b.memory.asked()
		pass(time.Minute)
		require.LessOrEqual(b.t, b.memory.asked()-before, 2*60+1)
		require.GreaterOrEqual(b.t, b.memory.asked()-before, 60, "a look each second")
	})
}

func TestAHintFromAnotherReplicaReachesReaders(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		var c collector
		b.watch(work.WatchEvents{}, &c)
		b.memory.add(2)
		_, err := b.memory.NumberEvents(b.ctx, workspace, 10) // the other replica
		require.NoError(b.t, err)
		b.stream.Hint([]string{"unknown", workspace})
		synctest.Wait()
		require.Equal(b.t, upTo(1, 2), c.got())
	})
}

func TestHintsAreCoalesced(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		for range 1000 {
			b.happen(1)
			pass(time.Millisecond)
		}
		synctest.Wait()
		require.LessOrEqual(b.t, b.memory.hinted(), 21, "at most 20 a second")
		require.GreaterOrEqual(b.t, b.memory.hinted(), 19)
		pass(time.Second)
		synctest.Wait()
		require.LessOrEqual(b.t, b.memory.hinted(), 22, "the last hint is sent, then there is silence")
	})
}

func TestNumberingGoesOnAfterAnOutage(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		var c collector
		b.watch(work.WatchEvents{}, &c)
		b.memory.fail(errBroken)
		b.happen(5)
		pass(10 * time.Second)
		require.Empty(b.t, c.got())
		b.memory.fail(nil)
		pass(2 * time.Second)
		synctest.Wait()
		require.Equal(b.t, upTo(1, 5), c.got())
	})
}

func TestAStoppingServerTellsItsReaders(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		var c collector
		ended, _ := b.watch(work.WatchEvents{}, &c)
		b.happen(2)
		b.stream.Close()
		b.stream.Close()
		err := <-ended
		require.Equal(b.t, fault.ReasonShuttingDown, reason(b.t, err))
		require.Equal(b.t, c.cursor, fault.From(err).Metadata["cursor"])
	})
}

func TestAReaderThatGoesAwayEndsItsStream(t *testing.T) {
	bubble(t, events.Config{}, func(b *bench) {
		ended, stop := b.watch(work.WatchEvents{}, &collector{})
		stop()
		require.Equal(b.t, fault.ReasonCanceled, reason(b.t, <-ended))
		gone := collector{before: func(w work.Watched) error {
			if w.Event != nil {
				return errBroken
			}
			return nil
		}}
		ended, _ = b.watch(work.WatchEvents{}, &gone)
		b.happen(1)
		require.ErrorIs(b.t, <-ended, errBroken)
	})
}
