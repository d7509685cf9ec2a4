package routing

import "github.com/recourse-dev/recourse/core/classification"

// Opens says when a code opens the circuit of the resource that it indicts.
type Opens string

// The values of Opens.
const (
	OpensNever       Opens = "never"                // the code indicts nothing that is shared
	OpensExhausted   Opens = "when_exhausted"       // when the short phase has not helped
	OpensUnlessShort Opens = "at_once_unless_short" // a short throttle has a short phase, a long one has none
	OpensAtOnce      Opens = "at_once"              // no short phase
)

// Resource is one line of the resource table.
type Resource struct {
	Code  classification.Code
	Opens Opens
	// Scope is what the code indicts; "" where it never opens anything.
	Scope classification.Scope
	// Person says that no time heals it: the circuit has no deadline.
	Person bool
}

// ResourceTable lists which resource each code indicts, in the order of the codes.
func ResourceTable() []Resource {
	rows := make([]Resource, 0, len(resourceTable))
	for _, info := range classification.Codes() {
		if row, ok := resourceTable[info.Code]; ok {
			row.Code = info.Code
			rows = append(rows, row)
		}
	}
	return rows
}

// resourceOf gives the row of a code; a code without one opens nothing.
func resourceOf(code classification.Code) Resource {
	if row, ok := resourceTable[code]; ok {
		row.Code = code
		return row
	}
	return Resource{Code: code, Opens: OpensNever}
}

var resourceTable = map[classification.Code]Resource{
	classification.NetworkUnavailable:     {Opens: OpensExhausted, Scope: classification.ScopeProvider},
	classification.ProviderOverloaded:     {Opens: OpensExhausted, Scope: classification.ScopeProvider},
	classification.ProviderUnavailable:    {Opens: OpensExhausted, Scope: classification.ScopeProvider},
	classification.ModelCapacity:          {Opens: OpensExhausted, Scope: classification.ScopeModel},
	classification.RateLimited:            {Opens: OpensUnlessShort, Scope: classification.ScopeAccount},
	classification.AgentTransportLost:     {Opens: OpensNever},
	classification.QuotaLimited:           {Opens: OpensAtOnce, Scope: classification.ScopeAccount},
	classification.SubscriptionRequired:   {Opens: OpensAtOnce, Scope: classification.ScopeAccount, Person: true},
	classification.AuthRequired:           {Opens: OpensAtOnce, Scope: classification.ScopeAccount, Person: true},
	classification.MissingCredentials:     {Opens: OpensAtOnce, Scope: classification.ScopeProfile, Person: true},
	classification.ModelUnavailable:       {Opens: OpensAtOnce, Scope: classification.ScopeModel, Person: true},
	classification.ProviderNotConfigured:  {Opens: OpensAtOnce, Scope: classification.ScopeProfile, Person: true},
	classification.PermissionDeniedByUser: {Opens: OpensNever},
	classification.TaskError:              {Opens: OpensNever},
	classification.RepoError:              {Opens: OpensNever},
	classification.AgentRuntimeError:      {Opens: OpensNever},
	classification.UnknownProviderError:   {Opens: OpensNever},
	classification.Unclassified:           {Opens: OpensNever},
}

// keyOf is the resource of the candidate that a result indicts, whenever its
// circuit may open. A rule may narrow the scope of its code, never widen it.
func keyOf(c Candidate, r classification.Result) (Key, bool) {
	row := resourceOf(r.Code)
	if row.Opens == OpensNever {
		return Key{}, false
	}
	scope := row.Scope
	if rank(r.Scope) > rank(scope) {
		scope = r.Scope
	}
	k := c.KeyAt(scope)
	return k, k != Key{}
}
