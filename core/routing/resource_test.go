package routing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// A code without a row would never open a circuit, and nobody would notice.
func TestEveryCodeHasARow(t *testing.T) {
	t.Parallel()
	rows, policy := routing.ResourceTable(), recovery.DynamicTable()
	require.Len(t, rows, len(classification.Codes()))
	for i, info := range classification.Codes() {
		row := rows[i]
		require.Equal(t, info.Code, row.Code)
		assert.Contains(t, []routing.Opens{routing.OpensNever, routing.OpensExhausted, routing.OpensUnlessShort, routing.OpensAtOnce}, row.Opens, "%s", row.Code)
		// What parks by policy has a circuit to wait for, and nothing else has.
		assert.Equal(t, policy[i].Park != "", row.Opens != routing.OpensNever, "%s", row.Code)
		assert.Equal(t, policy[i].Park == recovery.ParkProviderActionRequired, row.Person, "%s", row.Code)
		assert.Equal(t, policy[i].Rule == recovery.DynamicShortPhase, row.Opens == routing.OpensExhausted, "%s", row.Code)
		assert.Equal(t, policy[i].Rule == recovery.DynamicShortPhaseIfShort, row.Opens == routing.OpensUnlessShort, "%s", row.Code)
		if row.Opens == routing.OpensNever {
			assert.Empty(t, row.Scope, "%s", row.Code)
			continue
		}
		assert.Equal(t, info.Scope, row.Scope, "%s: as the taxonomy says", row.Code)
		if row.Person {
			assert.NotEqual(t, recovery.RemedyWait, recovery.CauseOf(row.Code).Remedy, "%s: waiting is no person's action", row.Code)
		}
	}
}

func TestWhichResourceACodeIndicts(t *testing.T) {
	t.Parallel()
	want := map[classification.Code]string{
		classification.NetworkUnavailable:    "provider/anthropic",
		classification.ProviderOverloaded:    "provider/anthropic",
		classification.ProviderUnavailable:   "provider/anthropic",
		classification.ModelCapacity:         "model/anthropic/acct1/opus",
		classification.RateLimited:           "account/anthropic/acct1",
		classification.QuotaLimited:          "account/anthropic/acct1",
		classification.SubscriptionRequired:  "account/anthropic/acct1",
		classification.AuthRequired:          "account/anthropic/acct1",
		classification.MissingCredentials:    "profile/p-claude",
		classification.ModelUnavailable:      "model/anthropic/acct1/opus",
		classification.ProviderNotConfigured: "profile/p-claude",
	}
	for _, info := range classification.Codes() {
		f := spent("run", noon, noon, failure(info.Code, noon))
		key, ok := routing.Indicts(claude, f, pace(noon))
		assert.Equal(t, want[info.Code] != "", ok, "%s", info.Code)
		if ok {
			assert.Equal(t, want[info.Code], key.String(), "%s", info.Code)
		}
		if unknown, ok := routing.Indicts(routing.Candidate{ProfileID: "p"}, f, pace(noon)); ok {
			assert.Equal(t, "profile/p", unknown.String(), "%s: what is not known is not shared", info.Code)
		}
	}
}

func TestARuleNarrowsButNeverWidens(t *testing.T) {
	t.Parallel()
	for scope, want := range map[classification.Scope]string{
		"":                           "account/anthropic/acct1",
		classification.ScopeRequest:  "account/anthropic/acct1",
		classification.ScopeProvider: "account/anthropic/acct1",
		classification.ScopeModel:    "model/anthropic/acct1/opus",
		classification.ScopeProfile:  "profile/p-claude",
	} {
		r := failure(classification.QuotaLimited, noon)
		r.Scope = scope
		key, ok := routing.Indicts(claude, spent("run", noon, noon, r), pace(noon))
		assert.True(t, ok)
		assert.Equal(t, want, key.String(), "%s", scope)
	}
}

func keys() *rapid.Generator[routing.Key] {
	part := rapid.StringMatching(`[a%/ \x00é]{1,3}`)
	return rapid.Custom(func(t *rapid.T) routing.Key {
		c := routing.Candidate{ProfileID: part.Draw(t, "profile"), Provider: part.Draw(t, "provider"), Account: part.Draw(t, "account"), Model: part.Draw(t, "model")}
		return rapid.SampledFrom(c.Keys()).Draw(t, "key")
	})
}

func TestTheFormOfAKeyIsOneToOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := keys().Draw(t, "a"), keys().Draw(t, "b")
		if (a == b) != (a.String() == b.String()) {
			t.Fatalf("%+v and %+v: %q", a, b, a.String())
		}
		back, ok := routing.ParseKey(a.String())
		if !ok || back != a {
			t.Fatalf("%+v → %q → %+v", a, a.String(), back)
		}
		text := rapid.StringMatching(`(provider|profile|account|model|x)?(/[a%2Ff]{0,4}){0,4}`).Draw(t, "text")
		if k, ok := routing.ParseKey(text); ok && k.String() != text {
			t.Fatalf("%q is read as %+v", text, k)
		}
	})
	for _, text := range []string{"", "/", "provider", "provider/", "provider/a/b", "account/a", "model/a/b", "gremlin/a", "provider/%2f", "provider/%4", "provider/%61"} {
		_, ok := routing.ParseKey(text)
		assert.False(t, ok, text)
	}
	assert.Empty(t, routing.Key{}.String())
}

func TestACandidateIsHeldByAllThatIsKnownOfIt(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]routing.Candidate{
		"provider/anthropic account/anthropic/acct1 model/anthropic/acct1/opus profile/p-claude ": claude,
		"provider/google profile/p-unbound ":                                                      unbound,
		"profile/p ":                                                                              {ProfileID: "p", Account: "acct", Model: "m"},
		"":                                                                                        {},
	} {
		got := ""
		for _, k := range c.Keys() {
			got += k.String() + " "
		}
		assert.Equal(t, want, got)
	}
}
