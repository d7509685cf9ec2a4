package work_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// machine drives the pure transitions as storage does, in any order, and
// checks after each what must be true whatever happens.
type machine struct {
	t       *rapid.T
	set     recovery.Settings
	now     time.Time
	session work.Session
	wakeups map[string]work.Wakeup
	runs    map[string]work.Run
	tokens  map[string]string // run → token
	newest  string            // wakeup
	ids     int
	sends   map[string]int // grants per run
	effects map[string]evidence.Effects
	stopped map[string]bool // runs that a person stopped
	actedAt map[string]bool // wakeups that had effects: their prompt is never sent again
}

func (m *machine) id(kind string) string {
	m.ids++
	return fmt.Sprintf("%s-%d", kind, m.ids)
}

func (m *machine) lockedWakeup(id string) work.Locked {
	w := m.wakeups[id]
	l := work.Locked{Session: m.session, Wakeup: w, Mode: recovery.ModePolicy, Now: m.now}
	if w.LastRunID != "" {
		l.Run, l.TokenHash = m.runs[w.LastRunID], work.HashToken(m.tokens[w.LastRunID])
	}
	return l
}

func (m *machine) lockedRun(id string) work.Locked {
	l := m.lockedWakeup(m.runs[id].WakeupID)
	l.Run, l.TokenHash = m.runs[id], work.HashToken(m.tokens[id])
	return l
}

// apply stores a change as storage does: compare and set on each version.
func (m *machine) apply(l work.Locked, c work.Change) {
	if c.Session != nil {
		require.Equal(m.t, l.Session.Version+1, c.Session.Version)
		m.session = *c.Session
	}
	if c.Wakeup != nil {
		require.Equal(m.t, l.Wakeup.Version+1, c.Wakeup.Version)
		m.wakeups[c.Wakeup.ID] = *c.Wakeup
	}
	if c.Run != nil {
		if !c.NewRun {
			require.Equal(m.t, l.Run.Version+1, c.Run.Version)
			require.Equal(m.t, work.JoinEffects(l.Run.Effects, c.Run.Effects), c.Run.Effects, "effects never fall")
		}
		m.runs[c.Run.ID] = *c.Run
	}
}

// settle checks a refusal: it has a reason and is no fault of ours.
func (m *machine) refused(err error) {
	var early *work.NotDue
	if errors.As(err, &early) {
		require.True(m.t, early.DueAt.After(m.now))
		return
	}
	require.NotEqual(m.t, fault.ReasonInternal, fault.From(err).Reason, "%v", err)
}

func (m *machine) take(l work.Locked, c work.Change, err error) bool {
	if err != nil {
		m.refused(err)
		return false
	}
	m.apply(l, c)
	return true
}

func (m *machine) pick(kind string, from []string) string {
	if len(from) == 0 {
		m.t.Skip("none")
	}
	return rapid.SampledFrom(from).Draw(m.t, kind)
}

func (m *machine) someRun() string {
	var ids []string
	for i := 1; i <= m.ids; i++ {
		if id := fmt.Sprintf("run-%d", i); m.tokens[id] != "" {
			ids = append(ids, id)
		}
	}
	return m.pick("run", ids)
}

func (m *machine) someWakeup() string {
	var ids []string
	for i := 1; i <= m.ids; i++ {
		if id := fmt.Sprintf("wakeup-%d", i); m.wakeups[id].ID != "" {
			ids = append(ids, id)
		}
	}
	return m.pick("wakeup", ids)
}

func (m *machine) token(run string) string {
	if rapid.IntRange(0, 9).Draw(m.t, "thief") == 0 {
		return "stolen"
	}
	return m.tokens[run]
}

func (m *machine) begin(t *rapid.T) {
	m.t = t
	state := work.BeginState{Session: m.session, Now: m.now}
	for _, w := range m.wakeups {
		if !w.Status.Ended() {
			l := m.lockedWakeup(w.ID)
			state.Open = append(state.Open, l)
		}
	}
	preset := rapid.SampledFrom([]string{work.PresetInteractive, work.PresetPatient}).Draw(t, "preset")
	delivery := rapid.SampledFrom([]work.Delivery{work.DeliveryCaller, work.DeliveryWorker, work.DeliveryWorker}).Draw(t, "delivery")
	in := work.BeginPrompt{WorkspaceID: "w", Delivery: delivery, Profile: work.Profile{
		AgentKind: "claude", AgentVersion: "2.1.328",
		Policy: work.PolicyChoice{Preset: preset, ReplaySafe: rapid.Bool().Draw(t, "replay safe")},
	}}
	c, err := work.Begin(state, in, work.BeginIDs{SessionID: "session", WakeupID: m.id("wakeup")})
	if err != nil {
		m.refused(err)
		return
	}
	require.Equal(t, m.session.Generation+1, c.Session.Generation)
	require.Equal(t, c.Session.Generation, c.Wakeup.Generation)
	m.session = c.Session
	for _, w := range c.Superseded {
		m.wakeups[w.ID] = w
	}
	m.wakeups[c.Wakeup.ID], m.newest = c.Wakeup, c.Wakeup.ID
}

func (m *machine) claim(t *rapid.T) {
	m.t = t
	l := m.lockedWakeup(m.someWakeup())
	run := m.id("run")
	c, err := work.ClaimWakeup(l, work.ClaimRequest{RunID: run, TokenHash: work.HashToken("token " + run), Settings: m.set})
	if m.take(l, c, err) {
		m.tokens[run] = "token " + run
		require.False(t, l.Wakeup.DueAt.After(m.now), "never early")
	}
}

func (m *machine) send(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	c, err := work.BeginSend(l, m.token(run), m.set)
	if m.take(l, c, err) {
		m.sends[run]++
		require.Equal(t, 1, m.sends[run], "one send a run")
		require.GreaterOrEqual(t, l.Run.LeaseExpiresAt.Sub(m.now), m.set.SendMargin)
		if m.actedAt[l.Wakeup.ID] && !l.Wakeup.Profile.Policy.ReplaySafe {
			require.Equal(t, work.SendContinue, l.Run.Send, "a prompt whose run had effects is not sent again")
		}
	}
}

func (m *machine) deliver(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	native := rapid.SampledFrom([]string{"", "native"}).Draw(t, "native")
	c, err := work.Deliver(l, work.MarkDelivered{Lease: work.Lease{Token: m.token(run)}, NativeSessionID: native}, m.set)
	m.take(l, c, err)
}

func (m *machine) progress(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	effects := anyEffects.Draw(t, "effects")
	c, err := work.Progress(l, work.RecordProgress{Lease: work.Lease{Token: m.token(run)}, Effects: effects}, m.set)
	m.take(l, c, err)
}

var failures = []classification.Result{
	{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High},
	{Code: classification.QuotaLimited, Class: classification.ClassHard, Confidence: classification.High},
	{Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High},
	{Code: classification.Unclassified, Class: classification.ClassUnclassified, Confidence: classification.Low},
}

func (m *machine) fail(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	r := rapid.SampledFrom(failures).Draw(t, "failure")
	if rapid.Bool().Draw(t, "hint") {
		r.ResetAt, r.HintSource, r.OccurredAt = m.now.Add(time.Hour), "stated", m.now
	}
	e := evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: anyEffects.Draw(t, "effects"), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}}}
	c, err := work.Fail(l, work.Failure{Token: m.token(run), Envelope: e, Result: r, ErrorMessage: "it failed", Settings: m.set, Jitter: 0.5})
	if !m.take(l, c, err) || c.Report.Decision == nil {
		return
	}
	d := c.Report.Decision
	require.True(t, d.Owned(), "%+v", d)
	if c.Wakeup == nil || c.Wakeup.Status.Ended() {
		require.True(t, d.RetryAt.IsZero(), "no countdown that nobody owns")
	}
	if safe := c.Run.Effects; !safe.AssistantOutput.Safe() || !safe.ToolActivity.Safe() || !safe.PartialResult.Safe() {
		m.actedAt[l.Wakeup.ID] = true
	}
}

func (m *machine) succeed(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	c, err := work.Succeed(l, work.Success{Token: m.token(run), Effects: anyEffects.Draw(t, "effects"), Settings: m.set})
	m.take(l, c, err)
}

func (m *machine) expire(t *rapid.T) {
	m.t = t
	run := m.someRun()
	l := m.lockedRun(run)
	c, err := work.Expire(l, m.set)
	require.NoError(t, err)
	m.apply(l, c)
}

func (m *machine) cancel(t *rapid.T) {
	m.t = t
	l := m.lockedWakeup(m.someWakeup())
	c, err := work.Cancel(l, work.CancelWait{ExpectedVersion: rapid.SampledFrom([]int64{0, l.Wakeup.Version}).Draw(t, "version")})
	m.take(l, c, err)
}

func (m *machine) pass(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.SampledFrom([]int{1, 15, 31, 600, 4000}).Draw(t, "seconds")) * time.Second)
}
