package rpc

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/service/classification"
)

// SimulatePolicy implements RecoveryService.
func (h Recovery) SimulatePolicy(ctx context.Context, req *recoursev1.SimulatePolicyRequest) (*recoursev1.SimulatePolicyResponse, error) {
	simulated, err := h.Service.SimulatePolicy(ctx, simulationToDomain(req))
	if err != nil {
		return nil, err
	}
	return simulationToWire(simulated), nil
}

func simulationToDomain(req *recoursev1.SimulatePolicyRequest) work.SimulatePolicy {
	in := work.SimulatePolicy{
		WorkspaceID:    req.GetWorkspaceId(),
		DecidedAfter:   instant(req.GetDecidedAfter()),
		DecidedBefore:  instant(req.GetDecidedBefore()),
		Code:           string(codeTable.toDomain(req.GetCode())),
		MaxAttempts:    int(req.GetMaxAttempts()),
		CandidatesLeft: int(req.GetCandidatesLeft()),
	}
	if preset := req.GetPreset(); preset != nil {
		choice := policyToDomain(preset)
		in.Choice = &choice
	}
	if classes := req.GetClasses(); classes != nil {
		policies := classesToDomain(classes)
		in.Classes = &policies
	}
	for _, c := range req.GetCases() {
		envelope, _ := classification.Interpret(envelopeToDomain(req.GetWorkspaceId(), c))
		in.Cases = append(in.Cases, envelope)
	}
	return in
}

func simulationToWire(s work.Simulated) *recoursev1.SimulatePolicyResponse {
	totals := s.Totals()
	out := &recoursev1.SimulatePolicyResponse{
		Totals: &recoursev1.SimulationTotals{
			Failures: count(totals.Failures), Waited: count(totals.Waited), Retried: count(totals.Retried), Switched: count(totals.Switched),
			Parked: count(totals.Parked), Stopped: count(totals.Stopped), Changed: count(totals.Changed),
		},
		More: s.More,
	}
	for _, d := range s.Decisions {
		out.Decisions = append(out.Decisions, &recoursev1.SimulatedDecision{
			RunId: d.RunID, Classification: classificationToWire(&d.Classification),
			Decided: decisionToWire(d.Decided), Simulated: decisionToWire(&d.Simulated),
		})
	}
	return out
}
