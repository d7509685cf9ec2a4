package routing

import (
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Pace is what a step takes from outside: the numbers of the contract, the
// instant by the clock that rules leases, and a jitter drawn from [0,1).
type Pace struct {
	Settings recovery.Settings
	Now      time.Time
	Jitter   float64
}

// Failure is the end of a run that failed, with what was decided on it.
type Failure struct {
	RunID     string
	StartedAt time.Time // when the run was claimed
	Result    classification.Result
	Decision  recovery.Decision
	// Context must be dynamic: a concrete profile neither opens nor obeys circuits.
	Context recovery.Context
}

// Indicts names the resource of the candidate whose circuit the failure opens:
// the short phase is over without help, or the code allows none.
func Indicts(c Candidate, f Failure, p Pace) (Key, bool) {
	key, ok := f.blames(c)
	if !ok {
		return Key{}, false
	}
	retries := f.Decision.Action == recovery.ActionRetry
	switch resourceOf(f.Result.Code).Opens {
	case OpensAtOnce:
		return key, !retries
	case OpensUnlessShort:
		return key, exhausted(f.Decision) || !retries && !f.short(p)
	case OpensExhausted:
		return key, exhausted(f.Decision)
	default:
		return Key{}, false
	}
}

// blames is the resource that the failure speaks against, whether that opens
// its circuit yet or not.
func (f Failure) blames(c Candidate) (Key, bool) {
	if !f.believed() {
		return Key{}, false
	}
	return keyOf(c, f.Result)
}

// believed says that the evidence counts. The gate may have stopped the run
// only because repeating it is not safe, which is no doubt about the cause.
func (f Failure) believed() bool {
	if f.Context != recovery.ContextDynamic {
		return false
	}
	if f.Decision.Policy != "" {
		return true // the gate has passed it
	}
	reason := recovery.StopReason(f.Decision.Reason)
	return reason == recovery.StopEffectsObserved || reason == recovery.StopAmbiguousDelivery
}

// unclear says that the provider may be to blame, and that nobody can tell.
func (f Failure) unclear() bool {
	reason := recovery.StopReason(f.Decision.Reason)
	return reason == recovery.StopUnclassified || reason == recovery.StopLowConfidence
}

// exhausted says that the policy had nothing left to do with the candidate.
func exhausted(d recovery.Decision) bool {
	return slices.ContainsFunc(d.Because, func(step string) bool { return strings.HasPrefix(step, "exhausted=") })
}

func (f Failure) short(p Pace) bool {
	hint := f.Decision.HintShown
	return f.Result.Throttle == classification.ThrottleShort || !hint.IsZero() && hint.Sub(p.Now) <= p.Settings.ShortThrottle
}

// stated is the believed deadline with the margin of its kind, zero if none
// lies ahead.
func (f Failure) stated(p Pace) time.Time {
	hint := f.Decision.HintShown
	if hint.IsZero() {
		return time.Time{}
	}
	margin := p.Settings.RetryAfterMargin
	if hint.Equal(f.Result.ResetAt) {
		margin = max(margin, p.Settings.ResetMargin)
	}
	if due := hint.Add(margin); due.After(p.Now) {
		return recovery.Published(due)
	}
	return time.Time{}
}
