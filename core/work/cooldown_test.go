package work_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/work"
)

func TestTheShortPhaseHoldsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd()
		some := func(t *rapid.T) string { return rapid.SampledFrom(c.begun).Draw(t, "wakeup") }
		for range 3 {
			c.begin(t)
		}
		launch := func(t *rapid.T) {
			if id := some(t); c.claim(t, id) {
				c.send(t, id)
			}
		}
		hint := func(t *rapid.T) {
			r, id := busy, some(t)
			r.RetryAfter, r.RetryAfterSet, r.HintSource, r.OccurredAt = 40*time.Second, true, "retry-after", c.now
			if c.fail(t, id, r) {
				c.hinted[id] = c.now.Add(40 * time.Second)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"begin":  func(t *rapid.T) { c.begin(t) },
			"launch": launch, "launch more": launch,
			"fail":        func(t *rapid.T) { c.fail(t, some(t), busy) },
			"fail again":  func(t *rapid.T) { c.fail(t, some(t), busy) },
			"fail hinted": hint,
			"fail hard": func(t *rapid.T) {
				c.fail(t, some(t), classification.Result{Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High})
			},
			"succeed": func(t *rapid.T) { c.succeed(t, some(t)) },
			"answer": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) {
					return work.Progress(l, work.RecordProgress{Lease: work.Lease{Token: "token"}, Effects: evidence.Effects{AssistantOutput: evidence.EffectSeen}}, c.set)
				})
			},
			"cancel": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Cancel(l, work.CancelWait{}) })
			},
			"retry now": func(t *rapid.T) {
				id := some(t)
				if c.step(t, id, func(l work.Locked) (work.Change, error) { return work.Retry(l, work.RetryNow{By: "me"}) }) {
					delete(c.hinted, id) // a person may
				}
			},
			"stop": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Stop(l, work.StopRun{}) })
			},
			"release": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Release(l, "token", c.set) })
			},
			"expire": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Expire(l, c.set) })
			},
			"pass": func(t *rapid.T) {
				c.now = c.now.Add(time.Duration(rapid.SampledFrom([]int{1, 7, 31, 600}).Draw(t, "seconds")) * time.Second)
			},
			"": func(t *rapid.T) { c.check(t) },
		})
	})
}

// Of many that fail together one retries; the others spend nothing, and start
// one after the other once it has succeeded.
func TestOneRunFindsOutForAll(t *testing.T) {
	t.Parallel()
	const n = 8
	c := newCrowd()
	for range n {
		c.begin(t)
	}
	for _, id := range c.begun {
		require.True(t, c.claim(t, id))
		require.True(t, c.send(t, id))
	}
	for _, id := range c.begun {
		require.True(t, c.fail(t, id, busy))
	}
	owner := c.begun[0]
	require.Equal(t, owner, c.cooldown.OwnerWakeupID)
	for range 2 { // the owner fails again, once
		c.now = c.wakeups[owner].DueAt
		require.True(t, c.claim(t, owner))
		for _, id := range c.begun[1:] {
			require.False(t, c.claim(t, id), "not while the owner runs")
		}
		require.True(t, c.send(t, owner))
		if c.wakeups[owner].RetryCount() == 1 {
			require.True(t, c.fail(t, owner, busy))
		}
	}
	require.True(t, c.succeed(t, owner))
	require.Nil(t, c.cooldown)
	spent, starts := 0, map[time.Duration]int{}
	for _, id := range c.begun {
		spent += c.wakeups[id].RetryCount()
		if id != owner {
			require.Empty(t, c.wakeups[id].WaitsForRunID)
			starts[c.wakeups[id].DueAt.Sub(c.now)]++
		}
	}
	require.Equal(t, 2, spent, "the owner's")
	require.Len(t, starts, n-1, "no two at once: %v", starts)
}

func TestEarlyClaimsOfThoseThatWaitAreToldWhen(t *testing.T) {
	t.Parallel()
	c := newCrowd()
	c.begin(t)
	c.begin(t)
	for _, id := range c.begun {
		c.claim(t, id)
		c.send(t, id)
		c.fail(t, id, busy)
	}
	var early *work.NotDue
	_, err := work.ClaimWakeup(c.locked(c.begun[1]), work.ClaimRequest{RunID: "r", TokenHash: work.HashToken("t"), Settings: c.set})
	require.True(t, errors.As(err, &early))
	require.True(t, early.DueAt.After(c.wakeups[c.begun[0]].DueAt))
}

// What a provider stated to the one that waits holds, however soon the owner succeeds.
func TestTheEndOfAShortPhaseShortensNoStatedWait(t *testing.T) {
	t.Parallel()
	c := newCrowd()
	for range 2 {
		c.begin(t)
		c.claim(t, c.begun[len(c.begun)-1])
		c.send(t, c.begun[len(c.begun)-1])
	}
	owner, waits := c.begun[0], c.begun[1]
	c.fail(t, owner, busy)
	stated := busy
	stated.RetryAfter, stated.RetryAfterSet, stated.HintSource, stated.OccurredAt = 50*time.Second, true, "retry-after", c.now
	until := c.now.Add(50 * time.Second)
	c.fail(t, waits, stated)
	require.NotEmpty(t, c.wakeups[waits].WaitsForRunID)
	c.now = c.wakeups[owner].DueAt
	c.claim(t, owner)
	c.send(t, owner)
	c.succeed(t, owner)
	require.Empty(t, c.wakeups[waits].WaitsForRunID)
	require.Equal(t, until, c.wakeups[waits].DueAt)
}
