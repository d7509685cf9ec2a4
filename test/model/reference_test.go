package model

import "time"

// reference is what the contract of the durable path says about one session,
// written down a second time, without looking at how it is built: small enough
// to be read at one sitting, and slow. The machine drives it beside the real
// one; wherever the two differ, one of them is wrong.
type reference struct {
	generation int
	native     bool // the agent's own session is known
	wakeups    []*refWakeup
}

type refWakeup struct {
	id                          string
	generation                  int
	status, next                string // next is what the next run sends
	due                         time.Time
	worker, patient, repeatable bool
	supervisor, host            string
	native, shared              bool
	runs                        []*refRun
	retries, launches, parks    int
	waitedTransient, waitedHard bool
	waited                      time.Duration
	superseded, everUnsafe      bool
}

type refRun struct {
	id, token, state, send string
	lease, grace           time.Time
	flags                  [3]level // output, tools, result
	ambiguous, native      bool
	sent, notSent          bool
	stop, late             bool
}

// level is what is known of one effect; it only rises.
type level int

const (
	none level = iota
	unknown
	seen
)

func (r *refRun) live() bool {
	return r != nil && (r.state == "claimed" || r.state == "sending" || r.state == "delivered")
}

func (r *refRun) clean() bool { return r.flags == [3]level{} }

func (r *refRun) raise(flags [3]level) {
	for i, f := range flags {
		r.flags[i] = max(r.flags[i], f)
	}
}

func (w *refWakeup) last() *refRun {
	if len(w.runs) == 0 {
		return nil
	}
	return w.runs[len(w.runs)-1]
}

func (w *refWakeup) ended() bool {
	return w.status == "completed" || w.status == "failed" || w.status == "cancelled"
}

func (w *refWakeup) waiting() bool { return w.status == "scheduled_retry" || w.status == "parked" }

func (w *refWakeup) become(status string, due time.Time) { w.status, w.due = status, due }

// sent says that something of the prompt was, or may have been, sent.
func (w *refWakeup) sentAny() bool {
	for _, r := range w.runs {
		if r.sent && !r.notSent || !r.clean() {
			return true
		}
	}
	return false
}

func (m *reference) newest() *refWakeup { return m.wakeups[len(m.wakeups)-1] }

// busy says that a run lives: nobody else may begin anything.
func (m *reference) busy() bool { return len(m.wakeups) > 0 && m.newest().last().live() }

// begin supersedes what waits; only a live run keeps a new prompt out.
func (m *reference) begin(w *refWakeup, now time.Time) {
	for _, old := range m.wakeups {
		if !old.ended() {
			old.become("cancelled", time.Time{})
		}
		old.superseded = true
	}
	m.generation++
	w.generation, w.native = m.generation, w.native || m.native && w.next != "fresh"
	if w.next == "fresh" {
		m.native = false
	}
	w.become("queued", now)
	m.wakeups = append(m.wakeups, w)
}

// mayClaim: due, of the present generation, and by whom it belongs to. A person
// must be asked where there is no deadline.
func (m *reference) mayClaim(w *refWakeup, supervisor, host string, takeOver bool, now time.Time) bool {
	open := (w.status == "queued" || w.waiting()) && w.generation == m.generation && !w.due.IsZero() && !w.due.After(now)
	switch {
	case w.supervisor == "" || w.supervisor == supervisor:
		return open
	case w.worker:
		return open && (w.next != "continue" || w.host == "" || w.host == host)
	}
	return open && takeOver && w.host == host
}

func (m *reference) claim(w *refWakeup, r *refRun, supervisor, host string, now time.Time, lease time.Duration) {
	if w.status == "parked" {
		w.nextCycle()
	}
	w.supervisor, w.host = supervisor, host
	r.state, r.send, r.lease, r.native = "claimed", w.next, now.Add(lease), w.native
	w.runs = append(w.runs, r)
	w.become("running", time.Time{})
}

func (w *refWakeup) nextCycle() {
	w.retries, w.launches, w.waitedTransient, w.waitedHard = 0, 0, false, false
}

// maySend: one send a run, while enough of the lease is left for the first byte.
func (m *reference) maySend(w *refWakeup, r *refRun, now time.Time, margin time.Duration) bool {
	return r.state == "claimed" && w.status == "running" && w.generation == m.generation && !r.stop && r.lease.Sub(now) >= margin
}

func (m *reference) learn(w *refWakeup, r *refRun, native bool) {
	if native {
		r.native, w.native = true, true
		m.native = m.native || w.generation == m.generation
	}
}

// closed says that a person or a newer prompt was faster than a late report.
func (m *reference) closed(w *refWakeup, r *refRun) bool {
	return r.state == "lost" && (w.status == "cancelled" || w.generation != m.generation)
}

func (m *reference) succeed(w *refWakeup, r *refRun) {
	if m.closed(w, r) {
		r.late = true
		return
	}
	wasLost := r.state == "lost"
	r.state, r.lease, r.grace = "settled", time.Time{}, time.Time{}
	if w.status == "running" || wasLost && w.status == "failed" {
		w.become("completed", time.Time{})
	}
}

// expire is the end of a lease or of the grace: what was not sent is armed
// again, what may have been sent is a person's, what was delivered may still
// settle late.
func (m *reference) expire(w *refWakeup, r *refRun, now time.Time, grace time.Duration) {
	over := func(at time.Time) bool { return !at.IsZero() && !at.After(now) }
	switch {
	case r.live() && over(r.lease):
		from := r.state
		r.state, r.lease = map[string]string{"claimed": "settled", "sending": "lost", "delivered": "lost"}[from], time.Time{}
		r.notSent = from == "claimed"
		switch {
		case r.stop:
			w.become("cancelled", time.Time{})
		case from == "claimed":
			w.become("queued", now)
		case from == "sending":
			w.become("failed", time.Time{})
		default:
			r.grace = now.Add(grace)
		}
	case r.state == "lost" && over(r.grace):
		r.grace = time.Time{}
		if w.status == "running" {
			w.become("failed", time.Time{})
		}
	}
}
