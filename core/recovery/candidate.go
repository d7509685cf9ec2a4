package recovery

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
)

// ladderSource names the schedule of parks without a stated reset in receipts.
const ladderSource = "ladder@1"

// dynamic evaluates the class policy of the candidate that failed: wait once
// for a stated reset, else retry, else what on_exhausted says.
func (e *evaluation) dynamic() Decision {
	row := dynamicTable[e.result.Code]
	e.decideBy(e.facts.Policy.Ref())
	e.because("row", string(row.Rule))
	if row.Rule == "" || row.Rule == DynamicStopGate {
		return e.stop(ReasonNoPolicyForCause)
	}
	if err := e.facts.Policy.Validate(e.settings.Policy); err != nil {
		return e.stop(ReasonPolicyInvalid)
	}
	policy, used := e.classPolicy(), e.used()
	if e.mayWait(row.Rule, policy, used) {
		return e.waitForReset()
	}
	if budget := e.retryBudget(row.Rule, policy); used.Retries < budget && !e.hint.farther(e.now, policy.WaitForReset.MaxWait) {
		nominal := Backoff(policy.Retry.InitialInterval, used.Retries, e.settings.Policy.MaxBackoff)
		return e.retry(e.retryReason(), nominal, used.Retries, budget, e.facts.Policy.Ref())
	}
	return e.exhausted(row, policy, used)
}

func (e *evaluation) classPolicy() ClassPolicy {
	if classOf(e.result) == classification.ClassHard {
		return e.facts.Policy.Hard
	}
	return e.facts.Policy.Transient
}

func (e *evaluation) retryReason() Reason {
	if classOf(e.result) == classification.ClassHard {
		return ReasonPolicyRetry
	}
	return ReasonShortRetry
}

// mayWait: a cause that no time heals, or that is not the provider's, has
// nothing to wait for, whatever was stated.
func (e *evaluation) mayWait(rule DynamicRule, policy ClassPolicy, used ClassProgress) bool {
	if rule == DynamicActionRequired || rule == DynamicLaunchOnly {
		return false
	}
	return policy.WaitForReset.Enabled && !used.Waited &&
		e.hint.within(e.now, policy.WaitForReset.MaxWait) && !e.overTotal(e.hint.at)
}

// overTotal says that waiting until the instant would take more than the
// policy's total. Margins and jitter are ours and do not count.
func (e *evaluation) overTotal(at time.Time) bool {
	limit := e.facts.Policy.MaxTotalWait
	return limit != 0 && e.totalAfter(at) > limit
}

// totalAfter is what the prompt will have waited in all at the instant.
func (e *evaluation) totalAfter(at time.Time) time.Duration {
	before, more := max(e.facts.Progress.WaitedTotal, 0), max(at.Sub(e.now), 0)
	if before > maxDuration-more {
		return maxDuration
	}
	return before + more
}

// retryBudget is the number of retries that the row leaves of the policy's.
func (e *evaluation) retryBudget(rule DynamicRule, policy ClassPolicy) int {
	switch {
	case !policy.Retry.Enabled:
		return 0
	case rule == DynamicLaunchOnly:
		return min(policy.Retry.MaxRetries, e.settings.TransportLaunchRetries)
	case rule == DynamicShortPhaseIfShort && !e.shortThrottle():
		return 0
	}
	return policy.Retry.MaxRetries
}

func (e *evaluation) shortThrottle() bool {
	return e.result.Throttle == classification.ThrottleShort || e.hint.within(e.now, e.settings.ShortThrottle)
}

// waitForReset takes the one wait of the cycle. A reset that has passed while
// the report was on its way is due now. It gets no jitter: the instant is
// stated, and the release rate spreads what wakes together.
func (e *evaluation) waitForReset() Decision {
	at, _ := e.hint.notBefore(e.now)
	d := e.attempt(ActionWait, ReasonResetWait, at, Receipt{Kind: ReceiptStated, Source: e.hint.source})
	e.progress(&d).Waited = true
	d.Progress.WaitedTotal = e.totalAfter(e.hint.at)
	return d
}

// exhausted: nothing is left to do with this candidate in this cycle.
func (e *evaluation) exhausted(row DynamicRow, policy ClassPolicy, used ClassProgress) Decision {
	reason, budget := e.exhaustedReason(row.Rule, policy, used), e.retryBudget(row.Rule, policy)
	e.because("exhausted", string(reason))
	e.because("retry", "used_"+strconv.Itoa(used.Retries)+"/"+strconv.Itoa(budget))
	var d Decision
	switch {
	case row.Rule == DynamicLaunchOnly || policy.OnExhausted == ExhaustedStop:
		d = e.stop(reason)
	case e.facts.Route.CandidatesLeft > 0:
		d = e.nextCandidate(reason)
	default:
		d = e.park(row, reason)
	}
	d.Ordinal, d.MaxAttempts = used.Retries, budget
	return d
}

func (e *evaluation) exhaustedReason(rule DynamicRule, policy ClassPolicy, used ClassProgress) Reason {
	budget := e.retryBudget(rule, policy)
	switch {
	case rule == DynamicActionRequired && budget == 0:
		return ReasonPersonRequired
	case e.hint.farther(e.now, policy.WaitForReset.MaxWait) && (policy.WaitForReset.Enabled || budget > 0):
		return ReasonWaitTooLong
	case policy.WaitForReset.Enabled && !used.Waited && e.hint.believed && e.overTotal(e.hint.at):
		return ReasonWaitTooLong
	case budget > 0:
		return ReasonBudgetExhausted
	case rule == DynamicShortPhaseIfShort && policy.Retry.Enabled:
		return ReasonThrottleNotShort
	case !policy.WaitForReset.Enabled || rule == DynamicLaunchOnly:
		return ReasonPolicy
	case used.Waited:
		return ReasonWaitUsed
	}
	return ReasonResetNotStated
}

// nextCandidate changes the profile. A resume token never crosses profiles, so
// what only the agent's own resume made safe is not safe there.
func (e *evaluation) nextCandidate(reason Reason) Decision {
	if e.boundary == BoundaryNativeResume {
		e.boundary = boundaryWithoutResume(e.facts)
		e.because("boundary", string(e.boundary))
	}
	if e.boundary == BoundaryNone {
		return e.stop(Reason(StopEffectsObserved))
	}
	return e.bounded(e.decision(ActionNextCandidate, reason))
}

// park is what is left when this was the last candidate. A timed park wakes at
// the stated reset, else on the ladder of the circuit; the others wait for a
// person.
func (e *evaluation) park(row DynamicRow, reason Reason) Decision {
	if !row.Park.Timed() {
		d := e.bounded(e.decision(ActionPark, reason))
		d.ParkReason = row.Park
		return d
	}
	stated, due, receipt := e.parkDeadline()
	if e.overTotal(stated) {
		return e.stop(ReasonWaitTooLong)
	}
	d := e.attempt(ActionPark, reason, due, receipt)
	d.ParkReason = row.Park
	d.Progress.Parks = max(d.Progress.Parks, 0) + 1
	d.Progress.WaitedTotal = e.totalAfter(stated)
	return d
}

// parkDeadline is the stated reset with its margin, else the next step of the
// ladder with its jitter; stated is the instant without either.
func (e *evaluation) parkDeadline() (stated, due time.Time, receipt Receipt) {
	if e.hint.believed && e.hint.due.After(e.now) {
		return e.hint.at, e.hint.due, Receipt{Kind: ReceiptStated, Source: e.hint.source}
	}
	// Without a circuit, the parks of the prompt itself say how long it has lasted.
	nominal := Rung(e.settings.Ladder, max(e.facts.Route.CircuitOpenings, e.facts.Progress.Parks))
	jittered := Jittered(nominal, e.settings.JitterFraction, e.jitter)
	return e.now.Add(nominal), e.now.Add(jittered), Receipt{Kind: ReceiptEstimated, Source: ladderSource}
}
