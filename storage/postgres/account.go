package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// Bootstrap creates the first workspace with its first token.
func (s *Store) Bootstrap(ctx context.Context, w access.Workspace, token access.NewToken) (bool, error) {
	created := false
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.BootstrapWorkspace(ctx, dbsqlc.BootstrapWorkspaceParams{WorkspaceID: w.ID, DisplayName: w.DisplayName, Now: s.at()})
		created = rows == 1
		if err != nil || !created {
			return err
		}
		if err := t.InsertEventHead(ctx, w.ID); err != nil {
			return err
		}
		_, err = t.insertToken(ctx, token)
		return err
	})
	return created && err == nil, err
}

// ListWorkspaces returns workspaces by id.
func (s *Store) ListWorkspaces(ctx context.Context, page access.Page) ([]access.Workspace, error) {
	var list []access.Workspace
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListWorkspaces(ctx, dbsqlc.ListWorkspacesParams{AfterID: page.After, RowLimit: int32(page.Limit)})
		list = make([]access.Workspace, 0, len(rows))
		for _, r := range rows {
			list = append(list, workspaceOf(r))
		}
		return err
	})
	return list, err
}

// WorkspaceIDs returns ids in their order, after one, at most limit.
func (s *Store) WorkspaceIDs(ctx context.Context, after string, limit int) ([]string, error) {
	list, err := s.ListWorkspaces(ctx, access.Page{After: after, Limit: limit})
	ids := make([]string, len(list))
	for i, w := range list {
		ids[i] = w.ID
	}
	return ids, err
}

// GetWorkspace fails with WORKSPACE_NOT_FOUND.
func (s *Store) GetWorkspace(ctx context.Context, workspaceID string) (access.Workspace, error) {
	var w access.Workspace
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		row, err := q.GetWorkspace(ctx, workspaceID)
		w = workspaceOf(row)
		return err
	})
	return w, absent(err, fault.ReasonWorkspaceNotFound, "workspace", "workspace_id", workspaceID)
}

// CreateToken fails with WORKSPACE_NOT_FOUND.
func (s *Store) CreateToken(ctx context.Context, token access.NewToken) (access.Token, error) {
	return s.tokenWrite(ctx, func(ctx context.Context, t *tx) (dbsqlc.ApiToken, error) { return t.insertToken(ctx, token) })
}

func (s *Store) tokenWrite(ctx context.Context, do func(context.Context, *tx) (dbsqlc.ApiToken, error)) (access.Token, error) {
	var out access.Token
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		row, err := do(ctx, t)
		out = tokenOf(row)
		return err
	})
	return out, err
}

func (t *tx) insertToken(ctx context.Context, token access.NewToken) (dbsqlc.ApiToken, error) {
	return t.InsertToken(ctx, dbsqlc.InsertTokenParams{
		WorkspaceID: token.WorkspaceID, TokenID: token.ID, TokenHash: token.Hash, DisplayName: token.DisplayName, Role: string(token.Role),
		InstanceAdmin: token.InstanceAdmin, IsSession: token.Session, TtlSeconds: secondsOrNull(token.TTL), Now: t.store.at(),
	})
}

// ListTokens returns tokens newest first.
func (s *Store) ListTokens(ctx context.Context, workspaceID string, page access.Page) ([]access.Token, error) {
	var list []access.Token
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListTokens(ctx, dbsqlc.ListTokensParams{WorkspaceID: workspaceID, BeforeID: page.After, RowLimit: int32(page.Limit)})
		list = make([]access.Token, 0, len(rows))
		for _, r := range rows {
			list = append(list, tokenOf(r))
		}
		return err
	})
	return list, err
}

// RevokeToken keeps the first instant when called again; it fails with TOKEN_NOT_FOUND.
func (s *Store) RevokeToken(ctx context.Context, workspaceID, tokenID string) (access.Token, error) {
	return s.tokenWrite(ctx, func(ctx context.Context, t *tx) (dbsqlc.ApiToken, error) {
		row, err := t.RevokeToken(ctx, dbsqlc.RevokeTokenParams{WorkspaceID: workspaceID, TokenID: tokenID, Now: s.at()})
		return row, absent(err, fault.ReasonTokenNotFound, "token", "token_id", tokenID)
	})
}

// FindToken fails with TOKEN_INVALID.
func (s *Store) FindToken(ctx context.Context, workspaceID string, hash []byte) (access.Token, error) {
	var row dbsqlc.FindTokenRow
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) (err error) {
		row, err = q.FindToken(ctx, dbsqlc.FindTokenParams{WorkspaceID: workspaceID, TokenHash: hash, Now: s.at()})
		return err
	})
	if errors.Is(err, errNoRows) {
		return access.Token{}, fault.New(fault.Unauthenticated, fault.ReasonTokenInvalid, "the credential is wrong, revoked or expired")
	}
	if err == nil && row.IsTouchDue {
		// A credential that works must not fail because its use was not noted.
		_ = s.queries().TouchToken(ctx, dbsqlc.TouchTokenParams{WorkspaceID: workspaceID, TokenID: row.ApiToken.TokenID, Now: s.at()})
	}
	return tokenOf(row.ApiToken), err
}

// CreateLoginCode fails with TOKEN_NOT_FOUND.
func (s *Store) CreateLoginCode(ctx context.Context, code access.NewLoginCode) (time.Time, error) {
	var expires time.Time
	err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		expires, err = t.InsertLoginCode(ctx, dbsqlc.InsertLoginCodeParams{
			WorkspaceID: code.WorkspaceID, CodeHash: code.Hash, TokenID: code.TokenID, TtlSeconds: code.TTL.Seconds(), Now: s.at(),
		})
		return err
	})
	return expires.UTC(), err
}

// RedeemLoginCode fails with LOGIN_CODE_INVALID.
func (s *Store) RedeemLoginCode(ctx context.Context, workspaceID string, codeHash []byte, session access.NewToken) (access.Token, error) {
	return s.tokenWrite(ctx, func(ctx context.Context, t *tx) (dbsqlc.ApiToken, error) {
		grant, err := t.UseLoginCode(ctx, dbsqlc.UseLoginCodeParams{WorkspaceID: workspaceID, CodeHash: codeHash, Now: s.at()})
		if errors.Is(err, errNoRows) {
			return dbsqlc.ApiToken{}, fault.New(fault.Unauthenticated, fault.ReasonLoginCodeInvalid, "the login code is wrong, used or expired")
		}
		if err != nil {
			return dbsqlc.ApiToken{}, err
		}
		session.WorkspaceID, session.Session = workspaceID, true
		session.Role, session.InstanceAdmin = access.Role(grant.Role), grant.InstanceAdmin
		return t.insertToken(ctx, session)
	})
}

func workspaceOf(r dbsqlc.Workspace) access.Workspace {
	return access.Workspace{
		ID: r.WorkspaceID, DisplayName: r.DisplayName, CreatedAt: r.CreatedAt.UTC(),
		RecoveryMode: recovery.Mode(r.RecoveryMode), RecoveryOff: r.RecoveryOff,
	}
}

func tokenOf(r dbsqlc.ApiToken) access.Token {
	return access.Token{
		WorkspaceID: r.WorkspaceID, ID: r.TokenID, DisplayName: r.DisplayName, Role: access.Role(r.Role),
		InstanceAdmin: r.InstanceAdmin, Session: r.IsSession, CreatedAt: r.CreatedAt.UTC(),
		ExpiresAt: instantOf(r.ExpiresAt), LastUsedAt: instantOf(r.LastUsedAt), RevokedAt: instantOf(r.RevokedAt),
	}
}

func secondsOrNull(d time.Duration) *float64 {
	if d == 0 {
		return nil
	}
	s := d.Seconds()
	return &s
}
