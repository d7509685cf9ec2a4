package recovery

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
)

// Decide is the whole decision on one failure: the gate, then the policy of
// the context, then what a person consented to. jitter is drawn from [0,1) by the caller; now is the clock that
// rules leases. The same arguments give the same decision.
func Decide(f Facts, r classification.Result, s Settings, now time.Time, jitter float64) Decision {
	e := evaluation{facts: f, result: r, settings: s, now: now.UTC(), jitter: jitter}
	e.hint = hintOf(r, s, e.now)
	e.noteEvidence()
	boundary, stop := Gate(f, r)
	if stop != StopNone {
		e.because("gate", string(stop))
		if stop == StopNonProvider && launchable(f, r) {
			return e.consented(e.launch())
		}
		return e.stop(Reason(stop))
	}
	e.boundary = boundary
	e.because("boundary", string(boundary))
	return e.consented(e.byContext())
}

func (e *evaluation) byContext() Decision {
	switch e.facts.Context {
	case ContextInteractive:
		return e.interactive()
	case ContextDynamic:
		return e.share(e.dynamic())
	}
	return e.stop(ReasonPolicyInvalid)
}

// evaluation is one walk through the tables.
type evaluation struct {
	facts    Facts
	result   classification.Result
	settings Settings
	now      time.Time
	jitter   float64
	hint     hint
	boundary Boundary
	policy   string // what decides, "" before the gate has passed
	trail    []string
}

func (e *evaluation) because(key, value string) {
	e.trail = append(e.trail, key+"="+value)
}

// decideBy notes which policy is asked.
func (e *evaluation) decideBy(policy string) {
	e.policy = policy
	e.because("policy", policy)
}

func (e *evaluation) noteEvidence() {
	e.trail = make([]string, 0, 12)
	e.because("code", string(e.result.Code))
	if e.result.RuleID != "" {
		e.because("rule", e.result.RuleID)
	}
	if e.result.AgentRetrying {
		e.because("agent_retrying", "true")
	}
	switch {
	case e.hint.absurd:
		e.because("hint", "beyond_horizon")
	case e.hint.believed:
		e.because("hint", e.hint.at.Format(time.RFC3339Nano))
	}
}

// decision is what every outcome shares.
func (e *evaluation) decision(action Action, reason Reason) Decision {
	d := Decision{
		Action:   action,
		Reason:   reason,
		Policy:   e.policy,
		Remedy:   CauseOf(e.result.Code).Remedy,
		Progress: e.facts.Progress,
	}
	if e.hint.believed {
		d.HintShown, d.HintSource = e.hint.at, e.hint.source
		d.Receipt = Receipt{Kind: ReceiptStated, Source: e.hint.source}
	}
	e.because("action", string(action))
	e.because("reason", string(reason))
	d.Because = e.trail
	return d
}

func (e *evaluation) stop(reason Reason) Decision {
	return e.decision(ActionStop, reason)
}

// attempt is a decision after which the same profile runs again at the instant.
func (e *evaluation) attempt(action Action, reason Reason, at time.Time, receipt Receipt) Decision {
	at = published(at)
	e.because("retry_at", at.Format(time.RFC3339Nano))
	e.because("receipt", string(receipt.Kind))
	d := e.bounded(e.decision(action, reason))
	d.RetryAt, d.Receipt = at, receipt
	return d
}

// bounded says what makes the attempt safe that follows d.
func (e *evaluation) bounded(d Decision) Decision {
	d.Boundary = e.boundary
	d.SendContinue = e.boundary == BoundaryNativeResume
	if e.boundary == BoundaryDeclaredRepeatable {
		d.BoundaryReceipt = Receipt{Kind: ReceiptPerson, Source: e.facts.ReplaySafeBy}
	}
	return d
}

// retry is a scheduled attempt that uses one retry of the failure's class.
func (e *evaluation) retry(reason Reason, nominal time.Duration, used, budget int, schedule string) Decision {
	d := e.scheduled(reason, nominal, used, budget, schedule)
	e.progress(&d).Retries = used + 1
	return d
}

// scheduled is attempt number used+1 after a nominal delay, never before a hint.
func (e *evaluation) scheduled(reason Reason, nominal time.Duration, used, budget int, schedule string) Decision {
	e.because("retry", strconv.Itoa(used+1)+"/"+strconv.Itoa(budget))
	e.because("delay", nominal.String())
	at, bound := e.hint.notBefore(e.now.Add(Jittered(nominal, e.settings.JitterFraction, e.jitter)))
	receipt := Receipt{Kind: ReceiptEstimated, Source: schedule}
	if bound {
		receipt = Receipt{Kind: ReceiptStated, Source: e.hint.source}
	}
	d := e.attempt(ActionRetry, reason, at, receipt)
	d.Ordinal, d.MaxAttempts = used+1, budget
	return d
}

// progress points at the counters of the failure's class in d.
func (e *evaluation) progress(d *Decision) *ClassProgress {
	if classOf(e.result) == classification.ClassHard {
		return &d.Progress.Hard
	}
	return &d.Progress.Transient
}

// used are the counters before this decision. A negative count is no budget
// to spend, so it counts as 0.
func (e *evaluation) used() ClassProgress {
	p := e.facts.Progress.Transient
	if classOf(e.result) == classification.ClassHard {
		p = e.facts.Progress.Hard
	}
	p.Retries = max(p.Retries, 0)
	return p
}
