package fleet

import (
	"fmt"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

const (
	completed = v1.WakeupStatus_WAKEUP_STATUS_COMPLETED
	failed    = v1.WakeupStatus_WAKEUP_STATUS_FAILED
	// mostRetries is what the interactive policy allows.
	mostRetries = 5
)

// check says what is wrong; nothing is in a sound history.
func (f facts) check() (wrong []string) {
	complain := func(id, format string, args ...any) {
		wrong = append(wrong, id+": "+fmt.Sprintf(format, args...))
	}
	known := map[string]bool{}
	for _, id := range f.begun {
		if known[id] {
			complain(id, "one wakeup for two prompts")
		}
		known[id] = true
		w := f.wakeups[id]
		if w == nil {
			complain(id, "an acknowledged prompt is gone")
			continue
		}
		f.checkEnd(w, complain)
		f.checkRuns(w, complain)
		f.checkLedger(w, complain)
	}
	for id := range f.wakeups {
		if !known[id] {
			complain(id, "nobody began it")
		}
	}
	for _, v := range f.violations {
		complain("invariant", "%s", v)
	}
	for _, seen := range f.seen {
		f.checkStream(seen, complain)
	}
	return wrong
}

type complaint func(id, format string, args ...any)

// checkEnd: a wakeup is completed after a delivery, or asks a person.
func (f facts) checkEnd(w *v1.Wakeup, complain complaint) {
	id := w.GetWakeupId()
	switch w.GetStatus() {
	case completed:
		if len(deliveries(f.ledger[id])) == 0 {
			complain(id, "completed without a delivery")
		}
	case failed:
		if w.GetAttention() != v1.Attention_ATTENTION_PERSON || !f.asked[id] {
			complain(id, "it failed, and nobody is asked")
		}
		if why := w.GetLastDecision().GetStopReason(); why != v1.StopReason_STOP_REASON_AMBIGUOUS_DELIVERY && !f.notSent(id) {
			complain(id, "it failed because of %s", why)
		}
		if w.GetDueAt() != nil {
			complain(id, "a countdown that nobody owns")
		}
	default:
		complain(id, "it is left as %s", w.GetStatus())
	}
	if w.GetRetryCount() > mostRetries {
		complain(id, "retried %d times", w.GetRetryCount())
	}
}

// notSent says that the worker of the last run could not send in time, and
// reported so: what becomes of that is the policy's.
func (f facts) notSent(id string) bool {
	runs := f.runs[id]
	if len(runs) == 0 {
		return false
	}
	last := runs[len(runs)-1]
	return last.GetSendingAt() == nil || last.GetOutcome() == v1.RunOutcome_RUN_OUTCOME_NOT_SENT
}

// checkRuns: ordinals have no holes, runs never overlap, none is early.
func (f facts) checkRuns(w *v1.Wakeup, complain complaint) {
	id, runs := w.GetWakeupId(), f.runs[w.GetWakeupId()]
	if len(runs) != int(w.GetRunCount()) {
		complain(id, "%d runs, and it counts %d", len(runs), w.GetRunCount())
	}
	for i, run := range runs {
		if int(run.GetOrdinal()) != i+1 {
			complain(id, "run %d is called %d", i+1, run.GetOrdinal())
		}
		if i == 0 {
			continue
		}
		before := runs[i-1]
		if before.GetSettledAt() == nil || run.GetClaimedAt().AsTime().Before(before.GetSettledAt().AsTime()) {
			complain(id, "run %d began before the one before it had ended", i+1)
		}
		if due := before.GetDecision().GetRetryAt(); due != nil && run.GetClaimedAt().AsTime().Before(due.AsTime()) {
			complain(id, "run %d was claimed early", i+1)
		}
	}
}

// checkLedger: what a worker did and was told is so, no run was delivered
// twice, and a prompt again only after a failure whose decision was to retry.
func (f facts) checkLedger(w *v1.Wakeup, complain complaint) {
	id, runs := w.GetWakeupId(), map[string]*v1.Run{}
	for _, run := range f.runs[id] {
		runs[run.GetRunId()] = run
	}
	var seen []string
	for _, e := range f.ledger[id] {
		run := runs[e.Run]
		if run == nil {
			complain(id, "%s of a run that is gone", e.Kind)
			continue
		}
		if !recorded(e, run, w) {
			complain(id, "%s was acknowledged and is not recorded", e.Kind)
		}
		if e.Kind != delivered {
			continue
		}
		for _, earlier := range seen {
			r := runs[earlier]
			switch {
			case earlier == e.Run:
				complain(id, "one run was delivered twice")
			case r.GetOutcome() != v1.RunOutcome_RUN_OUTCOME_FAILED || r.GetDecision().GetAction() != v1.Action_ACTION_RETRY:
				complain(id, "delivered again after a delivery that ended as %s, %s", r.GetOutcome(), r.GetDecision().GetAction())
			}
		}
		seen = append(seen, e.Run)
	}
}

func recorded(e entry, run *v1.Run, w *v1.Wakeup) bool {
	switch e.Kind {
	case delivered:
		return run.GetSendingAt() != nil && run.GetOutcome() != v1.RunOutcome_RUN_OUTCOME_NOT_SENT
	case "MarkDelivered":
		return run.GetDeliveredAt() != nil
	case "ReportFailure":
		return run.GetOutcome() == v1.RunOutcome_RUN_OUTCOME_FAILED || run.GetOutcome() == v1.RunOutcome_RUN_OUTCOME_NOT_SENT
	case "ReportSuccess":
		return run.GetOutcome() == v1.RunOutcome_RUN_OUTCOME_SUCCEEDED && w.GetStatus() == completed
	}
	return false
}

// checkStream: a subscriber saw each stored event once and in order, and the
// last that it heard of a wakeup is how that ended.
func (f facts) checkStream(all []*v1.Event, complain complaint) {
	const stream = "stream"
	at, last := map[string]int{}, map[string]string{}
	for i, e := range all {
		if _, twice := at[e.GetEventId()]; twice {
			complain(stream, "event %s was seen twice", e.GetEventId())
		}
		at[e.GetEventId()] = i
		if e.GetType() == "office.wakeup.updated" {
			p := e.GetPayload().AsMap()
			last[fmt.Sprint(p["wakeup_id"])] = fmt.Sprint(p["status"])
		}
	}
	previous := -1
	for _, e := range f.stored {
		i, seen := at[e.GetEventId()]
		switch {
		case !seen:
			complain(stream, "event %s was never seen", e.GetEventId())
			continue
		case i < previous:
			complain(stream, "event %s was seen out of order", e.GetEventId())
		}
		previous = i
	}
	if len(at) > len(f.stored) {
		complain(stream, "%d events were seen, and %d are stored", len(at), len(f.stored))
	}
	for id, w := range f.wakeups {
		if want := statusWords[w.GetStatus()]; want != last[id] {
			complain(id, "it ended as %s, and the last event says %q", want, last[id])
		}
	}
}

var statusWords = map[v1.WakeupStatus]string{completed: "completed", failed: "failed"}
