package routing

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// shelf is a store that keeps what it was asked; what it does not implement, a
// test must not reach.
type shelf struct {
	Store
	rows     int
	requests []work.Request
	err      error
}

func (s *shelf) ListProfiles(_ context.Context, f profile.Filter) (out []profile.Profile, err error) {
	for i := range s.rows {
		if id := fmt.Sprintf("p%02d", i); id > f.After && len(out) < f.Limit {
			out = append(out, profile.Profile{ID: id})
		}
	}
	return out, s.err
}

func (s *shelf) CreateProfile(_ context.Context, r work.Request, in profile.Create, _ recovery.Settings) (profile.Profile, error) {
	s.requests = append(s.requests, r)
	return in.Profile, s.err
}

func (s *shelf) UpdateProfile(_ context.Context, r work.Request, in profile.Update, _ recovery.Settings) (profile.Profile, error) {
	s.requests = append(s.requests, r)
	return in.Profile, s.err
}

func (s *shelf) DeleteProfile(_ context.Context, r work.Request, _ profile.Delete) error {
	s.requests = append(s.requests, r)
	return s.err
}

// bell counts what it is told.
type bell struct{ rung []string }

func (b *bell) Kick(workspaceID string) { b.rung = append(b.rung, workspaceID) }

func setup(s *shelf) (*Service, *bell) {
	b := &bell{}
	return New(Config{Store: s, Stream: b, Settings: recovery.Defaults()}), b
}

func valid() profile.Profile {
	return profile.Profile{WorkspaceID: "w", ID: "p", Dynamic: &profile.Dynamic{
		Candidates: []profile.Candidate{{ProfileID: "c"}}, Legacy: &profile.LegacyActions{ByClass: map[string]string{"hard": "stop"}},
	}}
}

func TestPagesHaveEachProfileOnce(t *testing.T) {
	t.Parallel()
	for rows := range 8 {
		s, _ := setup(&shelf{rows: rows})
		var seen []string
		for token, more := "", true; more; more = token != "" {
			page, err := s.ListProfiles(t.Context(), profile.List{WorkspaceID: "w", PageSize: 3, PageToken: token})
			require.NoError(t, err)
			require.LessOrEqual(t, len(page.Profiles), 3)
			for _, p := range page.Profiles {
				seen = append(seen, p.ID)
			}
			token = page.NextPageToken
		}
		require.Len(t, seen, rows)
	}
}

func TestATokenBelongsToItsList(t *testing.T) {
	t.Parallel()
	s, _ := setup(&shelf{rows: 5})
	page, err := s.ListProfiles(t.Context(), profile.List{PageSize: 1, Kind: profile.KindDynamic})
	require.NoError(t, err)
	for _, token := range []string{page.NextPageToken, "!", "x", pageToken("", "")} {
		_, err = s.ListProfiles(t.Context(), profile.List{PageSize: 1, PageToken: token})
		require.True(t, fault.Is(err, fault.ReasonPageTokenInvalid), "%q", token)
	}
}

func TestARequestIsAllThatWasAskedFor(t *testing.T) {
	t.Parallel()
	store := &shelf{}
	s, _ := setup(store)
	ask := func(change func(in *profile.Create)) []byte {
		in := profile.Create{Profile: valid(), RequestID: "r"}
		change(&in)
		_, err := s.CreateProfile(t.Context(), in)
		require.NoError(t, err)
		return store.requests[len(store.requests)-1].BodyHash
	}
	first := ask(func(*profile.Create) {})
	require.Len(t, first, 32)
	require.Equal(t, first, ask(func(*profile.Create) {}))
	require.NotEqual(t, first, ask(func(in *profile.Create) { in.Profile.DisplayName = "x" }))
	require.NotEqual(t, first, ask(func(in *profile.Create) { in.Profile.Dynamic.Legacy.ByClass["hard"] = "try_next" }))
	require.Empty(t, ask(func(in *profile.Create) { in.ValidateOnly = true }), "what stores nothing has no first answer")
	require.Empty(t, ask(func(in *profile.Create) { in.RequestID = "" }))
	require.NoError(t, s.DeleteProfile(t.Context(), profile.Delete{WorkspaceID: "w", ProfileID: "p", RequestID: "r"}))
	require.NotEqual(t, first, store.requests[len(store.requests)-1].BodyHash)
}

func TestOnlyWhatIsDoneIsTold(t *testing.T) {
	t.Parallel()
	store := &shelf{}
	s, told := setup(store)
	_, err := s.CreateProfile(t.Context(), profile.Create{Profile: valid(), ValidateOnly: true})
	require.NoError(t, err)
	_, err = s.UpdateProfile(t.Context(), profile.Update{WorkspaceID: "w", ProfileID: "p", ValidateOnly: true})
	require.NoError(t, err)
	require.Empty(t, told.rung)
	_, err = s.CreateProfile(t.Context(), profile.Create{Profile: valid()})
	require.NoError(t, err)
	_, err = s.UpdateProfile(t.Context(), profile.Update{WorkspaceID: "w", ProfileID: "p"})
	require.NoError(t, err)
	require.NoError(t, s.DeleteProfile(t.Context(), profile.Delete{WorkspaceID: "w", ProfileID: "p"}))
	require.Equal(t, []string{"w", "w", "w"}, told.rung)
	store.err = errors.New("the database is away")
	_, err = s.CreateProfile(t.Context(), profile.Create{Profile: valid()})
	require.ErrorIs(t, err, store.err)
	require.Error(t, s.DeleteProfile(t.Context(), profile.Delete{WorkspaceID: "w", ProfileID: "p"}))
	require.Len(t, told.rung, 3)
}

func TestFieldsAreNamedAsTheRequestHasThem(t *testing.T) {
	t.Parallel()
	store := &shelf{}
	s, _ := setup(store)
	p := valid()
	p.Dynamic.Candidates[0].ProfileID = "p"
	_, err := s.CreateProfile(t.Context(), profile.Create{Profile: p})
	require.Equal(t, "profile.dynamic.candidates[0].profile_id", fault.From(err).Violations[0].Field)
	_, err = s.UpdateProfile(t.Context(), profile.Update{Paths: []string{"etag"}})
	require.Equal(t, "update_mask", fault.From(err).Violations[0].Field)
	require.Empty(t, store.requests, "what is refused anyway is asked of no database")
	store.err = fault.Invalid("dynamic.candidates[0].profile_id", "gone")
	_, err = s.UpdateProfile(t.Context(), profile.Update{})
	require.Equal(t, "profile.dynamic.candidates[0].profile_id", fault.From(err).Violations[0].Field)
}
