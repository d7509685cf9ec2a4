package work_test

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// What a person does to the machine, between all that happens by itself.

func (m *machine) standing() work.Standing {
	w := m.wakeups[m.newest]
	s := work.Standing{Session: m.session, Wakeup: w, Run: m.runs[w.LastRunID]}
	for _, r := range m.runs {
		e := r.Effects
		acted := !e.AssistantOutput.Safe() || !e.ToolActivity.Safe() || !e.PartialResult.Safe()
		if r.WakeupID == w.ID && (!r.SendingAt.IsZero() && r.Outcome != recovery.OutcomeNotSent || acted) {
			s.Sent = true
		}
	}
	return s
}

func (m *machine) retryNow(t *rapid.T) {
	m.t = t
	l := m.lockedWakeup(m.someWakeup())
	c, err := work.Retry(l, work.RetryNow{ExpectedVersion: rapid.SampledFrom([]int64{0, l.Wakeup.Version}).Draw(t, "version"), By: "ann"})
	if !m.take(l, c, err) || c.Wakeup == nil {
		return
	}
	require.Equal(t, recovery.WakeupQueued, c.Wakeup.Status)
	require.Equal(t, m.now, c.Wakeup.DueAt)
	if c.Wakeup.LastDecision != nil {
		require.Equal(t, recovery.Receipt{Kind: recovery.ReceiptPerson, Source: "ann"}, c.Wakeup.LastDecision.Receipt)
	}
}

func (m *machine) stopRun(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	c, err := work.Stop(l, work.StopRun{By: "ann"})
	if m.take(l, c, err) {
		m.stopped[run] = true
	}
}

func (m *machine) goOn(t *rapid.T) {
	m.t = t
	newest := m.standing()
	state := work.GoOnState{BeginState: work.BeginState{Session: m.session, Now: m.now}, Newest: newest}
	if !newest.Wakeup.Status.Ended() {
		state.Open = []work.Locked{m.lockedWakeup(m.newest)}
	}
	in := work.GoOn{Fresh: rapid.Bool().Draw(t, "fresh"), By: "ann"}
	c, err := work.Continue(state, in, m.id("wakeup"))
	if err != nil {
		m.refused(err)
		return
	}
	require.False(t, newest.Run.State.Live(), "a live run keeps everybody out")
	require.Equal(t, work.DeliveryWorker, newest.Wakeup.Delivery, "nobody would claim what a caller delivers")
	switch {
	case in.Fresh:
		require.Equal(t, work.SendFresh, c.Wakeup.NextSend)
		require.Empty(t, c.Wakeup.NativeSessionID)
		require.Empty(t, c.Session.NativeSessionID)
	case newest.Sent:
		require.Equal(t, work.SendContinue, c.Wakeup.NextSend, "what was sent is never sent again")
		require.NotEmpty(t, c.Wakeup.NativeSessionID)
	default:
		require.Equal(t, newest.Wakeup.NextSend, c.Wakeup.NextSend)
		m.actedAt[c.Wakeup.ID] = m.actedAt[newest.Wakeup.ID]
	}
	require.Equal(t, m.session.Generation+1, c.Session.Generation)
	m.session = c.Session
	for _, w := range c.Superseded {
		m.wakeups[w.ID] = w
	}
	m.wakeups[c.Wakeup.ID], m.newest = c.Wakeup, c.Wakeup.ID
}

// checkStops: what a person has stopped is over, and nothing of it goes on.
func (m *machine) checkStops(t *rapid.T) {
	for id := range m.stopped {
		w := m.wakeups[m.runs[id].WakeupID]
		if w.LastRunID == id && !m.runs[id].State.Live() {
			require.Contains(t, []recovery.WakeupStatus{recovery.WakeupCancelled, recovery.WakeupCompleted}, w.Status)
		}
	}
}

// checkActions tries every action on a copy of what there is: those that are
// listed are accepted, the others are refused or change nothing.
func (m *machine) checkActions(t *rapid.T) {
	s := m.standing()
	listed := map[work.UserAction]bool{}
	for _, a := range s.Actions() {
		listed[a] = true
	}
	l := m.lockedWakeup(m.newest)
	state := work.GoOnState{BeginState: work.BeginState{Session: m.session, Now: m.now}, Newest: s}
	if !s.Wakeup.Status.Ended() {
		state.Open = []work.Locked{l}
	}
	tries := map[work.UserAction]func() (bool, error){
		work.UserRetryNow: func() (bool, error) {
			c, err := work.Retry(l, work.RetryNow{})
			return c.Wakeup != nil, err
		},
		work.UserCancelWait: func() (bool, error) {
			c, err := work.Cancel(l, work.CancelWait{})
			return c.Wakeup != nil, err
		},
		work.UserStopRun: func() (bool, error) {
			if s.Run.ID == "" {
				return false, nil
			}
			c, err := work.Stop(l, work.StopRun{})
			return c.Run != nil, err
		},
		work.UserResumeSession: func() (bool, error) {
			c, err := work.Continue(state, work.GoOn{}, "next")
			return c.Wakeup.ID != "", err
		},
		work.UserStartFresh: func() (bool, error) {
			c, err := work.Continue(state, work.GoOn{Fresh: true}, "next")
			return c.Wakeup.ID != "", err
		},
	}
	for action, try := range tries {
		changes, err := try()
		if err != nil {
			require.NotEqual(t, fault.ReasonInternal, fault.From(err).Reason, "%v", err)
		}
		require.Equal(t, listed[action], changes && err == nil, "%s in %s/%s: %v", action, s.Wakeup.Status, s.Run.State, err)
	}
}
