package wire

import (
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// Classification of the API for a result of the core.
func Classification(r classification.Result) *v1.Classification {
	out := &v1.Classification{
		Code:             Code(r.Code),
		Class:            number[v1.Class](r.Class, "CLASS_", v1.Class_value),
		Confidence:       number[v1.Confidence](r.Confidence, "CONFIDENCE_", v1.Confidence_value),
		Throttle:         number[v1.Throttle](r.Throttle, "THROTTLE_", v1.Throttle_value),
		Scope:            number[v1.Scope](r.Scope, "SCOPE_", v1.Scope_value),
		RuleId:           r.RuleID,
		CatalogueVersion: r.CatalogueVersion,
		CatalogueDigest:  r.CatalogueDigest,
		ResetAt:          instant(r.ResetAt),
		HintSource:       r.HintSource,
		AgentRetrying:    r.AgentRetrying,
		ConflictsWith:    r.ConflictsWith,
		SafeExcerpt:      r.SafeExcerpt,
		Provider:         r.Provider,
		Model:            r.Model,
		Phase:            number[v1.Phase](r.Phase, "PHASE_", v1.Phase_value),
		OccurredAt:       instant(r.OccurredAt),
		Explanation:      explanation(r.Explain),
	}
	if r.RetryAfterSet {
		out.RetryAfter = durationpb.New(r.RetryAfter)
	}
	if r.AgentRetryAfter > 0 {
		out.AgentRetryAfter = durationpb.New(r.AgentRetryAfter)
	}
	for _, h := range r.HintRejections {
		out.HintRejections = append(out.HintRejections, &v1.HintRejection{Text: h.Text, Reason: h.Reason})
	}
	return out
}

func explanation(e *classification.Explanation) *v1.Explanation {
	if e == nil {
		return nil
	}
	out := &v1.Explanation{}
	for _, s := range e.Signals {
		out.Signals = append(out.Signals, signal(s))
	}
	for _, c := range e.Candidates {
		out.Candidates = append(out.Candidates, &v1.RuleCandidate{
			RuleId: c.RuleID, Code: Code(c.Code), Won: c.Won, SignalIndex: int32(c.Signal), Matched: c.Matched, LostBecause: c.Lost,
		})
	}
	return out
}

// ClassificationBack is the core's result for one of the API, without its explanation.
func ClassificationBack(c *v1.Classification) classification.Result {
	r := classification.Result{
		Code:             CodeWord(c.GetCode()),
		Class:            ClassWord(c.GetClass()),
		Confidence:       word[classification.Confidence](c.GetConfidence(), "CONFIDENCE_"),
		Throttle:         word[classification.Throttle](c.GetThrottle(), "THROTTLE_"),
		Scope:            word[classification.Scope](c.GetScope(), "SCOPE_"),
		RuleID:           c.GetRuleId(),
		CatalogueVersion: c.GetCatalogueVersion(),
		CatalogueDigest:  c.GetCatalogueDigest(),
		ResetAt:          instantBack(c.GetResetAt()),
		HintSource:       c.GetHintSource(),
		AgentRetrying:    c.GetAgentRetrying(),
		ConflictsWith:    c.GetConflictsWith(),
		SafeExcerpt:      c.GetSafeExcerpt(),
		Provider:         c.GetProvider(),
		Model:            c.GetModel(),
		Phase:            word[evidence.Phase](c.GetPhase(), "PHASE_"),
		OccurredAt:       instantBack(c.GetOccurredAt()),
	}
	if c.GetRetryAfter() != nil {
		r.RetryAfter, r.RetryAfterSet = c.GetRetryAfter().AsDuration(), true
	}
	if c.GetAgentRetryAfter() != nil {
		r.AgentRetryAfter = c.GetAgentRetryAfter().AsDuration()
	}
	for _, h := range c.GetHintRejections() {
		r.HintRejections = append(r.HintRejections, classification.HintRejection{Text: h.GetText(), Reason: h.GetReason()})
	}
	return r
}
