package rpc

import (
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/classification"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func classificationToWire(r *classification.Result) *recoursev1.Classification {
	if r == nil {
		return nil
	}
	out := &recoursev1.Classification{
		Code:             codeTable.toWire(r.Code),
		Class:            classTable.toWire(r.Class),
		Confidence:       confidenceTable.toWire(r.Confidence),
		Throttle:         throttleTable.toWire(r.Throttle),
		Scope:            scopeTable.toWire(r.Scope),
		RuleId:           r.RuleID,
		CatalogueVersion: r.CatalogueVersion,
		CatalogueDigest:  r.CatalogueDigest,
		ResetAt:          timestamp(r.ResetAt),
		HintSource:       utf8(r.HintSource),
		AgentRetrying:    r.AgentRetrying,
		AgentRetryAfter:  duration(r.AgentRetryAfter),
		ConflictsWith:    r.ConflictsWith,
		SafeExcerpt:      utf8(r.SafeExcerpt),
		Provider:         utf8(r.Provider),
		Model:            utf8(r.Model),
		Phase:            phaseTable.toWire(r.Phase),
		OccurredAt:       timestamp(r.OccurredAt),
		Explanation:      explanationToWire(r.Explain),
	}
	if r.RetryAfterSet {
		out.RetryAfter = durationpb.New(r.RetryAfter)
	}
	for _, rejection := range r.HintRejections {
		out.HintRejections = append(out.HintRejections, &recoursev1.HintRejection{Text: utf8(rejection.Text), Reason: rejection.Reason})
	}
	return out
}

func classificationToDomain(c *recoursev1.Classification) *classification.Result {
	if c == nil {
		return nil
	}
	return &classification.Result{
		Code:             codeTable.toDomain(c.GetCode()),
		Class:            classTable.toDomain(c.GetClass()),
		Confidence:       confidenceTable.toDomain(c.GetConfidence()),
		Throttle:         throttleTable.toDomain(c.GetThrottle()),
		Scope:            scopeTable.toDomain(c.GetScope()),
		RuleID:           c.GetRuleId(),
		CatalogueVersion: c.GetCatalogueVersion(),
		CatalogueDigest:  c.GetCatalogueDigest(),
		RetryAfter:       span(c.GetRetryAfter()),
		RetryAfterSet:    c.GetRetryAfter() != nil,
		ResetAt:          instant(c.GetResetAt()),
		HintSource:       c.GetHintSource(),
		AgentRetrying:    c.GetAgentRetrying(),
		AgentRetryAfter:  span(c.GetAgentRetryAfter()),
		ConflictsWith:    c.GetConflictsWith(),
		SafeExcerpt:      c.GetSafeExcerpt(),
		Provider:         c.GetProvider(),
		Model:            c.GetModel(),
		Phase:            phaseTable.toDomain(c.GetPhase()),
		OccurredAt:       instant(c.GetOccurredAt()),
	}
}

func explanationToWire(e *classification.Explanation) *recoursev1.Explanation {
	if e == nil {
		return nil
	}
	out := &recoursev1.Explanation{Signals: signalsToWire(e.Signals)}
	for _, c := range e.Candidates {
		out.Candidates = append(out.Candidates, &recoursev1.RuleCandidate{
			RuleId: c.RuleID, Code: codeTable.toWire(c.Code), Won: c.Won,
			SignalIndex: count(c.Signal), Matched: utf8(c.Matched), LostBecause: c.Lost,
		})
	}
	return out
}
