package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
)

// hint is the stated deadline of one failure as policy sees it.
type hint struct {
	// believed: it lay ahead of the failure and within the horizon.
	believed bool
	// absurd: a deadline beyond the horizon was stated. It gives no countdown,
	// and it forbids a retry: in seconds it would be a guess against what the
	// provider said.
	absurd bool
	at     time.Time // the stated instant, UTC; only when believed
	due    time.Time // at plus the margin of its kind: nothing runs earlier
	source string
}

// hintOf takes the later of retry_after and reset_at: no attempt comes before
// any deadline that was stated. A retry_after of 0 states nothing.
func hintOf(r classification.Result, s Settings, now time.Time) hint {
	from := r.OccurredAt
	if from.IsZero() || from.After(now) {
		// A failure cannot lie ahead of the clock that decides; the reporter's is fast.
		from = now
	}
	horizon := s.HintHorizon
	if CauseOf(r.Code).LongHorizon {
		horizon = s.QuotaHintHorizon
	}
	h := hint{source: r.HintSource}
	if r.RetryAfterSet {
		h.take(from, r.RetryAfter, s.RetryAfterMargin, horizon)
	}
	if !r.ResetAt.IsZero() {
		// Sub saturates, so that an absurd year is only far away.
		h.take(from, r.ResetAt.Sub(from), s.ResetMargin, horizon)
	}
	if h.absurd {
		return hint{absurd: true, source: h.source}
	}
	return h
}

func (h *hint) take(from time.Time, ahead, margin, horizon time.Duration) {
	switch {
	case ahead <= 0:
	case ahead > horizon:
		h.absurd = true
	default:
		at := from.Add(ahead).UTC()
		if due := at.Add(margin); !h.believed || due.After(h.due) {
			h.believed, h.at, h.due = true, at, due
		}
	}
}

// within says that waiting for the hint is possible and at most limit long.
func (h hint) within(now time.Time, limit time.Duration) bool {
	return h.believed && h.at.Sub(now) <= limit
}

// farther says that the hint forbids any attempt within limit.
func (h hint) farther(now time.Time, limit time.Duration) bool {
	return h.absurd || h.believed && h.at.Sub(now) > limit
}

// notBefore moves an instant behind the hint; bound tells that the hint decided.
func (h hint) notBefore(t time.Time) (at time.Time, bound bool) {
	if h.believed && h.due.After(t) {
		return h.due, true
	}
	return t, false
}
