package rpc

import (
	"context"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/service/classification"
)

// Classification serves recourse.v1.ClassificationService.
type Classification struct {
	Service *classification.Service
}

var _ recoursev1connect.ClassificationServiceHandler = Classification{}

// ClassifyFailure implements ClassificationService.
func (h Classification) ClassifyFailure(_ context.Context, req *recoursev1.ClassifyFailureRequest) (*recoursev1.ClassifyFailureResponse, error) {
	result := h.classify(req.GetWorkspaceId(), req.GetEnvelope(), req.GetExplain())
	return &recoursev1.ClassifyFailureResponse{Classification: result}, nil
}

// BatchClassifyFailures implements ClassificationService.
func (h Classification) BatchClassifyFailures(ctx context.Context, req *recoursev1.BatchClassifyFailuresRequest) (*recoursev1.BatchClassifyFailuresResponse, error) {
	out := &recoursev1.BatchClassifyFailuresResponse{}
	for _, envelope := range req.GetEnvelopes() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Classifications = append(out.Classifications, h.classify(req.GetWorkspaceId(), envelope, false))
	}
	return out, nil
}

func (h Classification) classify(workspaceID string, e *recoursev1.EvidenceEnvelope, explain bool) *recoursev1.Classification {
	envelope, _ := classification.Interpret(envelopeToDomain(workspaceID, e))
	result := h.Service.Classify(envelope, explain)
	return classificationToWire(&result)
}

// ListCodes implements ClassificationService.
func (h Classification) ListCodes(context.Context, *recoursev1.ListCodesRequest) (*recoursev1.ListCodesResponse, error) {
	out := &recoursev1.ListCodesResponse{}
	for _, info := range classification.Codes() {
		out.Codes = append(out.Codes, codeInfoToWire(info))
	}
	return out, nil
}

// ListRules implements ClassificationService.
func (h Classification) ListRules(_ context.Context, req *recoursev1.ListRulesRequest) (*recoursev1.ListRulesResponse, error) {
	rules, next, err := h.Service.Rules(classification.RuleQuery{
		PageSize: int(req.GetPageSize()), PageToken: req.GetPageToken(),
		Code: codeTable.toDomain(req.GetCode()), Dialect: req.GetDialect(),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListRulesResponse{NextPageToken: next}
	for _, rule := range rules {
		out.Rules = append(out.Rules, ruleToWire(rule))
	}
	return out, nil
}

// GetRule implements ClassificationService.
func (h Classification) GetRule(_ context.Context, req *recoursev1.GetRuleRequest) (*recoursev1.GetRuleResponse, error) {
	rule, err := h.Service.Rule(req.GetRuleId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetRuleResponse{Rule: ruleToWire(rule)}, nil
}

// GetCatalogue implements ClassificationService.
func (h Classification) GetCatalogue(context.Context, *recoursev1.GetCatalogueRequest) (*recoursev1.GetCatalogueResponse, error) {
	version, digest := h.Service.Version()
	return &recoursev1.GetCatalogueResponse{Version: version, Digest: digest, RuleCount: count(h.Service.RuleCount())}, nil
}
