package routing

import (
	"strings"

	"github.com/recourse-dev/recourse/core/classification"
)

// Candidate is one concrete profile of a dynamic one, as far as routing looks
// at it.
type Candidate struct {
	ProfileID string
	Provider  string // "" is unknown
	Account   string // a Fingerprint, "" is unknown
	Model     string // "" is unknown
}

// Key names one resource within a workspace. The zero value names none.
type Key struct {
	Scope     classification.Scope // provider, account, model or profile
	Provider  string
	Account   string // of account and model
	Model     string // of model
	ProfileID string // of profile
}

// KeyAt is the candidate's resource of a scope. What is not known well enough
// to be shared is the profile's own. Other scopes, and a candidate without an
// id, have no resource.
func (c Candidate) KeyAt(scope classification.Scope) Key {
	switch {
	case rank(scope) == 0 || c.ProfileID == "":
		return Key{}
	case scope == classification.ScopeProvider && c.Provider != "":
		return Key{Scope: scope, Provider: c.Provider}
	case scope == classification.ScopeAccount && c.Provider != "" && c.Account != "":
		return Key{Scope: scope, Provider: c.Provider, Account: c.Account}
	case scope == classification.ScopeModel && c.Provider != "" && c.Account != "" && c.Model != "":
		return Key{Scope: scope, Provider: c.Provider, Account: c.Account, Model: c.Model}
	}
	return Key{Scope: classification.ScopeProfile, ProfileID: c.ProfileID}
}

// Keys are all resources that could hold the candidate, the widest first.
func (c Candidate) Keys() []Key {
	keys := make([]Key, 0, len(scopes))
	for _, scope := range scopes {
		// An unknown part falls back to the profile, which comes last and once.
		if k := c.KeyAt(scope); k.Scope == scope {
			keys = append(keys, k)
		}
	}
	return keys
}

// scopes are those that a circuit can have, the widest first.
var scopes = []classification.Scope{
	classification.ScopeProvider, classification.ScopeAccount, classification.ScopeModel, classification.ScopeProfile,
}

// rank is the place of a scope among those of circuits, from 1; 0 is none.
func rank(scope classification.Scope) int {
	for i, s := range scopes {
		if s == scope {
			return i + 1
		}
	}
	return 0
}

// String is the stable form of a key, fit for a primary key: its parts with
// "/" between them, as "account/anthropic/9f86d0…". Parts are escaped, so that
// two keys never share a form. That of no resource is "".
func (k Key) String() string {
	if k == (Key{}) {
		return ""
	}
	parts := []string{escape(string(k.Scope))}
	switch k.Scope {
	case classification.ScopeProvider:
		parts = append(parts, escape(k.Provider))
	case classification.ScopeAccount:
		parts = append(parts, escape(k.Provider), escape(k.Account))
	case classification.ScopeModel:
		parts = append(parts, escape(k.Provider), escape(k.Account), escape(k.Model))
	default:
		parts = append(parts, escape(k.ProfileID))
	}
	return strings.Join(parts, "/")
}

// ParseKey reads what String wrote; ok is false for anything else.
func ParseKey(text string) (k Key, ok bool) {
	parts := strings.Split(text, "/")
	for i, p := range parts {
		if parts[i], ok = unescape(p); !ok || parts[i] == "" {
			return Key{}, false
		}
	}
	k.Scope = classification.Scope(parts[0])
	switch {
	case k.Scope == classification.ScopeProvider && len(parts) == 2:
		k.Provider = parts[1]
	case k.Scope == classification.ScopeAccount && len(parts) == 3:
		k.Provider, k.Account = parts[1], parts[2]
	case k.Scope == classification.ScopeModel && len(parts) == 4:
		k.Provider, k.Account, k.Model = parts[1], parts[2], parts[3]
	case k.Scope == classification.ScopeProfile && len(parts) == 2:
		k.ProfileID = parts[1]
	default:
		return Key{}, false
	}
	// One form only: what could be written otherwise is not a key.
	return k, k.String() == text
}

const hexDigits = "0123456789ABCDEF"

// escape leaves printable ASCII but for "/" and "%", so that a form can stand
// in any log, URL and column.
func escape(part string) string {
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if c := part[i]; c <= ' ' || c >= 0x7f || c == '/' || c == '%' {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
			continue
		}
		b.WriteByte(part[i])
	}
	return b.String()
}

func unescape(part string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] != '%' {
			b.WriteByte(part[i])
			continue
		}
		if i+2 >= len(part) {
			return "", false
		}
		high, low := strings.IndexByte(hexDigits, part[i+1]), strings.IndexByte(hexDigits, part[i+2])
		if high < 0 || low < 0 {
			return "", false
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), true
}
