package model

import (
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// What reports and persons do, and what is compared after each step.

func (m *machine) flags() [3]level {
	if m.often(6, "clean") {
		return [3]level{}
	}
	var out [3]level
	for i := range out {
		out[i] = rapid.SampledFrom([]level{none, unknown, seen}).Draw(m.t, "effect")
	}
	return out
}

func effectsOf(f [3]level, ambiguous bool) evidence.Effects {
	words := map[level]evidence.Effect{none: evidence.EffectNone, unknown: evidence.EffectUnknown, seen: evidence.EffectSeen}
	e := evidence.Effects{AssistantOutput: words[f[0]], ToolActivity: words[f[1]], PartialResult: words[f[2]], Delivery: evidence.DeliveryAcknowledged}
	if ambiguous {
		e.Delivery = evidence.DeliveryAmbiguous
	}
	return e
}

var results = map[string]classification.Result{
	"transient": {Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High},
	"hard":      {Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High},
	"quota":     {Code: classification.QuotaLimited, Class: classification.ClassHard, Confidence: classification.High},
	"unknown":   {Code: classification.Unclassified, Class: classification.ClassUnclassified, Confidence: classification.Low},
	"spawn":     {Code: classification.AgentRuntimeError, Class: classification.ClassNonProvider, Confidence: classification.High},
}

func (m *machine) someFailure() failure {
	f := failure{
		kind:  rapid.SampledFrom([]string{"transient", "transient", "transient", "quota", "hard", "unknown", "spawn"}).Draw(m.t, "kind"),
		flags: m.flags(), ambiguous: m.often(1, "ambiguous"),
	}
	if m.often(4, "stated") {
		f.reset = time.Duration(rapid.SampledFrom([]int{20, 60, 90, 3600, 30000}).Draw(m.t, "reset")) * time.Second
	}
	return f
}

func (m *machine) failureOf(f failure, token string) work.Failure {
	r := results[f.kind]
	if f.reset > 0 {
		r.ResetAt, r.OccurredAt, r.HintSource = m.clock().Add(f.reset), m.clock(), "stated"
	}
	e := evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: effectsOf(f.flags, f.ambiguous), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}}}
	if f.kind == "spawn" {
		e.Phase, e.Signals = evidence.PhaseLaunch, []evidence.Signal{{Kind: evidence.KindProcessExit, Text: "exec: no such file"}}
	}
	return work.Failure{Token: token, Envelope: e, Result: r, ErrorMessage: "it failed", Settings: m.set, Jitter: rapid.Float64Range(0, 0.999).Draw(m.t, "jitter")}
}

func (m *machine) failRun() {
	s, w, r := m.someRun()
	m.failWith(s, w, r, m.someFailure(), m.often(9, "owner"))
}

func (m *machine) failWith(s *conversation, w *refWakeup, r *refRun, f failure, owner bool) {
	m.follow(w)
	lease := m.leaseOf(r, owner)
	taken := owner && r.state != "settled" && !r.late
	settled, err := m.at().FailRun(m.ctx(), work.Request{}, lease, m.failureOf(f, lease.Token))
	if !m.outcome("fail", taken, err) {
		return
	}
	before := *w
	want := s.fail(w, r, f, m.clock())
	if d := settled.Run.Decision; d != nil && d.WaitsForOwner {
		require.True(m.t, w.shared)
		w.retries, w.waitedTransient, w.waited = before.retries, before.waitedTransient, before.waited
		want.from, want.to = m.clock().Add(time.Millisecond), m.clock().Add(24*time.Hour)
	}
	m.meets(w, want, settled)
	m.taken[f.kind+": "+want.status+" "+want.send]++
	w.become(want.status, settled.Wakeup.DueAt)
	if want.send != "" {
		w.next = want.send
		w.native = w.native && want.send != "fresh"
	}
}

// meets compares a decision with the fate that the reference gives.
func (m *machine) meets(w *refWakeup, want fate, got work.Settled) {
	require.Equal(m.t, want.status, string(got.Wakeup.Status), "%v", got.Run.Decision)
	if want.send == "" {
		return
	}
	require.Equal(m.t, want.send, string(got.Wakeup.NextSend), "%v", got.Run.Decision)
	due := got.Wakeup.DueAt
	require.False(m.t, due.Before(want.from) || due.After(want.to.Add(time.Millisecond)), "due %s, not within %s and %s: %v", due, want.from, want.to, got.Run.Decision)
}

func (m *machine) succeed() {
	s, w, r := m.someRun()
	lease, owner := m.lease(r)
	flags := m.flags()
	taken := owner && r.state != "settled" && r.state != "claimed" && !r.late
	_, err := m.at().SucceedRun(m.ctx(), work.Request{}, lease, work.Success{Token: lease.Token, Effects: effectsOf(flags, false), Settings: m.set})
	if m.outcome("succeed", taken, err) {
		if !s.closed(w, r) {
			r.raise(flags)
		}
		s.reference.succeed(w, r)
	}
}

// version is any, the present one or one of the past.
func (m *machine) version(w *refWakeup) (version int64, current bool) {
	got, err := m.at().GetWakeup(m.ctx(), workspace, w.id)
	require.NoError(m.t, err)
	version = rapid.SampledFrom([]int64{0, got.Version, got.Version + 1}).Draw(m.t, "version")
	return version, version <= got.Version
}

func (m *machine) cancel() {
	s, w := m.someWakeup()
	m.deep(s)
	version, current := m.version(w)
	_, err := m.at().CancelWait(m.ctx(), work.Request{}, work.CancelWait{WorkspaceID: workspace, WakeupID: w.id, ExpectedVersion: version, By: "ann"})
	if m.outcome("cancel", current && (w.status == "queued" || w.waiting()), err) {
		w.become("cancelled", time.Time{})
	}
}

func (m *machine) retryNow() {
	_, w := m.someWakeup()
	version, current := m.version(w)
	_, err := m.at().RetryNow(m.ctx(), work.Request{}, work.RetryNow{WorkspaceID: workspace, WakeupID: w.id, ExpectedVersion: version, By: "ann"})
	if !m.outcome("retry now", current && (w.status == "queued" || w.waiting()), err) || w.status == "queued" {
		return
	}
	if w.status == "parked" {
		w.nextCycle()
	}
	w.become("queued", m.clock())
}

func (m *machine) stopRun() {
	s, w, r := m.someRun()
	m.deep(s)
	can := r == w.last() && (r.live() || r.state == "lost" && !w.ended())
	_, err := m.at().StopRun(m.ctx(), work.Request{}, work.StopRun{WorkspaceID: workspace, RunID: r.id, By: "ann"})
	if !m.outcome("stop", can, err) {
		return
	}
	r.stop = true
	switch r.state {
	case "claimed":
		r.state, r.lease = "settled", time.Time{}
		w.become("cancelled", time.Time{})
	case "lost":
		r.grace = time.Time{}
		w.become("cancelled", time.Time{})
	}
}

func (m *machine) resume() {
	s, n := m.lastOf()
	native, send := s.native || n.native, n.next
	may := n.worker && !s.busy() && n.status != "completed"
	if n.sentAny() {
		send = "continue"
	}
	m.goOn(s, n, send, may && (send != "continue" || native), false)
}

func (m *machine) startFresh() {
	s, n := m.lastOf()
	m.goOn(s, n, "fresh", n.worker && !s.busy(), true)
}

func (m *machine) lastOf() (*conversation, *refWakeup) {
	s := m.someSession()
	if len(s.wakeups) == 0 {
		m.nothing("no session")
	}
	m.deep(s)
	return s, s.newest()
}

func (m *machine) goOn(s *conversation, n *refWakeup, send string, may, fresh bool) {
	expected := rapid.SampledFrom([]int{0, s.generation, s.generation - 1}).Draw(m.t, "generation")
	current := expected == 0 || expected == s.generation
	w := &refWakeup{id: newID(), next: send, worker: n.worker, patient: n.patient, repeatable: n.repeatable, shared: n.shared, native: send == "continue"}
	_, err := m.at().GoOn(m.ctx(), work.Request{}, work.GoOn{WorkspaceID: workspace, SessionID: s.id, Fresh: fresh, ExpectedGeneration: int64(expected), By: "ann"}, w.id)
	if !m.outcome("go on", may && current, err) {
		return
	}
	if !n.sentAny() {
		w.everUnsafe = n.everUnsafe
	}
	if send == "continue" {
		w.host = n.host
	}
	s.reference.begin(w, m.clock())
	m.prompts++
}

// follow takes from the real path what the short phase, which belongs to all
// sessions, does to one of them.
func (m *machine) follow(w *refWakeup) {
	if !w.shared || !w.waiting() {
		return
	}
	got, err := m.at().GetWakeup(m.ctx(), workspace, w.id)
	require.NoError(m.t, err)
	w.due = got.DueAt
}

// check compares everything that changes: no prompt is lost, none is stuck,
// one run lives, and the reference says the same.
func (m *machine) check() {
	t := m.t
	require.Len(t, m.wakeups(), m.prompts, "each prompt is one wakeup")
	for _, s := range m.sessions {
		live := 0
		for i, w := range s.wakeups {
			if !m.moved(w) {
				continue
			}
			m.agrees(t, w, i == len(s.wakeups)-1)
			if w.last().live() {
				live++
			}
		}
		require.LessOrEqual(t, live, 1, "one live run a session")
	}
}

// moved leaves out what has ended long ago: nothing happens to it any more.
func (m *machine) moved(w *refWakeup) bool {
	return !w.ended() || !w.superseded || w.last() != nil && w.last().state == "lost"
}

func (m *machine) agrees(t *rapid.T, w *refWakeup, newest bool) {
	got, err := m.replicas[0].GetWakeup(t.Context(), workspace, w.id)
	require.NoError(t, err)
	require.Equal(t, w.status, string(got.Status))
	require.Len(t, w.runs, got.RunCount)
	hold := recovery.Hold{Wakeup: got.Status, DueAt: got.DueAt}
	if d := got.LastDecision; d != nil {
		hold.Reason, hold.Remedy, hold.ParkReason = d.Reason, d.Remedy, d.ParkReason
	}
	if r := w.last(); r != nil {
		run, err := m.replicas[0].GetRun(t.Context(), workspace, r.id)
		require.NoError(t, err)
		require.Equal(t, r.state, string(run.State))
		require.True(t, r.lease.Equal(run.LeaseExpiresAt) && r.grace.Equal(run.GraceEndsAt), "lease %v, grace %v: %+v", r.lease, r.grace, run)
		require.Equal(t, r.stop, !run.StopRequestedAt.IsZero())
		hold.Run, hold.LeaseExpiresAt, hold.GraceEndsAt = run.State, run.LeaseExpiresAt, run.GraceEndsAt
	}
	require.True(t, hold.Owned(), "stuck: %+v", hold)
	if !w.shared {
		require.True(t, w.due.Equal(got.DueAt), "due %v: %v", w.due, got.DueAt)
		require.Equal(t, w.retries, got.Progress.Transient.Retries)
	}
	if newest {
		require.True(t, recovery.Legal(got.SessionState, got.Status, hold.Run) || hold.Run == "", "%s %s %s", got.SessionState, got.Status, hold.Run)
	}
	if got.Status == recovery.WakeupFailed {
		require.Equal(t, work.AttentionPerson, got.Attention)
	}
}
