package rpc

import (
	"maps"
	"slices"

	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

var profileKindTable = pairs(map[profile.Kind]recoursev1.ProfileKind{
	profile.KindConcrete: recoursev1.ProfileKind_PROFILE_KIND_CONCRETE,
	profile.KindDynamic:  recoursev1.ProfileKind_PROFILE_KIND_DYNAMIC,
}, nil)

var directoryTable = pairs(map[profile.DirectoryRule]recoursev1.WorkingDirectoryRule{
	profile.DirectoryCaller: recoursev1.WorkingDirectoryRule_WORKING_DIRECTORY_RULE_CALLER,
	profile.DirectoryBelow:  recoursev1.WorkingDirectoryRule_WORKING_DIRECTORY_RULE_BELOW_CALLER,
	profile.DirectoryFixed:  recoursev1.WorkingDirectoryRule_WORKING_DIRECTORY_RULE_FIXED,
}, nil)

var candidatePresetTable = pairs(map[string]recoursev1.CandidatePreset{
	recovery.PresetUnattended: recoursev1.CandidatePreset_CANDIDATE_PRESET_UNATTENDED_DEFAULT,
	recovery.PresetPatient:    recoursev1.CandidatePreset_CANDIDATE_PRESET_PATIENT,
	recovery.PresetStrict:     recoursev1.CandidatePreset_CANDIDATE_PRESET_STRICT,
	recovery.PresetImmediate:  recoursev1.CandidatePreset_CANDIDATE_PRESET_IMMEDIATE,
}, nil)

// fullProfileToDomain leaves out what is only in answers.
func fullProfileToDomain(workspaceID string, p *recoursev1.Profile) profile.Profile {
	out := profile.Profile{WorkspaceID: workspaceID, ID: p.GetProfileId(), DisplayName: p.GetDisplayName(), Labels: maps.Clone(p.GetLabels())}
	if c := p.GetConcrete(); c != nil {
		out.Concrete = concreteToDomain(c)
	}
	if d := p.GetDynamic(); d != nil {
		out.Dynamic = dynamicToDomain(d)
	}
	return out
}

func fullProfileToWire(p profile.Profile) *recoursev1.Profile {
	out := &recoursev1.Profile{
		ProfileId: p.ID, DisplayName: utf8(p.DisplayName), Kind: profileKindTable.toWire(p.Kind()), Labels: p.Labels,
		Version: p.Version, Etag: p.ETag(), CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
	switch {
	case p.Concrete != nil:
		out.Spec = &recoursev1.Profile_Concrete{Concrete: concreteToWire(*p.Concrete)}
	case p.Dynamic != nil:
		out.Spec = &recoursev1.Profile_Dynamic{Dynamic: dynamicToWire(*p.Dynamic)}
	}
	return out
}

func concreteToDomain(c *recoursev1.ConcreteProfile) *profile.Concrete {
	return &profile.Concrete{
		AgentKind:   c.GetAgentKind(),
		Command:     profile.Command{Program: c.GetCommand().GetProgram(), Arguments: slices.Clone(c.GetCommand().GetArguments())},
		Directory:   profile.Directory{Rule: directoryTable.toDomain(c.GetWorkingDirectory().GetRule()), Path: c.GetWorkingDirectory().GetPath()},
		Environment: maps.Clone(c.GetEnvironment()),
		Provider:    c.GetProvider(),
		Model:       c.GetModel(),
		Credential: profile.Credential{
			Provider: c.GetCredential().GetProvider(), AuthKind: c.GetCredential().GetAuthKind(), Locator: c.GetCredential().GetLocator(),
			HostScope: c.GetCredential().GetHostScope(), AccountLabel: c.GetCredential().GetAccountLabel(),
		},
		Resume:     slices.Clone(c.GetResumeArguments()),
		ReplaySafe: c.GetReplaySafe(),
	}
}

func concreteToWire(c profile.Concrete) *recoursev1.ConcreteProfile {
	return &recoursev1.ConcreteProfile{
		AgentKind:        c.AgentKind,
		Command:          &recoursev1.Command{Program: c.Command.Program, Arguments: c.Command.Arguments},
		WorkingDirectory: &recoursev1.WorkingDirectory{Rule: directoryTable.toWire(c.Directory.Rule), Path: c.Directory.Path},
		Environment:      c.Environment,
		Provider:         c.Provider,
		Model:            c.Model,
		Credential:       credentialToWire(c.Credential),
		ResumeArguments:  c.Resume,
		ReplaySafe:       c.ReplaySafe,
	}
}

// credentialToWire leaves out an unknown one.
func credentialToWire(c profile.Credential) *recoursev1.CredentialBinding {
	if c == (profile.Credential{}) {
		return nil
	}
	out := &recoursev1.CredentialBinding{Provider: c.Provider, AuthKind: c.AuthKind, Locator: c.Locator}
	switch {
	case c.HostScope != "":
		out.Account = &recoursev1.CredentialBinding_HostScope{HostScope: c.HostScope}
	case c.AccountLabel != "":
		out.Account = &recoursev1.CredentialBinding_AccountLabel{AccountLabel: c.AccountLabel}
	}
	return out
}

func dynamicToDomain(d *recoursev1.DynamicProfile) *profile.Dynamic {
	out := &profile.Dynamic{Consent: consentToDomain(d.GetConsent())}
	if legacy := d.GetLegacyActions(); legacy != nil {
		out.Legacy = &profile.LegacyActions{ByClass: maps.Clone(legacy.GetByClass()), ByCode: maps.Clone(legacy.GetByCode())}
	}
	for _, c := range d.GetCandidates() {
		candidate := profile.Candidate{ProfileID: c.GetProfileId()}
		if own := c.GetPolicies(); own != nil {
			candidate.Policies = classesToDomain(own)
		}
		if preset := c.GetPreset(); preset != 0 {
			candidate.Policies = recovery.ClassPolicies{Name: candidatePresetTable.toDomain(preset)}
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out
}

func dynamicToWire(d profile.Dynamic) *recoursev1.DynamicProfile {
	out := &recoursev1.DynamicProfile{Consent: consentToWire(d.Consent)}
	for _, c := range d.Candidates {
		candidate := &recoursev1.Candidate{ProfileId: c.ProfileID, PolicyVersion: count(c.Policies.Version)}
		if preset := candidatePresetTable.toWire(c.Policies.Name); preset != 0 {
			candidate.Policy = &recoursev1.Candidate_Preset{Preset: preset}
		} else {
			candidate.Policy = &recoursev1.Candidate_Policies{Policies: classesToWire(c.Policies)}
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out
}

func classesToWire(p recovery.ClassPolicies) *recoursev1.ClassPolicies {
	return &recoursev1.ClassPolicies{Transient: classToWire(p.Transient), Hard: classToWire(p.Hard), MaxTotalWait: duration(p.MaxTotalWait)}
}

// classToWire leaves out a step that was never set up.
func classToWire(p recovery.ClassPolicy) *recoursev1.ClassPolicy {
	out := &recoursev1.ClassPolicy{OnExhausted: exhaustedTable.toWire(p.OnExhausted)}
	if p.WaitForReset != (recovery.WaitPolicy{}) {
		out.WaitForReset = &recoursev1.WaitPolicy{Enabled: p.WaitForReset.Enabled, MaxWait: duration(p.WaitForReset.MaxWait)}
	}
	if p.Retry != (recovery.RetryPolicy{}) {
		out.Retry = &recoursev1.RetryPolicy{
			Enabled: p.Retry.Enabled, MaxRetries: count(p.Retry.MaxRetries), InitialInterval: duration(p.Retry.InitialInterval),
		}
	}
	return out
}
