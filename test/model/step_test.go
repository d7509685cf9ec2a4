package model

import (
	"errors"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/work"
)

// The steps of callers, of owners of runs and of reconcilers.

func (m *machine) begin() {
	s := m.someSession()
	m.deep(s)
	w := &refWakeup{id: newID(), next: "prompt", worker: rapid.Bool().Draw(m.t, "worker"), patient: rapid.Bool().Draw(m.t, "patient"), repeatable: m.often(2, "repeatable")}
	w.shared = m.shared && w.patient && rapid.Bool().Draw(m.t, "shared")
	in := work.BeginPrompt{
		WorkspaceID: workspace, SessionID: s.id, Delivery: work.DeliveryCaller, Supervisor: supervisors[0],
		Profile: work.Profile{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Policy: work.PolicyChoice{Preset: work.PresetInteractive, ReplaySafe: w.repeatable}},
	}
	if w.patient {
		in.Profile.Policy.Preset = work.PresetPatient
	}
	if w.shared {
		in.Profile.Model = "opus"
	}
	if w.worker {
		in.Delivery, in.Prompt = work.DeliveryWorker, "do it"
	} else {
		w.supervisor, w.host = in.Supervisor.ID, in.Supervisor.HostID
	}
	begun, err := m.at().BeginPrompt(m.ctx(), work.Request{}, in, work.BeginIDs{SessionID: newID(), WakeupID: w.id})
	if m.outcome("begin", !s.busy(), err) {
		s.reference.begin(w, m.clock())
		s.id = begun.Session.ID
		m.prompts++
	}
}

var supervisors = []work.Supervisor{{ID: "one", HostID: "host"}, {ID: "two", HostID: "host"}, {ID: "three", HostID: "elsewhere"}}

func (m *machine) claim() {
	s, w := m.someWakeup()
	m.claimBy(s, w, rapid.SampledFrom(supervisors).Draw(m.t, "by"), m.often(7, "take over"))
}

func (m *machine) claimBy(s *conversation, w *refWakeup, by work.Supervisor, takeOver bool) {
	m.follow(w)
	r := &refRun{id: newID(), token: newID()}
	claim, err := m.at().ClaimWakeup(m.ctx(), workspace, w.id, m.claimRequest(by, takeOver, r))
	m.claimed(s, w, r, by, takeOver, claim, err)
}

func (m *machine) claimRequest(by work.Supervisor, takeOver bool, r *refRun) work.ClaimRequest {
	return work.ClaimRequest{Supervisor: by, TakeOver: takeOver, RunID: r.id, TokenHash: work.HashToken(r.token), Settings: m.set}
}

func (m *machine) claimed(s *conversation, w *refWakeup, r *refRun, by work.Supervisor, takeOver bool, claim work.Claim, err error) {
	may := s.mayClaim(w, by.ID, by.HostID, takeOver, m.clock())
	var early *work.NotDue
	if w.shared && may && errors.As(err, &early) {
		m.follow(w) // it waits for the owner of the short phase
		require.True(m.t, w.due.After(m.clock()))
		return
	}
	if m.outcome("claim", may, err) {
		require.False(m.t, claim.DueAt.After(m.clock()), "never early")
		s.reference.claim(w, r, by.ID, by.HostID, m.clock(), m.set.Lease)
		require.Equal(m.t, r.send, string(claim.Run.Send))
	}
}

func (m *machine) send() {
	s, w, r := m.someRun()
	m.sendRun(s, w, r, m.often(9, "owner"))
}

func (m *machine) sendRun(s *conversation, w *refWakeup, r *refRun, owner bool) {
	lease := m.leaseOf(r, owner)
	_, err := m.at().BeginSend(m.ctx(), lease, m.set)
	if !m.outcome("send", owner && s.maySend(w, r, m.clock(), m.set.SendMargin), err) {
		return
	}
	require.False(m.t, r.sent, "one send a run")
	for _, other := range w.runs[:len(w.runs)-1] {
		require.Equal(m.t, "settled", other.state, "no send while an earlier one may still be on its way")
		if !other.clean() {
			w.everUnsafe = true
		}
	}
	if w.everUnsafe && !w.repeatable {
		require.NotEqual(m.t, "prompt", r.send, "a prompt that had effects is not sent bare")
	}
	r.state, r.sent, r.lease = "sending", true, m.clock().Add(m.set.Lease)
	if r.send == "fresh" {
		s.native = false
	}
}

func (m *machine) deliver() {
	s, w, r := m.someRun()
	m.deliverRun(s, w, r, m.often(9, "owner"))
}

func (m *machine) deliverRun(s *conversation, w *refWakeup, r *refRun, owner bool) {
	lease := m.leaseOf(r, owner)
	native := m.often(5, "native")
	in := work.MarkDelivered{Lease: lease}
	if native {
		in.NativeSessionID = "native"
	}
	_, err := m.at().MarkDelivered(m.ctx(), in, m.set)
	if m.outcome("deliver", owner && (r.state == "sending" || r.state == "delivered"), err) {
		r.state, r.lease = "delivered", m.clock().Add(m.set.Lease)
		s.learn(w, r, native)
	}
}

func (m *machine) progress() {
	_, _, r := m.someRun()
	lease, owner := m.lease(r)
	flags := m.flags()
	_, err := m.at().RecordProgress(m.ctx(), work.RecordProgress{Lease: lease, Effects: effectsOf(flags, false)}, m.set)
	before := r.state == "claimed" && slices.Contains(flags[:], seen) // nothing was sent that could have had effects
	if m.outcome("progress", owner && r.live() && !before, err) {
		for i, f := range flags {
			if f == seen { // news that are unknown are no news
				r.flags[i] = seen
			}
		}
		r.lease = m.clock().Add(m.set.Lease)
	}
}

func (m *machine) heartbeat() {
	_, _, r := m.someRun()
	lease, owner := m.lease(r)
	_, err := m.at().RenewLease(m.ctx(), lease, m.set)
	if m.outcome("heartbeat", owner && r.live(), err) {
		r.lease = m.clock().Add(m.set.Lease)
	}
}

func (m *machine) release() {
	s, w, r := m.someRun()
	lease, owner := m.lease(r)
	if r.sent && r.state != "settled" {
		m.nothing("only what was not sent is given back")
	}
	_, err := m.at().ReleaseRun(m.ctx(), lease, m.set)
	if m.outcome("release", owner && r.state == "claimed", err) {
		r.state, r.lease, r.notSent = "settled", time.Time{}, true
		switch {
		case r.stop || w.generation != s.generation:
			w.become("cancelled", time.Time{})
		default:
			w.become("queued", m.clock())
		}
	}
}

// expire is a reconciler, or two at once.
func (m *machine) expire() {
	s, w, r := m.someRun()
	m.expireRun(s, w, r)
}

func (m *machine) expireRun(s *conversation, w *refWakeup, r *refRun) {
	for range rapid.IntRange(1, 2).Draw(m.t, "reconcilers") {
		_, err := m.at().ExpireRun(m.ctx(), work.RunRef{WorkspaceID: workspace, RunID: r.id}, m.set)
		require.NoError(m.t, err)
	}
	s.reference.expire(w, r, m.clock(), m.set.LostGrace)
}
