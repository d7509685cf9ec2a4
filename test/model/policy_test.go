package model

import "time"

// failure is one kind of failure, as the contract names them.
type failure struct {
	kind      string // transient, hard, quota, unknown, spawn
	reset     time.Duration
	flags     [3]level
	ambiguous bool
}

// fate is what must follow; the due instant lies within the two.
type fate struct {
	status, send string
	from, to     time.Time
}

func stop() fate { return fate{status: "failed"} }

var (
	interactiveDelays = []int{5, 10, 20, 40, 60}
	shortPhaseDelays  = []int{5, 10, 20}
	ladderMinutes     = []int{2, 5, 10, 20, 60}
	launchMinutes     = []int{2, 10, 30}
)

const (
	resetMargin   = 30 * time.Second
	shortThrottle = time.Minute
	patience      = 5*time.Hour + 30*time.Minute
)

// next is the boundary: what may be sent after this run, "" when nothing may.
// A prompt that had effects is never sent bare, unless a person said it may.
func (w *refWakeup) nextAfter(r *refRun) string {
	switch {
	case r.clean() && r.send == "prompt":
		return "prompt"
	case r.native:
		return "continue"
	case w.worker:
		return "fresh"
	case w.repeatable:
		return "prompt"
	}
	return ""
}

// fail settles a run as failed and says what must follow.
func (m *reference) fail(w *refWakeup, r *refRun, f failure, now time.Time) fate {
	if m.closed(w, r) {
		r.late = true
		return fate{status: w.status}
	}
	r.raise(f.flags)
	r.ambiguous = r.ambiguous || f.ambiguous
	unsent := r.state == "claimed" || r.state == "sending" && f.kind == "spawn"
	r.notSent = unsent && r.state == "sending"
	r.state, r.lease, r.grace = "settled", time.Time{}, time.Time{}
	switch {
	case w.status != "running":
		return fate{status: w.status}
	case r.stop || w.generation != m.generation:
		return fate{status: "cancelled"}
	case r.ambiguous && f.kind != "spawn":
		return stop()
	}
	send := w.nextAfter(r)
	switch f.kind {
	case "spawn":
		return w.launchAgain(r, f, send, unsent, now)
	case "transient", "quota", "hard":
		if send == "" {
			return stop()
		}
		return w.byPolicy(f, send, now)
	}
	return stop() // unknown stops for a person
}

// launchAgain: a worker's host may try three times to start an agent.
func (w *refWakeup) launchAgain(r *refRun, f failure, send string, unsent bool, now time.Time) fate {
	if !w.worker || !unsent || !r.clean() || r.ambiguous || w.launches >= len(launchMinutes) {
		return stop()
	}
	w.launches++
	return f.notBefore(later("scheduled_retry", send, now, time.Duration(launchMinutes[w.launches-1])*time.Minute), now)
}

// notBefore: no attempt is ever scheduled before a stated reset.
func (f failure) notBefore(out fate, now time.Time) fate {
	if f.reset > 0 {
		stated := now.Add(f.reset + resetMargin)
		out.from, out.to = latest(out.from, stated), latest(out.to, stated)
	}
	return out
}

// later is a nominal delay with jitter: up to a fifth more, never less.
func later(status, send string, now time.Time, delay time.Duration) fate {
	return fate{status: status, send: send, from: now.Add(delay), to: now.Add(delay + delay/5 + time.Millisecond)}
}

func (w *refWakeup) byPolicy(f failure, send string, now time.Time) fate {
	switch {
	case f.kind == "hard":
		return stop()
	case !w.patient && (f.kind == "quota" || f.reset > shortThrottle):
		return stop()
	case !w.patient:
		return w.retry(f, send, now, interactiveDelays)
	case f.kind == "quota":
		if f.reset == 0 || w.waitedHard || f.reset > patience || w.waited+f.reset > patience {
			return stop()
		}
		w.waitedHard = true
		return w.waitForReset(f, send, now)
	}
	return w.shortPhase(f, send, now)
}

func (w *refWakeup) waitForReset(f failure, send string, now time.Time) fate {
	w.waited += f.reset
	due := now.Add(f.reset + resetMargin)
	return fate{status: "scheduled_retry", send: send, from: due, to: due}
}

func (w *refWakeup) shortPhase(f failure, send string, now time.Time) fate {
	switch {
	case f.reset > 0 && f.reset <= shortThrottle && !w.waitedTransient && w.waited+f.reset <= patience:
		w.waitedTransient = true
		return w.waitForReset(f, send, now)
	case f.reset <= shortThrottle && w.retries < len(shortPhaseDelays):
		return w.retry(f, send, now, shortPhaseDelays)
	}
	return w.park(f, send, now)
}

// retry uses one of the budget.
func (w *refWakeup) retry(f failure, send string, now time.Time, delays []int) fate {
	if w.retries >= len(delays) {
		return stop()
	}
	w.retries++
	return f.notBefore(later("scheduled_retry", send, now, time.Duration(delays[w.retries-1])*time.Second), now)
}

// park waits for the stated reset, else on the ladder, within what was consented.
func (w *refWakeup) park(f failure, send string, now time.Time) fate {
	wait := time.Duration(ladderMinutes[min(w.parks, len(ladderMinutes)-1)]) * time.Minute
	out := later("parked", send, now, wait)
	if f.reset > 0 {
		wait = f.reset
		out.from = now.Add(wait + resetMargin)
		out.to = out.from
	}
	if w.waited+wait > patience {
		return stop()
	}
	w.waited += wait
	w.parks++
	return out
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
