package rpc

import (
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func policyToDomain(p *recoursev1.PolicyChoice) work.PolicyChoice {
	return work.PolicyChoice{
		Preset:     presetTable.toDomain(p.GetPreset()),
		MaxWait:    span(p.GetMaxWait()),
		ReplaySafe: p.GetReplaySafe(),
		Consent:    consentToDomain(p.GetConsent()),
	}
}

func policyToWire(p work.PolicyChoice) *recoursev1.PolicyChoice {
	return &recoursev1.PolicyChoice{
		Preset:     presetTable.toWire(p.Preset),
		MaxWait:    duration(p.MaxWait),
		ReplaySafe: p.ReplaySafe,
		Consent:    consentToWire(p.Consent),
	}
}

func consentToDomain(c *recoursev1.Consent) recovery.Consent {
	out := recovery.Consent{
		MaxTotalWait:      span(c.GetMaxTotalWait()),
		MaxAttemptsPerDay: int(c.GetMaxAttemptsPerDay()),
		MaxCostPerRun:     c.GetMaxCostPerRunUsd(),
	}
	if w := c.GetRunWindow(); w != nil {
		out.RunWindow = recovery.RunWindow{Start: int(w.GetStartMinute()), End: int(w.GetEndMinute()), Zone: w.GetTimeZone()}
	}
	return out
}

// consentToWire leaves out what bounds nothing.
func consentToWire(c recovery.Consent) *recoursev1.Consent {
	if c == (recovery.Consent{}) {
		return nil
	}
	out := &recoursev1.Consent{
		MaxTotalWait:      duration(c.MaxTotalWait),
		MaxAttemptsPerDay: count(c.MaxAttemptsPerDay),
		MaxCostPerRunUsd:  c.MaxCostPerRun,
	}
	if w := c.RunWindow; w.Set() {
		out.RunWindow = &recoursev1.RunWindow{StartMinute: count(w.Start), EndMinute: count(w.End), TimeZone: w.Zone}
	}
	return out
}

// classesToDomain reads a candidate's own policies, as a new version of nobody's preset.
func classesToDomain(p *recoursev1.ClassPolicies) recovery.ClassPolicies {
	return recovery.ClassPolicies{
		Version:      1,
		Transient:    classToDomain(p.GetTransient()),
		Hard:         classToDomain(p.GetHard()),
		MaxTotalWait: span(p.GetMaxTotalWait()),
	}
}

func classToDomain(p *recoursev1.ClassPolicy) recovery.ClassPolicy {
	return recovery.ClassPolicy{
		WaitForReset: recovery.WaitPolicy{Enabled: p.GetWaitForReset().GetEnabled(), MaxWait: span(p.GetWaitForReset().GetMaxWait())},
		Retry: recovery.RetryPolicy{
			Enabled:         p.GetRetry().GetEnabled(),
			MaxRetries:      int(p.GetRetry().GetMaxRetries()),
			InitialInterval: span(p.GetRetry().GetInitialInterval()),
		},
		OnExhausted: exhaustedTable.toDomain(p.GetOnExhausted()),
	}
}
