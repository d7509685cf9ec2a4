package storagetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"a profile is kept as it was written":          profileLife,
	"profiles are listed by id, in pages, by kind": profilePages,
	"a change carries the version that it knew":    profileStale,
	"candidates are profiles of the workspace":     profileCandidates,
	"a candidate is not deleted":                   profileInUse,
	"what is only validated is not stored":         profileValidateOnly,
	"a profile's change is done once":              profileOnce,
})

func concreteProfile(id string) profile.Profile {
	return profile.Profile{WorkspaceID: workspace, ID: id, DisplayName: "Profile " + id, Labels: map[string]string{"team": "a"}, Concrete: &profile.Concrete{
		AgentKind: "claude", Provider: "anthropic", Model: "sonnet", ReplaySafe: true,
		Command:     profile.Command{Program: "claude", Arguments: []string{"-p", "{prompt}"}},
		Directory:   profile.Directory{Rule: profile.DirectoryFixed, Path: "/srv"},
		Environment: map[string]string{"KEY": "env:TEAM_KEY"}, Resume: []string{"{session_id}"},
		Credential: profile.Credential{Provider: "anthropic", AuthKind: "api_key", Locator: "env:TEAM_KEY", AccountLabel: "team"},
	}}
}

func dynamicProfile(id string, candidates ...string) profile.Profile {
	d := &profile.Dynamic{Consent: recovery.Consent{MaxTotalWait: time.Hour}}
	for _, c := range candidates {
		d.Candidates = append(d.Candidates, profile.Candidate{ProfileID: c})
	}
	return profile.Profile{WorkspaceID: workspace, ID: id, Dynamic: d}
}

func (b *bench) tryProfile(p profile.Profile) (profile.Profile, error) {
	return b.store.CreateProfile(b.ctx(), work.Request{}, profile.Create{Profile: p, By: "ann"}, b.set)
}

func (b *bench) makeProfile(p profile.Profile) profile.Profile {
	b.t.Helper()
	made, err := b.tryProfile(p)
	require.NoError(b.t, err)
	return made
}

func (b *bench) profile(id string) profile.Profile {
	b.t.Helper()
	p, err := b.store.GetProfile(b.ctx(), workspace, id)
	require.NoError(b.t, err)
	return p
}

func (b *bench) tryUpdate(id, etag string, patch profile.Profile) (profile.Profile, error) {
	return b.store.UpdateProfile(b.ctx(), work.Request{}, profile.Update{
		WorkspaceID: workspace, ProfileID: id, Profile: patch, ETag: etag, By: "bob",
	}, b.set)
}

func (b *bench) tryDelete(id, etag string) error {
	return b.store.DeleteProfile(b.ctx(), work.Request{}, profile.Delete{WorkspaceID: workspace, ProfileID: id, ETag: etag, By: "cid"})
}

func profileLife(b *bench) {
	c, d := concreteProfile("c"), dynamicProfile("d", "c")
	made := b.makeProfile(c)
	require.EqualValues(b.t, 1, made.Version)
	require.Equal(b.t, b.clock.Now(), made.CreatedAt)
	c.Version, c.CreatedAt, c.UpdatedAt = made.Version, made.CreatedAt, made.UpdatedAt
	require.Equal(b.t, c, made)
	require.Equal(b.t, made, b.profile("c"))
	route := b.makeProfile(d)
	require.Equal(b.t, route, b.profile("d"))
	require.Equal(b.t, recovery.PresetUnattended, route.Dynamic.Candidates[0].Policies.Name)

	b.clock.advance(time.Minute)
	after, err := b.tryUpdate("c", made.ETag(), profile.Profile{DisplayName: "Other"})
	require.NoError(b.t, err)
	require.EqualValues(b.t, 2, after.Version)
	require.Equal(b.t, made.CreatedAt, after.CreatedAt)
	require.Equal(b.t, b.clock.Now(), after.UpdatedAt)
	require.Equal(b.t, after, b.profile("c"))
	same, err := b.tryUpdate("c", after.ETag(), profile.Profile{DisplayName: "Other"})
	require.NoError(b.t, err)
	require.Equal(b.t, after, same, "it says nothing new")
	require.NoError(b.t, b.tryDelete("d", route.ETag()))
	require.NoError(b.t, b.tryDelete("c", ""))
	_, err = b.store.GetProfile(b.ctx(), workspace, "c")
	require.Equal(b.t, map[string]string{"profile_id": "c"}, b.refused(err, fault.ReasonProfileNotFound).Metadata)
	_, err = b.tryUpdate("c", "", profile.Profile{DisplayName: "x"})
	b.refused(err, fault.ReasonProfileNotFound)
	b.refused(b.tryDelete("c", ""), fault.ReasonProfileNotFound)

	b.clock.advance(time.Minute)
	again := b.makeProfile(concreteProfile("c"))
	require.NotEqual(b.t, made.ETag(), again.ETag(), "another profile of that id")
	b.number()
	var story []string
	for _, e := range b.events(0) {
		story = append(story, fmt.Sprint(e.Type, " ", e.Payload["profile_id"], " ", e.Payload["version"], " ", e.Payload["kind"], " ", e.Payload["actor"]))
	}
	require.Equal(b.t, []string{
		"profile.updated c 1 concrete ann", "profile.updated d 1 dynamic ann", "profile.updated c 2 concrete bob",
		"profile.deleted d 1 dynamic cid", "profile.deleted c 2 concrete cid", "profile.updated c 1 concrete ann",
	}, story)
	elsewhere := concreteProfile("c")
	elsewhere.WorkspaceID = other
	_, err = b.tryProfile(elsewhere)
	b.refused(err, fault.ReasonWorkspaceNotFound)
}

func profilePages(b *bench) {
	for _, id := range []string{"c", "a", "e"} {
		b.makeProfile(concreteProfile(id))
	}
	b.makeProfile(dynamicProfile("b", "e", "a"))
	b.makeProfile(dynamicProfile("d", "a", "c"))
	page := func(after string, kind profile.Kind) (out []string) {
		list, err := b.store.ListProfiles(b.ctx(), profile.Filter{WorkspaceID: workspace, After: after, Kind: kind, Limit: 3})
		require.NoError(b.t, err)
		for _, p := range list {
			require.Equal(b.t, b.profile(p.ID), p)
			out = append(out, p.ID)
		}
		return out
	}
	require.Equal(b.t, []string{"a", "b", "c"}, page("", ""))
	require.Equal(b.t, []string{"d", "e"}, page("c", ""))
	require.Equal(b.t, []string{"b", "d"}, page("", profile.KindDynamic))
	require.Equal(b.t, []string{"c", "e"}, page("a", profile.KindConcrete))
	require.Equal(b.t, []string{"e", "a"}, b.profile("b").CandidateIDs(), "in their order")
}

func profileStale(b *bench) {
	first := b.makeProfile(concreteProfile("c"))
	second, err := b.tryUpdate("c", first.ETag(), profile.Profile{DisplayName: "2"})
	require.NoError(b.t, err)
	for _, err := range []error{b.tryDelete("c", first.ETag()), func() error {
		_, err := b.tryUpdate("c", first.ETag(), profile.Profile{DisplayName: "3"})
		return err
	}()} {
		f := b.refused(err, fault.ReasonStaleVersion)
		require.Equal(b.t, second.ETag(), f.Metadata["etag"])
	}
	require.Equal(b.t, second, b.profile("c"))
}

func profileCandidates(b *bench) {
	b.makeProfile(concreteProfile("a"))
	b.makeProfile(dynamicProfile("d", "a"))
	_, err := b.tryProfile(dynamicProfile("e", "a", "gone", "d"))
	f := b.refused(err, fault.ReasonInvalidRequest)
	require.Len(b.t, f.Violations, 2)
	require.Equal(b.t, "dynamic.candidates[1].profile_id", f.Violations[0].Field)
	require.Equal(b.t, "dynamic.candidates[2].profile_id", f.Violations[1].Field)
	_, err = b.store.GetProfile(b.ctx(), workspace, "e")
	b.refused(err, fault.ReasonProfileNotFound)
	_, err = b.tryUpdate("d", "", dynamicProfile("d", "gone"))
	b.refused(err, fault.ReasonInvalidRequest)
	require.Equal(b.t, []string{"a"}, b.profile("d").CandidateIDs())
	b.makeProfile(concreteProfile("b"))
	after, err := b.tryUpdate("d", "", dynamicProfile("d", "b", "a"))
	require.NoError(b.t, err)
	require.Equal(b.t, []string{"b", "a"}, after.CandidateIDs())
	require.Equal(b.t, after, b.profile("d"))
	_, err = b.tryUpdate("d", "", concreteProfile("d"))
	b.refused(err, fault.ReasonInvalidRequest)
}

func profileInUse(b *bench) {
	b.makeProfile(concreteProfile("a"))
	for i := range 25 {
		b.makeProfile(dynamicProfile(fmt.Sprintf("d%02d", i), "a"))
	}
	f := b.refused(b.tryDelete("a", ""), fault.ReasonProfileInUse)
	require.Equal(b.t, "25", f.Metadata["dependent_count"])
	require.Equal(b.t, "d00,d01,d02,d03,d04,d05,d06,d07,d08,d09,d10,d11,d12,d13,d14,d15,d16,d17,d18,d19", f.Metadata["dependents"])
	b.profile("a")
}

func profileValidateOnly(b *bench) {
	in := profile.Create{Profile: concreteProfile("c"), ValidateOnly: true}
	try := func() (profile.Profile, error) { return b.store.CreateProfile(b.ctx(), work.Request{}, in, b.set) }
	would, err := try()
	require.NoError(b.t, err)
	require.Empty(b.t, would.ETag())
	_, err = b.store.GetProfile(b.ctx(), workspace, "c")
	b.refused(err, fault.ReasonProfileNotFound)
	before := b.makeProfile(concreteProfile("c"))
	_, err = try()
	b.refused(err, fault.ReasonProfileExists)
	would, err = b.store.UpdateProfile(b.ctx(), work.Request{}, profile.Update{
		WorkspaceID: workspace, ProfileID: "c", Profile: profile.Profile{DisplayName: "x"}, ValidateOnly: true,
	}, b.set)
	require.NoError(b.t, err)
	require.Equal(b.t, "x", would.DisplayName)
	require.Empty(b.t, would.ETag())
	require.Equal(b.t, before, b.profile("c"))
	b.number()
	require.Len(b.t, b.events(0), 1)
}

func profileOnce(b *bench) {
	in := profile.Create{Profile: dynamicProfile("d", "c"), RequestID: "r1"}
	b.makeProfile(concreteProfile("c"))
	first, err := b.store.CreateProfile(b.ctx(), requestID("r1", "a"), in, b.set)
	require.NoError(b.t, err)
	_, err = b.tryUpdate("d", "", profile.Profile{DisplayName: "later"})
	require.NoError(b.t, err)
	again, err := b.store.CreateProfile(b.ctx(), requestID("r1", "a"), in, b.set)
	require.NoError(b.t, err)
	require.Equal(b.t, first, again)
	_, err = b.store.CreateProfile(b.ctx(), requestID("r1", "b"), in, b.set)
	b.refused(err, fault.ReasonRequestIDReused)
	for range 2 {
		require.NoError(b.t, b.store.DeleteProfile(b.ctx(), requestID("r2", "a"), profile.Delete{WorkspaceID: workspace, ProfileID: "d"}))
	}
	_, err = b.store.CreateProfile(b.ctx(), work.Request{}, in, b.set)
	require.NoError(b.t, err)
	f := b.refused(func() error { _, err := b.tryProfile(in.Profile); return err }(), fault.ReasonProfileExists)
	require.Equal(b.t, map[string]string{"profile_id": "d"}, f.Metadata)
}
