package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// check is what must be true whatever happens.
func (m *machine) check(t *rapid.T) {
	m.checkStops(t)
	m.checkActions(t)
	live := 0
	for _, r := range m.runs {
		if r.State.Live() {
			live++
			require.Equal(t, recovery.WakeupRunning, m.wakeups[r.WakeupID].Status)
		}
		require.Equal(t, r.State.Live(), !r.LeaseExpiresAt.IsZero())
	}
	require.LessOrEqual(t, live, 1, "one live run a session")
	for _, w := range m.wakeups {
		last := m.runs[w.LastRunID]
		hold := recovery.Hold{Wakeup: w.Status, Run: last.State, DueAt: w.DueAt, LeaseExpiresAt: last.LeaseExpiresAt, GraceEndsAt: last.GraceEndsAt}
		if w.LastDecision != nil {
			hold.Reason, hold.Remedy, hold.ParkReason = w.LastDecision.Reason, w.LastDecision.Remedy, w.LastDecision.ParkReason
		}
		require.True(t, hold.Owned(), "stuck: %+v", hold)
		if w.ID == m.newest {
			require.True(t, recovery.Legal(m.session.State, w.Status, last.State), "%s %s %s", m.session.State, w.Status, last.State)
		} else {
			require.True(t, w.Status.Ended(), "an older generation is over")
		}
	}
}

func TestTheDurablePathHoldsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{
			t: t, set: recovery.Defaults(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			wakeups: map[string]work.Wakeup{}, runs: map[string]work.Run{}, tokens: map[string]string{},
			sends: map[string]int{}, effects: map[string]evidence.Effects{}, actedAt: map[string]bool{}, stopped: map[string]bool{},
		}
		m.begin(t)
		t.Repeat(map[string]func(*rapid.T){
			"begin": m.begin, "claim": m.claim, "claim again": m.claim, "send": m.send, "send again": m.send, "deliver": m.deliver, "progress": m.progress,
			"fail": m.fail, "fail again": m.fail, "succeed": m.succeed, "expire": m.expire, "cancel": m.cancel, "pass": m.pass, "": m.check,
			"retry now": m.retryNow, "stop": m.stopRun, "go on": m.goOn,
		})
	})
}
