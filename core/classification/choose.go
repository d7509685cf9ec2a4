package classification

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/evidence"
)

// found is a failure rule that holds, with what was near it.
type found struct {
	match
	channel evidence.Kind
	times   []hint.Stated
	excerpt quote
}

// maxTimes bounds the stated times kept per signal.
const maxTimes = 8

func (p *pass) found(r *rule, signal int, at int32) found {
	f := found{match: match{r, signal, at}, channel: p.v.signal.Kind}
	if !r.NoHint {
		times := p.v.statedTimes(p.c, p.e)
		f.times = slices.Clone(times[:min(len(times), maxTimes)])
	}
	f.excerpt = p.v.around(at)
	return f
}

// choose orders the failures: the higher priority wins, then the later signal,
// then the later place in its text. Two rules of different codes that share a
// priority and a signal are a conflict.
func choose(all []found) (winner found, conflict string) {
	best := slices.MaxFunc(all, compare)
	for _, f := range all {
		if f.rule.Priority == best.rule.Priority && f.signal == best.signal && f.rule.Code != best.rule.Code {
			if conflict == "" || f.rule.ID < conflict {
				conflict = f.rule.ID
			}
		}
	}
	return best, conflict
}

func compare(a, b found) int {
	switch {
	case a.rule.Priority != b.rule.Priority:
		return a.rule.Priority - b.rule.Priority
	case a.signal != b.signal:
		return a.signal - b.signal
	case a.at != b.at:
		return int(a.at - b.at)
	}
	return int(b.rule.index - a.rule.index)
}

// result turns what was found into the answer.
func (p *pass) result() Result {
	r := Result{
		Code: Unclassified, Class: ClassUnclassified, Confidence: Low, Throttle: ThrottleUnknown, Scope: ScopeRequest,
		CatalogueVersion: p.c.version, CatalogueDigest: p.c.digest,
		Provider: evidence.Redact(p.e.Provider), Model: evidence.Redact(p.e.Model), Phase: p.e.Phase, OccurredAt: p.e.ObservedAt,
	}
	all := p.failures
	if len(all) == 0 {
		all = p.lastCauses()
	}
	if len(all) == 0 {
		r.AgentRetrying, r.AgentRetryAfter = p.retrying, p.retryIn
		r.SafeExcerpt = p.lastWords()
		r.Explain = p.explanation(nil, "")
		return r
	}
	winner, conflict := choose(all)
	r.RuleID, r.ConflictsWith, r.SafeExcerpt = winner.rule.ID, conflict, safeExcerpt(winner.excerpt)
	if conflict == "" {
		r.Code, r.Class, r.Confidence = winner.rule.Code, ClassOf(winner.rule.Code), winner.rule.Confidence
		r.Scope = winner.rule.Scope
		p.addHint(&r, winner, all)
		r.Throttle = throttle(winner.rule, r)
	}
	r.Explain = p.explanation(&winner, conflict)
	return r
}

// addHint takes the last stated time that may be taken: of the winner's own code
// first, then of any other statement of the same failure.
func (p *pass) addHint(r *Result, winner found, all []found) {
	limit := hint.MaxWait
	if r.Code == QuotaLimited {
		limit = hint.MaxQuotaWait
	}
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, func(a, b found) int {
		if sa, sb := a.rule.Code == winner.rule.Code, b.rule.Code == winner.rule.Code; sa != sb {
			return btoi(sb) - btoi(sa)
		}
		return compareBySignal(b, a)
	})
	if winner.rule.NoHint {
		return
	}
	for _, f := range ordered {
		for _, s := range f.times {
			if why := s.Check(limit); why != "" {
				reject(r, s, why)
				continue
			}
			s = exact(s, all)
			r.RetryAfter, r.RetryAfterSet, r.HintSource = s.After, true, evidence.Redact(s.Source)
			if !s.Relative {
				r.ResetAt = s.At // only what was stated: a policy adds its margin to an instant
			}
			return
		}
	}
}

// exact replaces a clock that was printed without seconds by the same instant
// stated with them.
func exact(s hint.Stated, all []found) hint.Stated {
	if !s.Coarse {
		return s
	}
	for _, f := range all {
		for _, other := range f.times {
			if more := other.At.Sub(s.At); !other.Coarse && other.Reason == "" && more >= 0 && more < time.Minute {
				return other
			}
		}
	}
	return s
}

func compareBySignal(a, b found) int {
	if a.signal != b.signal {
		return a.signal - b.signal
	}
	return compare(a, b)
}

func reject(r *Result, s hint.Stated, why hint.Reason) {
	rejection := HintRejection{Text: evidence.Redact(s.Source), Reason: string(why)}
	if len(r.HintRejections) < maxTimes && !slices.Contains(r.HintRejections, rejection) {
		r.HintRejections = append(r.HintRejections, rejection)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shortWait is the longest wait of a short throttle.
const shortWait = time.Minute

func throttle(r *rule, res Result) Throttle {
	switch {
	case res.Code == QuotaLimited:
		return ThrottleLong
	case res.Code == RateLimited && res.RetryAfterSet && res.RetryAfter <= shortWait:
		return ThrottleShort
	case res.Code == RateLimited && res.RetryAfterSet:
		return ThrottleLong
	case r.Throttle == "":
		return ThrottleUnknown
	}
	return r.Throttle
}
