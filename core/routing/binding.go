package routing

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
)

// Binding describes which credential a profile uses and where it is found,
// never the credential. The zero value is unknown.
type Binding struct {
	Provider string // as "anthropic"
	AuthKind string // as "api_key", "oauth", "subscription"
	Locator  string // where the host finds it, as "env:ANTHROPIC_API_KEY" or "~/.claude"
	// HostScope is the host that the locator is meant on; AccountLabel is a
	// person's statement that it is one account on all hosts. One of them is set.
	HostScope    string
	AccountLabel string
}

// The bounds of a binding, in bytes.
const (
	maxBindingName = 64 // provider and auth kind
	maxBindingText = 256
)

// bindingFields are a binding's fields in their canonical order.
func (b Binding) fields() []bindingField {
	return []bindingField{
		{"provider", b.Provider, true},
		{"auth_kind", b.AuthKind, true},
		{"locator", b.Locator, false},
		{"host_scope", b.HostScope, false},
		{"account_label", b.AccountLabel, false},
	}
}

type bindingField struct {
	path, value string
	name        bool // a lower-case name rather than text
}

// Validate checks a binding that a person wrote. The error is a *fault.Error
// of kind InvalidArgument that names the field and never quotes its value.
func (b Binding) Validate() error {
	for _, f := range b.fields() {
		if err := f.validate(); err != nil {
			return err
		}
	}
	switch {
	case b == Binding{}:
		return nil
	case b.Provider == "":
		return fault.Invalid("provider", "must be set")
	case b.AuthKind == "":
		return fault.Invalid("auth_kind", "must be set")
	case b.Locator == "":
		return fault.Invalid("locator", "must be set")
	case b.HostScope == "" && b.AccountLabel == "":
		return fault.Invalid("host_scope", "must be set, unless account_label is")
	case b.HostScope != "" && b.AccountLabel != "":
		return fault.Invalid("account_label", "must not be set together with host_scope")
	}
	return nil
}

func (f bindingField) validate() error {
	switch {
	case f.name && (len(f.value) > maxBindingName || strings.Trim(f.value, nameBytes) != ""):
		return fault.Invalid(f.path, "must be at most %d lower-case letters, digits and . _ -", maxBindingName)
	case len(f.value) > maxBindingText:
		return fault.Invalid(f.path, "must have at most %d bytes", maxBindingText)
	case !utf8.ValidString(f.value) || evidence.Normalise(f.value) != f.value || strings.ContainsAny(f.value, "\n\t"):
		return fault.Invalid(f.path, "must be one line of printable text")
	case looksSecret(f.value):
		return fault.Invalid(f.path, "looks like a secret or personal data; name where it is kept instead")
	}
	return nil
}

const nameBytes = "abcdefghijklmnopqrstuvwxyz0123456789._-"

// leastSecretWord is the length from which a word is also looked at as if it
// were the value of a key: no shorter credential is in use.
const leastSecretWord = 20

// looksSecret asks the redaction, for the whole value and for each long word of it.
func looksSecret(value string) bool {
	if evidence.Redact(value) != value {
		return true
	}
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" /:=@,;\\", r) }) {
		if keyed := "api_key: " + word; len(word) >= leastSecretWord && evidence.Redact(keyed) != keyed {
			return true
		}
	}
	return false
}

// Known says that the binding tells one account from another.
func (b Binding) Known() bool { return b != Binding{} && b.Validate() == nil }

// canonicalVersion separates the canonical bytes from any other use of the key.
const canonicalVersion = "recourse/binding/1"

// Canonical gives the bytes of a binding: every field with its length before
// it, so that no two different bindings have the same bytes.
func (b Binding) Canonical() []byte {
	out := appendField(nil, canonicalVersion)
	for _, f := range b.fields() {
		out = appendField(out, f.value)
	}
	return out
}

func appendField(out []byte, value string) []byte {
	out = binary.BigEndian.AppendUint64(out, uint64(len(value)))
	return append(out, value...)
}
