// Package classification turns an evidence envelope into one stable code. It is
// pure: no clock, no I/O, no randomness, no global state; the same envelope and
// catalogue give the same result on every machine.
package classification

// Code is the stable name of a failure's cause.
type Code string

// The codes. Their meaning is part of the API; none is ever renamed.
const (
	NetworkUnavailable     Code = "network_unavailable"
	ProviderOverloaded     Code = "provider_overloaded"
	ProviderUnavailable    Code = "provider_unavailable"
	ModelCapacity          Code = "model_capacity"
	RateLimited            Code = "rate_limited"
	AgentTransportLost     Code = "agent_transport_lost"
	QuotaLimited           Code = "quota_limited"
	SubscriptionRequired   Code = "subscription_required"
	AuthRequired           Code = "auth_required"
	MissingCredentials     Code = "missing_credentials"
	ModelUnavailable       Code = "model_unavailable"
	ProviderNotConfigured  Code = "provider_not_configured"
	PermissionDeniedByUser Code = "permission_denied_by_user"
	TaskError              Code = "task_error"
	RepoError              Code = "repo_error"
	AgentRuntimeError      Code = "agent_runtime_error"
	UnknownProviderError   Code = "unknown_provider_error"
	Unclassified           Code = "unclassified"
)

// Class groups the codes by what may follow.
type Class string

// The classes.
const (
	ClassTransient    Class = "transient"
	ClassHard         Class = "hard"
	ClassNonProvider  Class = "non_provider"
	ClassUnclassified Class = "unclassified"
)

// Confidence of a classification; only High may lead to automatic work.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Throttle says how long a throttle lasts.
type Throttle string

// The throttles. Unknown is not short.
const (
	ThrottleUnknown Throttle = "unknown"
	ThrottleShort   Throttle = "short" // at most 60 s
	ThrottleLong    Throttle = "long"
)

// Scope is the resource that the failure indicts.
type Scope string

// The scopes.
const (
	ScopeProvider Scope = "provider"
	ScopeAccount  Scope = "account"
	ScopeModel    Scope = "model"
	ScopeProfile  Scope = "profile"
	ScopeRequest  Scope = "request"
)

// CodeInfo is what is fixed about a code.
type CodeInfo struct {
	Code    Code
	Class   Class
	Scope   Scope  // the usual scope; a rule may narrow it
	Meaning string // one sentence
}

// Codes lists every code in the order of the taxonomy.
func Codes() []CodeInfo { return append([]CodeInfo(nil), codes...) }

// ClassOf gives a code's class; a code nobody assigned is unclassified.
func ClassOf(c Code) Class {
	for _, info := range codes {
		if info.Code == c {
			return info.Class
		}
	}
	return ClassUnclassified
}

var codes = []CodeInfo{
	{NetworkUnavailable, ClassTransient, ScopeProvider, "DNS, connect, TLS, reset or timeout between here and the provider."},
	{ProviderOverloaded, ClassTransient, ScopeProvider, "The provider says that it is overloaded now."},
	{ProviderUnavailable, ClassTransient, ScopeProvider, "A server error, maintenance or outage on the provider's side."},
	{ModelCapacity, ClassTransient, ScopeModel, "The selected model has no capacity; others may."},
	{RateLimited, ClassTransient, ScopeAccount, "A short throttle, confirmed as such."},
	{AgentTransportLost, ClassTransient, ScopeProfile, "The connection to the agent process died on the wire."},
	{QuotaLimited, ClassHard, ScopeAccount, "A renewable plan or account allowance is used up."},
	{SubscriptionRequired, ClassHard, ScopeAccount, "The subscription is inactive or insufficient, billing failed, or paid credit is gone."},
	{AuthRequired, ClassHard, ScopeAccount, "A credential exists and is expired, revoked or refused."},
	{MissingCredentials, ClassHard, ScopeProfile, "No credential is configured."},
	{ModelUnavailable, ClassHard, ScopeModel, "The model is unknown, retired or not granted to this account."},
	{ProviderNotConfigured, ClassHard, ScopeProfile, "The provider, endpoint or region is not set up."},
	{PermissionDeniedByUser, ClassNonProvider, ScopeRequest, "A person refused a tool or cancelled."},
	{TaskError, ClassNonProvider, ScopeRequest, "The request itself: context too long, invalid content, policy refusal."},
	{RepoError, ClassNonProvider, ScopeRequest, "Git, worktree or checkout."},
	{AgentRuntimeError, ClassNonProvider, ScopeProfile, "The agent CLI crashed, is missing, was killed, or has a bad configuration."},
	{UnknownProviderError, ClassUnclassified, ScopeProvider, "Certainly the provider, cause unknown."},
	{Unclassified, ClassUnclassified, ScopeRequest, "Anything else: no rule, low confidence, conflict, stale or uncorrelated."},
}
