package model

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

const workspace = "default"

// machine takes random steps on the real path and on the reference, and
// compares them after each.
type machine struct {
	t        *rapid.T
	replicas []path
	now      *atomic.Int64 // Unix seconds of the one clock
	set      recovery.Settings
	sessions []*conversation
	prompts  int
	shared   bool              // some profiles take part in short phases
	more     map[string]func() // steps that only some paths have
	steps    int
	taken    map[string]int // how often each kind of step was accepted, and each fate met
}

type conversation struct {
	reference
	id string
}

func (m *machine) ctx() context.Context { return m.t.Context() }

func (m *machine) clock() time.Time { return time.Unix(m.now.Load(), 0).UTC() }

// at is some replica: which one serves a call must make no difference.
func (m *machine) at() path {
	return m.replicas[rapid.IntRange(0, len(m.replicas)-1).Draw(m.t, "replica")]
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// idle is what a step panics with that has nothing to do.
type idle string

func (m *machine) nothing(why idle) { panic(why) }

// try takes a step, which counts only when there was something to do.
func (m *machine) try(step func()) {
	defer func() {
		if why := recover(); why != nil {
			if _, ok := why.(idle); !ok {
				panic(why)
			}
		}
	}()
	step()
	m.steps++
}

// walk takes about so many steps and compares after each, or after every so
// many where a look costs time.
func (m *machine) walk(steps, lookEvery int) {
	actions := m.actions()
	names := slices.Sorted(maps.Keys(actions))
	m.try(m.begin)
	for i := range rapid.IntRange(steps/2, steps*3/2).Draw(m.t, "steps") {
		m.try(actions[rapid.SampledFrom(names).Draw(m.t, "action")])
		if i%lookEvery == 0 {
			m.check()
		}
	}
	m.check()
}

// often is true in so many of ten cases.
func (m *machine) often(of10 int, label string) bool {
	return rapid.IntRange(0, 9).Draw(m.t, label) < of10
}

func (m *machine) someSession() *conversation {
	return m.sessions[rapid.IntRange(0, len(m.sessions)-1).Draw(m.t, "session")]
}

func (m *machine) someWakeup() (*conversation, *refWakeup) {
	s := m.someSession()
	if len(s.wakeups) == 0 {
		m.nothing("no wakeup")
	}
	if m.often(9, "newest") {
		return s, s.newest()
	}
	return s, rapid.SampledFrom(s.wakeups).Draw(m.t, "wakeup")
}

func (m *machine) someRun() (*conversation, *refWakeup, *refRun) {
	s, w := m.someWakeup()
	if len(w.runs) == 0 {
		m.nothing("no run")
	}
	if m.often(9, "last") {
		return s, w, w.last()
	}
	return s, w, rapid.SampledFrom(w.runs).Draw(m.t, "run")
}

// lease is the run's, or a thief's.
func (m *machine) lease(r *refRun) (work.Lease, bool) {
	owner := m.often(9, "owner")
	return m.leaseOf(r, owner), owner
}

func (m *machine) leaseOf(r *refRun, owner bool) work.Lease {
	l := work.Lease{WorkspaceID: workspace, RunID: r.id, Token: r.token}
	if !owner {
		l.Token = "stolen"
	}
	return l
}

// outcome compares what was expected with what was answered: a refusal has a
// reason, and is never a fault of ours.
func (m *machine) outcome(what string, want bool, err error) bool {
	var early *work.NotDue
	if err != nil && !errors.As(err, &early) {
		require.NotEqual(m.t, fault.ReasonInternal, fault.From(err).Reason, "%s: %v", what, err)
	}
	require.Equal(m.t, want, err == nil, "%s: expected to be taken: %v, but: %v", what, want, err)
	if err == nil {
		m.taken[what]++
	} else {
		m.taken[what+" refused"]++
	}
	return err == nil
}

// deep keeps walks on one prompt for long: what ends one comes seldom.
func (m *machine) deep(s *conversation) {
	if len(s.wakeups) > 0 && !s.newest().ended() && !m.often(1, "end it") {
		m.nothing("the prompt goes on")
	}
}

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

var passes = []int64{1, 5, 11, 21, 31, 61, 600, 4000, 20000}

func (m *machine) pass() { m.now.Add(rapid.SampledFrom(passes).Draw(m.t, "seconds")) }

// passUntilDue moves to the very instant of a deadline, or just before it.
func (m *machine) passUntilDue() {
	_, w := m.someWakeup()
	if !w.due.After(m.clock()) {
		m.nothing("nothing waits")
	}
	m.now.Store(w.due.Add(time.Second - time.Nanosecond).Unix())
	if m.often(2, "just before") {
		m.now.Add(-1)
	}
}

func (m *machine) actions() map[string]func() {
	out := map[string]func(){
		"begin": m.begin, "claim": m.claim, "claim again": m.claim, "claim more": m.claim, "send": m.send, "send again": m.send,
		"deliver": m.deliver, "deliver again": m.deliver, "progress": m.progress, "heartbeat": m.heartbeat, "release": m.release,
		"fail": m.failRun, "fail again": m.failRun, "succeed": m.succeed, "expire": m.expire, "expire again": m.expire,
		"cancel": m.cancel, "retry now": m.retryNow, "stop": m.stopRun, "resume": m.resume, "start fresh": m.startFresh,
		"proceed 1": m.proceed, "proceed 2": m.proceed, "proceed 3": m.proceed, "proceed 4": m.proceed, "proceed 5": m.proceed, "proceed 6": m.proceed,
		"pass": m.pass, "pass until due": m.passUntilDue, "pass on": m.passUntilDue,
	}
	maps.Copy(out, m.more)
	return out
}

// proceed does what usually comes next, so that walks get far.
func (m *machine) proceed() {
	s := m.someSession()
	if len(s.wakeups) == 0 || s.newest().ended() {
		m.begin()
		return
	}
	w := s.newest()
	r := w.last()
	switch {
	case !r.live() && w.status == "running":
		m.passTo(r.grace)
		m.expireRun(s, w, r)
	case !r.live():
		m.passTo(w.due)
		m.claimBy(s, w, supervisors[0], true)
	case m.often(1, "die"):
		m.passTo(r.lease)
		m.expireRun(s, w, r)
	case r.state == "claimed":
		m.sendRun(s, w, r, true)
	case r.state == "sending":
		m.deliverRun(s, w, r, true)
	default:
		m.failWith(s, w, r, failure{kind: rapid.SampledFrom([]string{"transient", "quota"}).Draw(m.t, "kind"), flags: m.flags()}, true)
	}
}

func (m *machine) passTo(at time.Time) {
	if at.After(m.clock()) {
		m.now.Store(at.Add(time.Second - time.Nanosecond).Unix())
	}
}

func (m *machine) wakeups() []*refWakeup {
	var all []*refWakeup
	for _, s := range m.sessions {
		all = slices.Concat(all, s.wakeups)
	}
	return all
}
