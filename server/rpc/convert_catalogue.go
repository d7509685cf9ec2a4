package rpc

import (
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/service/classification"
)

func codeInfoToWire(info classification.CodeInfo) *recoursev1.CodeDescription {
	return &recoursev1.CodeDescription{
		Code:              codeTable.toWire(info.Code),
		Class:             classTable.toWire(info.Class),
		Meaning:           info.Meaning,
		InteractiveAction: actionTable.toWire(info.Interactive),
		PatientAction:     actionTable.toWire(info.Patient),
		Remedy:            remedyTable.toWire(info.Remedy),
	}
}

func ruleToWire(rule classification.Rule) *recoursev1.Rule {
	return &recoursev1.Rule{
		RuleId:      rule.ID,
		Code:        codeTable.toWire(rule.Code),
		Confidence:  confidenceTable.toWire(rule.Confidence),
		Scope:       scopeTable.toWire(rule.Scope),
		Dialect:     rule.Dialect,
		Priority:    count(rule.Priority),
		Description: utf8(rule.About),
		Provenance:  utf8(rule.Provenance),
	}
}
