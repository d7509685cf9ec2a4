package work

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// refusal turns a refused step into an error that carries the snapshot a
// caller needs to go on.
func (l Locked) refusal(reason fault.Reason) error {
	switch reason {
	case fault.ReasonStaleLease:
		return fault.New(fault.Aborted, reason, "the lease of run %s is gone: stop its process and drop it", l.Run.ID).With("run_id", l.Run.ID)
	case fault.ReasonRunNotSent:
		return fault.New(fault.FailedPrecondition, reason, "run %s has no acknowledged BeginSend", l.Run.ID).
			With("run_id", l.Run.ID).With("state", string(l.Run.State))
	case fault.ReasonRunAlreadySettled:
		return l.alreadySettled()
	case fault.ReasonStaleGeneration:
		return fault.New(fault.Aborted, reason, "a newer prompt has begun in session %s", l.Session.ID).
			With("session_id", l.Session.ID).With("generation", strconv.FormatInt(l.Session.Generation, 10))
	case fault.ReasonStaleVersion:
		return l.staleVersion()
	case fault.ReasonSessionBusy:
		return fault.New(fault.FailedPrecondition, reason, "session %s has a live run", l.Session.ID).
			With("session_id", l.Session.ID).With("run_id", l.Run.ID)
	}
	return fault.New(fault.Internal, fault.ReasonInternal, "a transition was refused for %q", reason)
}

func (l Locked) alreadySettled() error {
	e := fault.New(fault.FailedPrecondition, fault.ReasonRunAlreadySettled, "run %s has an outcome; the first one counts", l.Run.ID).
		With("run_id", l.Run.ID).With("outcome", string(l.Run.Outcome)).With("settled_at", instant(l.Run.SettledAt))
	if d := l.Run.Decision; d != nil {
		e = e.With("action", string(d.Action))
	}
	return l.withWakeup(e)
}

func (l Locked) staleVersion() error {
	e := fault.New(fault.Aborted, fault.ReasonStaleVersion, "wakeup %s is %s now, at version %d: this cannot be done to it as it is",
		l.Wakeup.ID, l.Wakeup.Status, l.Wakeup.Version)
	if l.Run.ID != "" {
		e = e.With("run_id", l.Run.ID).With("state", string(l.Run.State))
	}
	return l.withWakeup(e).With("version", strconv.FormatInt(l.Wakeup.Version, 10))
}

func (l Locked) withWakeup(e *fault.Error) *fault.Error {
	e = e.With("wakeup_id", l.Wakeup.ID).With("status", string(l.Wakeup.Status))
	if !l.Wakeup.DueAt.IsZero() {
		e = e.With("due_at", instant(l.Wakeup.DueAt))
	}
	return e
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
