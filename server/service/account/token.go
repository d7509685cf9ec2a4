package account

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/server/auth"
)

// CreateToken makes an API token and returns its secret, which is kept nowhere.
// ttl 0 is for ever. It fails with WORKSPACE_NOT_FOUND.
func (s *Service) CreateToken(ctx context.Context, workspaceID, displayName string, role access.Role, ttl time.Duration) (access.Token, string, error) {
	secret := auth.NewSecret(auth.KindToken, workspaceID)
	token, err := s.store.CreateToken(ctx, access.NewToken{
		WorkspaceID: workspaceID, ID: s.newID(), Hash: auth.Hash(secret),
		DisplayName: displayName, Role: role, TTL: ttl,
	})
	if err != nil {
		return access.Token{}, "", err
	}
	return token, secret, nil
}

// ListTokens lists a workspace's credentials, newest first, sessions among them.
func (s *Service) ListTokens(ctx context.Context, workspaceID string, size int, pageToken string) ([]access.Token, string, error) {
	p, err := page(size, pageToken)
	if err != nil {
		return nil, "", err
	}
	rows, err := s.store.ListTokens(ctx, workspaceID, p)
	if err != nil {
		return nil, "", err
	}
	rows, next := cut(rows, p.Limit, func(t access.Token) string { return t.ID })
	return rows, next, nil
}

// RevokeToken ends a credential at once; it fails with TOKEN_NOT_FOUND.
func (s *Service) RevokeToken(ctx context.Context, workspaceID, tokenID string) (access.Token, error) {
	return s.store.RevokeToken(ctx, workspaceID, tokenID)
}
