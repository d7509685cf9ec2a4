// Package model drives the durable path and a small reference of its contract
// side by side through random interleavings of everything that can happen.
package model

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// checks are the walks of one rapid check; pureSteps is how long one is.
const (
	checks    = 20
	pureSteps = 150
)

func TestMain(m *testing.M) {
	// Each walk is a check of many steps, so that fewer of them do. The planted
	// faults fail on purpose: nothing is to be kept of that, and little tried to
	// make it shorter. A command line overrides all of it.
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(checks), "rapid.nofailfile": "true", "rapid.shrinktime": "2s",
	} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	pg.Main(m, pg.Migrate(postgres.Migrate))
}

func newMachine(t *rapid.T, now *atomic.Int64, sessions int, replicas ...path) *machine {
	m := &machine{t: t, replicas: replicas, now: now, set: recovery.Defaults(), taken: map[string]int{}}
	for range sessions {
		m.sessions = append(m.sessions, &conversation{})
	}
	return m
}

func newClock() *atomic.Int64 {
	now := &atomic.Int64{}
	now.Store(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC).Unix())
	return now
}

func inMemory(now *atomic.Int64) *table {
	return newTable(func() time.Time { return time.Unix(now.Load(), 0).UTC() })
}

// tally adds up what the walks did: walks that never meet a state prove
// nothing about it.
type tally struct {
	mu    sync.Mutex
	steps int
	taken map[string]int
}

func (c *tally) add(m *machine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.steps += m.steps
	for what, n := range m.taken {
		c.taken[what] += n
	}
}

// met lists what every run of the walks must have met.
var met = []string{
	"begin", "begin refused", "claim", "claim refused", "send", "send refused", "deliver", "deliver refused", "progress", "heartbeat",
	"heartbeat refused", "release", "fail", "fail refused", "succeed", "succeed refused", "cancel", "cancel refused", "retry now", "retry now refused",
	"stop", "stop refused", "go on", "go on refused",
	"transient: scheduled_retry prompt", "transient: scheduled_retry continue", "transient: scheduled_retry fresh", "transient: parked prompt",
	"transient: failed ", "transient: cancelled ", "quota: scheduled_retry prompt", "quota: scheduled_retry continue",
	"quota: failed ", "hard: failed ", "unknown: failed ", "spawn: scheduled_retry prompt", "spawn: scheduled_retry fresh", "spawn: failed ",
}

func (c *tally) require(t *testing.T) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(c.taken)) {
		t.Logf("%8d %s", c.taken[what], what)
	}
	for _, what := range met {
		require.NotZero(t, c.taken[what], "the walks never met: %s", what)
	}
}

// TestTheTransitionsDoWhatTheContractSays is the pure half: core/work on a
// table in memory.
func TestTheTransitionsDoWhatTheContractSays(t *testing.T) {
	t.Parallel()
	count := &tally{taken: map[string]int{}}
	t.Run("walks", func(t *testing.T) {
		for i := range pureWalks {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) { walk(t, count, nil) })
			})
		}
	})
	t.Logf("%d steps", count.steps)
	require.GreaterOrEqual(t, count.steps, leastPureSteps)
	if leastPureSteps >= 100_000 { // fewer may miss a rare one
		count.require(t)
	}
}

func walk(t *rapid.T, count *tally, plant func(*table)) {
	now := newClock()
	rows := inMemory(now)
	if plant != nil {
		plant(rows)
	}
	m := newMachine(t, now, 1, rows)
	defer count.add(m)
	m.walk(pureSteps, 1)
}
