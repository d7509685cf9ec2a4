package account

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
)

// shelf is a store that holds what a test puts into it. What it does not
// implement, a test must not reach.
type shelf struct {
	Store
	token   access.Token
	asked   []string // workspaces of the lookups
	stored  access.NewToken
	rows    int
	revoked error
}

func (s *shelf) FindToken(_ context.Context, workspaceID string, _ []byte) (access.Token, error) {
	s.asked = append(s.asked, workspaceID)
	return s.token, nil
}

func (s *shelf) CreateToken(_ context.Context, token access.NewToken) (access.Token, error) {
	s.stored = token
	return access.Token{ID: token.ID}, nil
}

func (s *shelf) ListTokens(_ context.Context, _ string, page access.Page) ([]access.Token, error) {
	first := s.rows
	if page.After != "" {
		last, err := strconv.Atoi(page.After)
		if err != nil {
			return nil, err
		}
		first = last - 1
	}
	var out []access.Token
	for id := first; id > 0 && len(out) < page.Limit; id-- {
		out = append(out, access.Token{ID: strconv.Itoa(id)})
	}
	return out, nil
}

func (s *shelf) GetWorkspace(_ context.Context, workspaceID string) (access.Workspace, error) {
	return access.Workspace{ID: workspaceID}, nil
}

func (s *shelf) RevokeToken(context.Context, string, string) (access.Token, error) {
	return access.Token{}, s.revoked
}

func service(store Store) *Service { return New(store, func() string { return "id-1" }) }

func TestNoLookupIsSpentOnWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	store := &shelf{}
	for _, text := range []string{"", "x", "rcs_default_short", auth.NewSecret(auth.KindLoginCode, "default")} {
		_, err := service(store).Authenticate(t.Context(), text, false)
		require.True(t, fault.Is(err, fault.ReasonTokenInvalid))
	}
	require.Empty(t, store.asked)
	_, _, err := service(store).Login(t.Context(), auth.NewSecret(auth.KindToken, "default"))
	require.True(t, fault.Is(err, fault.ReasonLoginCodeInvalid))
}

func TestASessionIsNoTokenAndATokenNoSession(t *testing.T) {
	t.Parallel()
	for _, session := range []bool{true, false} {
		store := &shelf{token: access.Token{WorkspaceID: "team", ID: "t", Role: access.RoleMember, Session: session}}
		secret := auth.NewSecret(auth.KindToken, "team")
		caller, err := service(store).Authenticate(t.Context(), secret, session)
		require.NoError(t, err)
		require.Equal(t, auth.Caller{WorkspaceID: "team", TokenID: "t", Role: access.RoleMember, Session: session}, caller)
		_, err = service(store).Authenticate(t.Context(), secret, !session)
		require.True(t, fault.Is(err, fault.ReasonTokenInvalid))
		require.Equal(t, []string{"team", "team"}, store.asked)
	}
}

func TestOnlyTheHashIsStored(t *testing.T) {
	t.Parallel()
	store := &shelf{}
	token, secret, err := service(store).CreateToken(t.Context(), "team", "ci", access.RoleWorker, time.Hour)
	require.NoError(t, err)
	require.Equal(t, "id-1", token.ID)
	require.Equal(t, access.NewToken{
		WorkspaceID: "team", ID: "id-1", Hash: auth.Hash(secret), DisplayName: "ci", Role: access.RoleWorker, TTL: time.Hour,
	}, store.stored)
}

func TestPagesHaveEachTokenOnce(t *testing.T) {
	t.Parallel()
	for rows := range 8 {
		var seen []string
		token := ""
		for {
			page, next, err := service(&shelf{rows: rows}).ListTokens(t.Context(), "team", 3, token)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page), 3)
			for _, row := range page {
				seen = append(seen, row.ID)
			}
			if token = next; token == "" {
				break
			}
		}
		require.Len(t, seen, rows)
	}
	_, _, err := service(&shelf{}).ListTokens(t.Context(), "team", 3, "?")
	require.True(t, fault.Is(err, fault.ReasonPageTokenInvalid))
}

func TestACallerSeesItsOwnWorkspaceOnly(t *testing.T) {
	t.Parallel()
	got, next, err := service(&shelf{}).ListWorkspaces(t.Context(), auth.Caller{WorkspaceID: "team"}, 10, "")
	require.NoError(t, err)
	require.Empty(t, next)
	require.Equal(t, []access.Workspace{{ID: "team"}}, got)
}

func TestLogout(t *testing.T) {
	t.Parallel()
	gone := &shelf{revoked: fault.New(fault.NotFound, fault.ReasonTokenNotFound, "gone")}
	require.NoError(t, service(gone).Logout(t.Context(), auth.Caller{Session: true}), "it has ended already")
	broken := &shelf{revoked: fault.New(fault.Unavailable, fault.ReasonDatabaseUnavailable, "down")}
	require.Error(t, service(broken).Logout(t.Context(), auth.Caller{Session: true}))
	require.NoError(t, service(broken).Logout(t.Context(), auth.Caller{}), "an API token is not logged out")
}
