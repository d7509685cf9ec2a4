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
