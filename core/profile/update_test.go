package profile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func update(t *testing.T, before Profile, patch Profile, paths ...string) (Profile, bool) {
	t.Helper()
	after, changed, err := Update{Profile: patch, Paths: paths}.Draft(before, settings())
	require.NoError(t, err)
	return after, changed
}

// Each path takes its own field and no other.
func TestEachPathTakesItsField(t *testing.T) {
	t.Parallel()
	patch := one()
	patch.DisplayName, patch.Labels = "Other", map[string]string{"x": "y"}
	patch.Concrete = &Concrete{
		AgentKind: "codex", Command: Command{Program: "codex"}, Directory: Directory{DirectoryFixed, "/x"}, Environment: map[string]string{"X": "env:Y"},
		Provider: "anthropic", Model: "gpt", Credential: Credential{Provider: "anthropic", AuthKind: "oauth", Locator: "x", HostScope: "h"},
		Resume: []string{"{session_id}"}, ReplaySafe: true,
	}
	patched := many("x", "y")
	patched.DisplayName, patched.Labels = "Other", map[string]string{"x": "y"}
	patched.Dynamic.Consent.MaxAttemptsPerDay = 5
	for _, path := range Paths() {
		before, values := stored(one()), patch
		if strings.HasPrefix(path, "dynamic") {
			before, values = stored(many("a", "b")), patched
		}
		if path == "dynamic.legacy_actions" {
			values.Dynamic = &Dynamic{Legacy: &LegacyActions{ByClass: map[string]string{"hard": LegacyTryNext}}}
			_, changed := update(t, before, values, path)
			require.False(t, changed, "they say what the default says")
			continue
		}
		after, changed := update(t, before, values, path)
		if path == "concrete.provider" {
			require.False(t, changed)
			continue
		}
		require.True(t, changed, path)
		require.Equal(t, before.Version+1, after.Version)
		differs := differences(before, after)
		switch path {
		case Whole:
			require.Equal(t, []string{"concrete", "display_name", "labels"}, differs)
		case "concrete", "dynamic":
			require.Equal(t, []string{path}, differs)
		default:
			require.Equal(t, []string{strings.Split(path, ".")[0]}, differs, path)
			again, changed := update(t, after, before, path)
			require.True(t, changed)
			again.Version = before.Version
			if before.Dynamic != nil {
				again = versioned(before, again, 1)
			}
			require.True(t, same(before, again), "%s took more than its field", path)
		}
	}
}

// differences are the parts of a profile that differ, in order.
func differences(a, b Profile) []string {
	var out []string
	for _, path := range []string{"concrete", "display_name", "dynamic", "labels"} {
		c := b
		fields[path].copy(&c, a)
		if !same(c, b) {
			out = append(out, path)
		}
	}
	return out
}

func TestWithoutAMaskWhatIsSetIsTaken(t *testing.T) {
	t.Parallel()
	before := stored(one())
	after, changed := update(t, before, Profile{DisplayName: "Other"})
	require.True(t, changed)
	require.Equal(t, "Other", after.DisplayName)
	require.Equal(t, before.Labels, after.Labels)
	require.Equal(t, before.Concrete, after.Concrete)
	_, changed = update(t, before, Profile{})
	require.False(t, changed)
	after, _ = update(t, before, Profile{Concrete: before.Concrete}, Whole)
	require.Empty(t, after.DisplayName, "the whole is replaced")
	require.Empty(t, after.Labels)
}

func TestUpdatesThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before Profile
		patch  Profile
		paths  []string
		fields []string
	}{
		"unknown path":         {one(), one(), []string{"version"}, []string{"update_mask"}},
		"path below a path":    {one(), one(), []string{"concrete.command.program"}, []string{"update_mask"}},
		"another id":           {one(), Profile{ID: "two"}, nil, []string{"profile_id"}},
		"another kind":         {one(), Profile{Dynamic: &Dynamic{}}, nil, []string{"dynamic"}},
		"the other kind":       {many("a"), Profile{Concrete: &Concrete{}}, []string{"display_name"}, []string{"concrete"}},
		"field of the other":   {many("a"), Profile{}, []string{"concrete.model"}, []string{"concrete.model"}},
		"field of the one":     {one(), Profile{}, []string{"dynamic.consent"}, []string{"dynamic.consent"}},
		"the whole of nothing": {one(), Profile{}, []string{Whole}, []string{"concrete"}},
		"nothing for all":      {many("a"), Profile{}, []string{"dynamic"}, []string{"dynamic"}},
		"what is required":     {one(), Profile{}, []string{"concrete.command"}, []string{"concrete.command.program"}},
		"legacy against what is stored": {
			many("a"),
			Profile{Dynamic: &Dynamic{Legacy: &LegacyActions{ByClass: map[string]string{"hard": LegacyStop}}}},
			[]string{"dynamic.legacy_actions"},
			[]string{"dynamic.candidates[0].preset", `dynamic.legacy_actions.by_class["hard"]`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := stored(c.before)
			_, changed, err := Update{Profile: c.patch, Paths: c.paths}.Draft(before, settings())
			require.False(t, changed)
			require.Equal(t, c.fields, fieldsOf(err), "%v", err)
		})
	}
}

func TestAnotherETagIsRefusedWithTheOneThatIs(t *testing.T) {
	t.Parallel()
	before := stored(one())
	_, _, err := Update{ETag: "other", Profile: Profile{DisplayName: "x"}}.Draft(before, settings())
	f := fault.From(err)
	require.Equal(t, fault.ReasonStaleVersion, f.Reason)
	require.Equal(t, fault.Aborted, f.Kind)
	require.Equal(t, map[string]string{"profile_id": "one", "version": "1", "etag": before.ETag()}, f.Metadata)
	require.Equal(t, f.Metadata, fault.From(Delete{ETag: "other"}.Check(before, nil, 0)).Metadata)
	require.NoError(t, Delete{ETag: before.ETag()}.Check(before, nil, 0))

	next := before
	next.Version++
	again := before
	again.CreatedAt = again.CreatedAt.Add(time.Microsecond)
	elsewhere := before
	elsewhere.WorkspaceID = "other"
	for _, p := range []Profile{next, again, elsewhere, stored(many("a"))} {
		require.NotEqual(t, before.ETag(), p.ETag())
	}
	require.Empty(t, before.Unstored().ETag())
}

func TestACandidateIsNotDeleted(t *testing.T) {
	t.Parallel()
	f := fault.From(Delete{}.Check(stored(one()), []string{"x", "y"}, 31))
	require.Equal(t, fault.ReasonProfileInUse, f.Reason)
	require.Equal(t, fault.FailedPrecondition, f.Kind)
	require.Equal(t, map[string]string{"profile_id": "one", "dependents": "x,y", "dependent_count": "31"}, f.Metadata)
}

// A policy's version rises with each edit of that candidate's policies, and never
// names two different ones.
func TestPolicyVersions(t *testing.T) {
	t.Parallel()
	versions := func(p Profile) []int {
		var out []int
		for _, c := range p.Dynamic.Candidates {
			out = append(out, c.Policies.Version)
		}
		return out
	}
	p := stored(many("a", "b"))
	require.Equal(t, []int{1, 1}, versions(p))
	p, _ = update(t, p, Profile{DisplayName: "x"})
	require.Equal(t, []int{1, 1}, versions(p), "no policy was edited")
	edited := Profile{Dynamic: &Dynamic{Candidates: slices.Clone(p.Dynamic.Candidates)}}
	edited.Dynamic.Candidates[1].Policies = own()
	p, _ = update(t, p, edited, "dynamic.candidates")
	require.Equal(t, []int{1, 3}, versions(p))
	slices.Reverse(edited.Dynamic.Candidates)
	p, _ = update(t, p, edited, "dynamic.candidates")
	require.Equal(t, []int{3, 1}, versions(p), "another place is no edit")
	p, _ = update(t, p, many("a"), "dynamic.candidates")
	p, _ = update(t, p, many("a", "b"), "dynamic.candidates")
	require.Equal(t, []int{1, 6}, versions(p), "one that comes back does not use an old version again")
	_, changed := update(t, p, many("a", "b"), "dynamic.candidates")
	require.False(t, changed)
	require.Equal(t, recovery.PresetUnattended+"@6", p.Dynamic.Candidates[1].Policies.Ref())
}
