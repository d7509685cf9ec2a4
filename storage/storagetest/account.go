package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

var _ = register(map[string]func(*bench){
	"a token works until it is revoked or expires": tokenLife,
	"tokens are listed newest first, in pages":     tokenPages,
	"a login code works once, and not for ever":    loginCode,
	"a workspace is found by its id":               workspaces,
})

func bootstrapRace(b *bench) {
	// The bench has made the workspace: nobody makes another one.
	var fs []func() error
	wins := make([]bool, 4)
	for i := range wins {
		fs = append(fs, func() (err error) {
			id := newID(b.t)
			wins[i], err = b.store.Bootstrap(b.ctx(), access.Workspace{ID: other}, access.NewToken{
				WorkspaceID: other, ID: id, Hash: hashOf(id), Role: access.RoleAdmin,
			})
			return err
		})
	}
	for i, err := range together(fs...) {
		require.NoError(b.t, err)
		require.False(b.t, wins[i])
	}
	_, err := b.store.GetWorkspace(b.ctx(), other)
	b.refused(err, fault.ReasonWorkspaceNotFound)
}

func (b *bench) token(secret string, ttl time.Duration) access.Token {
	token, err := b.store.CreateToken(b.ctx(), access.NewToken{
		WorkspaceID: workspace, ID: newID(b.t), Hash: hashOf(secret), DisplayName: secret, Role: access.RoleMember, TTL: ttl,
	})
	require.NoError(b.t, err)
	return token
}

func tokenLife(b *bench) {
	made := b.token("s1", time.Hour)
	require.Equal(b.t, b.clock.Now().Add(time.Hour), made.ExpiresAt)
	found, err := b.store.FindToken(b.ctx(), workspace, hashOf("s1"))
	require.NoError(b.t, err)
	require.Equal(b.t, made, found)
	_, err = b.store.FindToken(b.ctx(), other, hashOf("s1"))
	b.refused(err, fault.ReasonTokenInvalid)
	found, err = b.store.FindToken(b.ctx(), workspace, hashOf("s1"))
	require.NoError(b.t, err)
	require.Equal(b.t, b.clock.Now(), found.LastUsedAt)
	b.clock.advance(time.Hour)
	_, err = b.store.FindToken(b.ctx(), workspace, hashOf("s1"))
	b.refused(err, fault.ReasonTokenInvalid)

	endless := b.token("s2", 0)
	require.True(b.t, endless.ExpiresAt.IsZero())
	revoked, err := b.store.RevokeToken(b.ctx(), workspace, endless.ID)
	require.NoError(b.t, err)
	b.clock.advance(time.Minute)
	again, err := b.store.RevokeToken(b.ctx(), workspace, endless.ID)
	require.NoError(b.t, err)
	require.Equal(b.t, revoked.RevokedAt, again.RevokedAt)
	_, err = b.store.FindToken(b.ctx(), workspace, hashOf("s2"))
	b.refused(err, fault.ReasonTokenInvalid)
	_, err = b.store.RevokeToken(b.ctx(), workspace, newID(b.t))
	b.refused(err, fault.ReasonTokenNotFound)
	_, err = b.store.CreateToken(b.ctx(), access.NewToken{WorkspaceID: other, ID: newID(b.t), Hash: hashOf("s3"), Role: access.RoleViewer})
	b.refused(err, fault.ReasonWorkspaceNotFound)
}

func tokenPages(b *bench) {
	second, third := b.token("s2", 0), b.token("s3", 0)
	page, err := b.store.ListTokens(b.ctx(), workspace, access.Page{Limit: 2})
	require.NoError(b.t, err)
	require.Equal(b.t, []access.Token{third, second}, page)
	page, err = b.store.ListTokens(b.ctx(), workspace, access.Page{After: second.ID, Limit: 2})
	require.NoError(b.t, err)
	require.Len(b.t, page, 1)
	require.Equal(b.t, "first", page[0].DisplayName)
	require.True(b.t, page[0].InstanceAdmin)
}

func loginCode(b *bench) {
	owner := b.token("owner", 0)
	code := func(name, tokenID string) error {
		expires, err := b.store.CreateLoginCode(b.ctx(), access.NewLoginCode{WorkspaceID: workspace, Hash: hashOf(name), TokenID: tokenID, TTL: 10 * time.Minute})
		if err == nil {
			require.Equal(b.t, b.clock.Now().Add(10*time.Minute), expires)
		}
		return err
	}
	redeem := func(name, secret string) (access.Token, error) {
		return b.store.RedeemLoginCode(b.ctx(), workspace, hashOf(name), access.NewToken{ID: newID(b.t), Hash: hashOf(secret), Session: true, TTL: time.Hour})
	}
	b.refused(code("c0", newID(b.t)), fault.ReasonTokenNotFound)
	require.NoError(b.t, code("c1", owner.ID))
	session, err := redeem("c1", "cookie-1")
	require.NoError(b.t, err)
	require.True(b.t, session.Session)
	require.Equal(b.t, access.RoleMember, session.Role)
	require.False(b.t, session.InstanceAdmin)
	_, err = redeem("c1", "cookie-2")
	b.refused(err, fault.ReasonLoginCodeInvalid)
	_, err = b.store.FindToken(b.ctx(), workspace, hashOf("cookie-2"))
	b.refused(err, fault.ReasonTokenInvalid)

	require.NoError(b.t, code("c2", owner.ID))
	b.clock.advance(10 * time.Minute)
	_, err = redeem("c2", "cookie-3")
	b.refused(err, fault.ReasonLoginCodeInvalid)

	require.NoError(b.t, code("c3", owner.ID))
	_, err = b.store.RevokeToken(b.ctx(), workspace, owner.ID)
	require.NoError(b.t, err)
	_, err = redeem("c3", "cookie-4")
	b.refused(err, fault.ReasonLoginCodeInvalid)
}

func workspaces(b *bench) {
	w, err := b.store.GetWorkspace(b.ctx(), workspace)
	require.NoError(b.t, err)
	require.Equal(b.t, access.Workspace{ID: workspace, DisplayName: "Default", CreatedAt: b.clock.Now(), RecoveryMode: recovery.ModePolicy}, w)
	list, err := b.store.ListWorkspaces(b.ctx(), access.Page{Limit: 10})
	require.NoError(b.t, err)
	require.Equal(b.t, []access.Workspace{w}, list)
	list, err = b.store.ListWorkspaces(b.ctx(), access.Page{After: workspace, Limit: 10})
	require.NoError(b.t, err)
	require.Empty(b.t, list)
	version, err := b.store.SchemaVersion(b.ctx())
	require.NoError(b.t, err)
	require.Positive(b.t, version)
}
