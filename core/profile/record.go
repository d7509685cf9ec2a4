// Package profile holds how agents are run: concrete profiles, which describe
// one agent under one provider, model, command and credential, and dynamic ones,
// which order concrete profiles and say per class what follows their failures.
// It is pure: what it refuses it names by the path of the field in the profile.
package profile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// Kind is what a profile is. It keeps it for good, because others may refer to it.
type Kind string

// The kinds.
const (
	KindConcrete Kind = "concrete"
	KindDynamic  Kind = "dynamic"
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{KindConcrete, KindDynamic} }

// Profile is how to run an agent. One of Concrete and Dynamic is set. The JSON
// form is what storage keeps and snapshots hold.
type Profile struct {
	WorkspaceID string            `json:"workspace_id"`
	ID          string            `json:"profile_id"` // chosen by whoever creates it
	DisplayName string            `json:"display_name"`
	Labels      map[string]string `json:"labels,omitempty"`
	Concrete    *Concrete         `json:"concrete,omitempty"`
	Dynamic     *Dynamic          `json:"dynamic,omitempty"`
	Version     int64             `json:"version"`             // from 1, rises with each change
	CreatedAt   time.Time         `json:"created_at,omitzero"` // UTC; zero of what is not stored
	UpdatedAt   time.Time         `json:"updated_at,omitzero"`
}

// Concrete is one agent under one provider, model, command and credential. It
// holds no credential and no value of an environment.
type Concrete struct {
	AgentKind   string            `json:"agent_kind"`
	Command     Command           `json:"command"`
	Directory   Directory         `json:"working_directory"`
	Environment map[string]string `json:"environment,omitempty"` // name → reference that the host resolves
	Provider    string            `json:"provider"`              // "" is unknown
	Model       string            `json:"model"`                 // "" is the agent's own choice
	Credential  Credential        `json:"credential,omitzero"`   // the zero value is unknown
	// Resume are the arguments that go on in the agent's own session, after the
	// program; none is not resumable.
	Resume     []string `json:"resume_arguments,omitempty"`
	ReplaySafe bool     `json:"replay_safe"` // a person's word that running it twice does no harm
}

// Command is started without a shell.
type Command struct {
	Program   string   `json:"program"`
	Arguments []string `json:"arguments,omitempty"` // PromptPlaceholder may stand in one
}

// The placeholders. Each stands at most once, anywhere in an argument.
const (
	PromptPlaceholder  = "{prompt}"     // of a command, and of resume arguments
	SessionPlaceholder = "{session_id}" // of resume arguments
)

// Directory says in which folder an agent is started.
type Directory struct {
	Rule DirectoryRule `json:"rule"`           // "" is the caller's
	Path string        `json:"path,omitempty"` // of the rules that have one
}

// DirectoryRule says how the folder of an agent is found.
type DirectoryRule string

// The rules.
const (
	DirectoryCaller DirectoryRule = "caller"       // where the prompt comes from, or the worker's own
	DirectoryBelow  DirectoryRule = "below_caller" // Path below that
	DirectoryFixed  DirectoryRule = "fixed"        // Path, wherever the prompt comes from
)

// DirectoryRules lists every rule.
func DirectoryRules() []DirectoryRule {
	return []DirectoryRule{DirectoryCaller, DirectoryBelow, DirectoryFixed}
}

// Credential describes which credential is used and where the host finds it,
// never the credential.
type Credential struct {
	Provider     string `json:"provider,omitempty"`
	AuthKind     string `json:"auth_kind,omitempty"`
	Locator      string `json:"locator,omitempty"`
	HostScope    string `json:"host_scope,omitempty"`
	AccountLabel string `json:"account_label,omitempty"`
}

// Binding is the descriptor that accounts are told apart by.
func (c Credential) Binding() routing.Binding {
	return routing.Binding{Provider: c.Provider, AuthKind: c.AuthKind, Locator: c.Locator, HostScope: c.HostScope, AccountLabel: c.AccountLabel}
}

// Dynamic orders concrete profiles.
type Dynamic struct {
	Candidates []Candidate      `json:"candidates,omitempty"` // from the first choice on
	Consent    recovery.Consent `json:"consent,omitzero"`
	// Legacy is an older form of the policies, on its way in only.
	Legacy *LegacyActions `json:"-"`
}

// Candidate is one concrete profile with its policies.
type Candidate struct {
	ProfileID string `json:"profile_id"`
	// Policies carry the preset's name if they are one. Their version is that of
	// the profile in which they were written. On the way in they may be a name
	// alone, or nothing at all.
	Policies recovery.ClassPolicies `json:"policies"`
}

// Kind is what the profile is; "" if nothing is set.
func (p Profile) Kind() Kind {
	switch {
	case p.Concrete != nil:
		return KindConcrete
	case p.Dynamic != nil:
		return KindDynamic
	}
	return ""
}

// ETag names this version of this profile: one that is deleted and made again
// does not have it. It is "" of what is not stored.
func (p Profile) ETag() string {
	if p.CreatedAt.IsZero() {
		return ""
	}
	const length = 12
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d", p.WorkspaceID, p.ID, p.CreatedAt.UnixMicro(), p.Version))
	return hex.EncodeToString(sum[:length])
}

// CandidateIDs are the profiles that this one refers to, in its order.
func (p Profile) CandidateIDs() []string {
	if p.Dynamic == nil {
		return nil
	}
	ids := make([]string, len(p.Dynamic.Candidates))
	for i, c := range p.Dynamic.Candidates {
		ids[i] = c.ProfileID
	}
	return ids
}
