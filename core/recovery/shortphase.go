package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
)

// shortPhaseSource names the wait for another run's retries in receipts.
const shortPhaseSource = "short_phase@1"

// Owner is the other run that owns the short phase of the provider and model:
// its retries show whether they have recovered. The zero value is nobody.
type Owner struct {
	RunID   string    `json:"run_id,omitempty"`
	RetryAt time.Time `json:"retry_at,omitzero"` // of its next attempt; in the past while that runs
}

// InShortPhase says that a decision is a try of the short phase: the same
// candidate again soon, after a transient failure that is the provider's.
func InShortPhase(r classification.Result, d Decision) bool {
	rule := dynamicTable[r.Code].Rule
	return (d.Action == ActionRetry || d.Action == ActionWait) && classOf(r) == classification.ClassTransient &&
		(rule == DynamicShortPhase || rule == DynamicShortPhaseIfShort)
}

// share makes a try of the short phase wait for the run that owns it, without
// spending anything: one run finds out for all.
func (e *evaluation) share(d Decision) Decision {
	owner := e.facts.Owner
	if owner.RunID == "" || !InShortPhase(e.result, d) {
		return d
	}
	at := published(e.settings.AfterOwner(owner.RetryAt, e.now))
	receipt := Receipt{Kind: ReceiptEstimated, Source: shortPhaseSource}
	if d.Receipt.Kind == ReceiptStated && d.RetryAt.After(at) {
		at, receipt = d.RetryAt, d.Receipt
	}
	e.because("short_phase", "owned_by_other")
	e.because("retry_at", at.Format(time.RFC3339Nano))
	d.Because = e.trail
	d.Action, d.Reason = ActionRetry, ReasonShortRetry
	d.RetryAt, d.Receipt, d.Ordinal, d.WaitsForOwner = at, receipt, 0, true
	d.Progress = e.facts.Progress
	return d
}

// AfterOwner is when a run that waits for the owner of a short phase looks
// again: after the owner's next attempt, or, while that runs, after a lease. The
// owner's end is told; that look is for what was not heard.
func (s Settings) AfterOwner(retryAt, now time.Time) time.Time {
	if retryAt.After(now) {
		return retryAt.Add(time.Second / time.Duration(max(s.ReleasePerSecond, 1)))
	}
	return now.Add(s.Lease)
}

// ReleaseAfter is how long the n-th launch waits after a recovery, from 0: so
// many in the first second, twice as many in the next, and so on, evenly.
func ReleaseAfter(perSecond, n int) time.Duration {
	rate, start := max(perSecond, 1), 0
	for second := range maxDoublings {
		if n < start+rate || second == maxDoublings-1 {
			within := time.Second * time.Duration(max(n-start, 0)) / time.Duration(rate)
			return time.Duration(second)*time.Second + within
		}
		start += rate
		rate *= 2
	}
	return 0
}

// maxDoublings keeps the rate far from overflow; 2 launches have become a
// million a second by then.
const maxDoublings = 20

// Published rounds an instant up to what every surface shows: whole milliseconds.
func Published(t time.Time) time.Time { return published(t) }
