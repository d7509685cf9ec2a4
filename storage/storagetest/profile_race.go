package storagetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/profile"
)

var _ = register(map[string]func(*bench){
	"of two writers with one etag one wins":   profileWriteRace,
	"of many creators one makes the profile":  profileCreateRace,
	"no candidate dangles, whoever is faster": profileDeleteRace,
})

func profileWriteRace(b *bench) {
	b.makeProfile(concreteProfile("a"))
	p := b.makeProfile(dynamicProfile("d", "a"))
	for range rounds {
		var fs []func() error
		for i := range 4 {
			fs = append(fs, func() error {
				_, err := b.tryUpdate("d", p.ETag(), profile.Profile{DisplayName: fmt.Sprint(i, " after ", p.Version)})
				return err
			})
		}
		winner := b.oneWinner(together(fs...), fault.ReasonStaleVersion)
		after := b.profile("d")
		require.Equal(b.t, p.Version+1, after.Version)
		require.Equal(b.t, fmt.Sprint(winner, " after ", p.Version), after.DisplayName)
		p = after
	}
	b.number()
	require.Len(b.t, b.events(0), 2+rounds, "one event for each change that was made")
}

func profileCreateRace(b *bench) {
	for i := range rounds {
		id := fmt.Sprintf("p%d", i)
		var fs []func() error
		for range 4 {
			fs = append(fs, func() error { _, err := b.tryProfile(concreteProfile(id)); return err })
		}
		b.oneWinner(together(fs...), fault.ReasonProfileExists)
	}
}

// One adds a candidate while another deletes it, and a third makes a new
// profile with it.
func profileDeleteRace(b *bench) {
	b.makeProfile(concreteProfile("stays"))
	b.makeProfile(dynamicProfile("d", "stays"))
	for i := range rounds {
		id, next := fmt.Sprintf("c%d", i), fmt.Sprintf("n%d", i)
		b.makeProfile(concreteProfile(id))
		errs := together(
			func() error { _, err := b.tryUpdate("d", "", dynamicProfile("d", "stays", id)); return err },
			func() error { return b.tryDelete(id, "") },
			func() error { _, err := b.tryProfile(dynamicProfile(next, id)); return err },
		)
		added, deleted, made := errs[0] == nil, errs[1] == nil, errs[2] == nil
		require.Equal(b.t, deleted, !added && !made, "%v", errs)
		if !deleted {
			b.refused(errs[1], fault.ReasonProfileInUse)
		}
		for _, err := range []error{errs[0], errs[2]} {
			if err != nil {
				b.refused(err, fault.ReasonInvalidRequest)
			}
		}
		list, err := b.store.ListProfiles(b.ctx(), profile.Filter{WorkspaceID: workspace, Limit: 1000})
		require.NoError(b.t, err)
		there := map[string]bool{}
		for _, p := range list {
			there[p.ID] = true
		}
		for _, p := range list {
			for _, candidate := range p.CandidateIDs() {
				require.True(b.t, there[candidate], "%s of %s dangles", candidate, p.ID)
			}
		}
	}
}
