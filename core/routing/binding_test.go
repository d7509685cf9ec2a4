package routing_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/routing"
)

var installation = []byte("installation key of the test")

func bound() routing.Binding {
	return routing.Binding{Provider: "anthropic", AuthKind: "subscription", Locator: "~/.claude/.credentials.json", HostScope: "host-17"}
}

func with(change func(*routing.Binding)) routing.Binding {
	b := bound()
	change(&b)
	return b
}

func TestABindingNamesTheFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	random := "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"
	for name, c := range map[string]struct {
		binding routing.Binding
		field   string
	}{
		"upper case":       {with(func(b *routing.Binding) { b.Provider = "Anthropic" }), "provider"},
		"no provider":      {with(func(b *routing.Binding) { b.Provider = "" }), "provider"},
		"long provider":    {with(func(b *routing.Binding) { b.Provider = strings.Repeat("a", 65) }), "provider"},
		"no auth kind":     {with(func(b *routing.Binding) { b.AuthKind = "" }), "auth_kind"},
		"spaces":           {with(func(b *routing.Binding) { b.AuthKind = "api key" }), "auth_kind"},
		"no locator":       {with(func(b *routing.Binding) { b.Locator = "" }), "locator"},
		"long locator":     {with(func(b *routing.Binding) { b.Locator = strings.Repeat("a ", 129) }), "locator"},
		"two lines":        {with(func(b *routing.Binding) { b.Locator = "a\nb" }), "locator"},
		"control":          {with(func(b *routing.Binding) { b.Locator = "a\x1b[1mb" }), "locator"},
		"not UTF-8":        {with(func(b *routing.Binding) { b.Locator = "a\xff" }), "locator"},
		"a key":            {with(func(b *routing.Binding) { b.Locator = "sk-" + "ant-api03-" + random + random }), "locator"},
		"a key in a query": {with(func(b *routing.Binding) { b.Locator = "https://host/?api_key=" + random }), "locator"},
		"a login":          {with(func(b *routing.Binding) { b.Locator = "https://bob:" + "hunter2@host/" }), "locator"},
		"a bare secret":    {with(func(b *routing.Binding) { b.Locator = random }), "locator"},
		"a hex secret":     {with(func(b *routing.Binding) { b.Locator = "env:" + strings.Repeat("9f86d081", 4) }), "locator"},
		"a jwt": {with(func(b *routing.Binding) {
			b.HostScope = "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + random
		}), "host_scope"},
		"no host":  {with(func(b *routing.Binding) { b.HostScope = "" }), "host_scope"},
		"both":     {with(func(b *routing.Binding) { b.AccountLabel = "team" }), "account_label"},
		"an email": {with(func(b *routing.Binding) { b.HostScope, b.AccountLabel = "", "bob@example.com" }), "account_label"},
	} {
		err := c.binding.Validate()
		require.Error(t, err, name)
		f := fault.From(err)
		assert.Equal(t, fault.InvalidArgument, f.Kind, name)
		require.Len(t, f.Violations, 1, name)
		assert.Equal(t, c.field, f.Violations[0].Field, name)
		assert.NotContains(t, err.Error(), random, name)
		assert.NotContains(t, err.Error(), "hunter2", name)
		assert.False(t, c.binding.Known(), name)
		assert.Empty(t, routing.Fingerprint(installation, c.binding), name)
	}
}

func TestUsualBindingsAreTaken(t *testing.T) {
	t.Parallel()
	for _, locator := range []string{
		"env:ANTHROPIC_API_KEY", "~/.claude/.credentials.json", "keychain:Claude Code-credentials", "aws-profile:production",
		"file:~/.config/gcloud/application_default_credentials.json", "vault:team/agents/openai", "secret:recourse-agents-openai-production",
		"C:\\ProgramData\\agent\\auth.json",
	} {
		assert.NoError(t, with(func(b *routing.Binding) { b.Locator = locator }).Validate(), locator)
	}
	assert.NoError(t, with(func(b *routing.Binding) { b.HostScope, b.AccountLabel = "", "team blue" }).Validate())
}

func TestAnUnknownBindingHasNoFingerprint(t *testing.T) {
	t.Parallel()
	assert.NoError(t, routing.Binding{}.Validate(), "unknown is no mistake")
	assert.False(t, routing.Binding{}.Known())
	assert.Empty(t, routing.Fingerprint(installation, routing.Binding{}))
	assert.Empty(t, routing.Fingerprint(nil, bound()), "without a key it could be guessed")
	unknown := routing.Candidate{ProfileID: "p", Provider: "anthropic", Account: routing.Fingerprint(installation, routing.Binding{}), Model: "opus"}
	assert.Equal(t, "profile/p", accountKey(unknown).String())
}

func TestAFingerprintIsStableAndOpaque(t *testing.T) {
	t.Parallel()
	got := routing.Fingerprint(installation, bound())
	// Stored circuits are found by it: it must never change.
	assert.Equal(t, "60ba83ab495e2b2af54fb206c4e246c33f722f6bbd58aaf143a3b26e093f79c9", got)
	assert.NotEqual(t, got, routing.Fingerprint([]byte("another installation"), bound()))
	assert.Equal(t, got, evidence.Redact(got), "it may stand in logs")
	for _, part := range []string{"anthropic", "subscription", "claude", "cred", "host"} {
		assert.NotContains(t, got, part)
	}
}

func bindings() *rapid.Generator[routing.Binding] {
	// Few letters, so that fields meet at their ends as often as can be.
	name := rapid.StringMatching(`[a-b]{1,3}`)
	text := rapid.StringMatching(`[a-b~/]{1,3}`)
	return rapid.Custom(func(t *rapid.T) routing.Binding {
		b := routing.Binding{Provider: name.Draw(t, "provider"), AuthKind: name.Draw(t, "auth"), Locator: text.Draw(t, "locator")}
		if rapid.Bool().Draw(t, "labelled") {
			b.AccountLabel = text.Draw(t, "label")
		} else {
			b.HostScope = text.Draw(t, "host")
		}
		return b
	})
}

func TestEqualBindingsAreEqualAndDifferentOnesDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := bindings().Draw(t, "a"), bindings().Draw(t, "b")
		same := a == b
		fa, fb := routing.Fingerprint(installation, a), routing.Fingerprint(installation, b)
		if fa == "" || len(fa) != 64 || strings.Trim(fa, "0123456789abcdef") != "" {
			t.Fatalf("%+v → %q", a, fa)
		}
		if same != (fa == fb) || same != (string(a.Canonical()) == string(b.Canonical())) {
			t.Fatalf("%+v and %+v", a, b)
		}
		if again := routing.Fingerprint(installation, a); again != fa {
			t.Fatalf("%q, then %q", fa, again)
		}
	})
}

// Moving a byte from the end of one field to the start of the next is what
// joined fields without lengths cannot tell apart.
func TestCanonicalBytesKnowWhereAFieldEnds(t *testing.T) {
	t.Parallel()
	a := routing.Binding{Provider: "ab", AuthKind: "c", Locator: "d", HostScope: "e"}
	b := routing.Binding{Provider: "a", AuthKind: "bc", Locator: "d", HostScope: "e"}
	c := routing.Binding{Provider: "ab", AuthKind: "c", Locator: "d", AccountLabel: "e"}
	assert.NotEqual(t, a.Canonical(), b.Canonical())
	assert.NotEqual(t, a.Canonical(), c.Canonical())
}

// Descriptors of letters that hex does not have: one of them in a fingerprint
// could only come from the descriptor.
func TestAFingerprintHoldsNoPartOfTheDescriptor(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[g-z]{4,20}`)
	rapid.Check(t, func(t *rapid.T) {
		b := routing.Binding{Provider: word.Draw(t, "p"), AuthKind: word.Draw(t, "a"), Locator: word.Draw(t, "l"), HostScope: word.Draw(t, "h")}
		got := routing.Fingerprint(installation, b)
		if strings.ContainsAny(got, b.Provider+b.AuthKind+b.Locator+b.HostScope) {
			t.Fatalf("%+v → %q", b, got)
		}
	})
}
