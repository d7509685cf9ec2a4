// Package account holds the use cases around credentials: tokens, login links
// and browser sessions, workspaces, and the first start on an empty database.
package account

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
)

const (
	// DefaultWorkspace is made at the first start.
	DefaultWorkspace = "default"
	// LoginCodeTTL is how long a login link works.
	LoginCodeTTL = 10 * time.Minute
	// SessionTTL is how long a browser stays logged in.
	SessionTTL = 14 * 24 * time.Hour

	defaultPage = 100
)

// Service is safe for concurrent use.
type Service struct {
	store Store
	newID func() string
}

// New makes a service; newID makes unique ids that rise with time.
func New(store Store, newID func() string) *Service {
	return &Service{store: store, newID: newID}
}

// Authenticate finds the caller of a secret. It fails with TOKEN_INVALID, also
// when a session's secret comes as a token or the other way round.
func (s *Service) Authenticate(ctx context.Context, secret string, session bool) (auth.Caller, error) {
	workspaceID, ok := auth.WorkspaceOf(auth.KindToken, secret)
	if !ok {
		return auth.Caller{}, tokenInvalid()
	}
	token, err := s.store.FindToken(ctx, workspaceID, auth.Hash(secret))
	if err != nil {
		return auth.Caller{}, err
	}
	if token.Session != session {
		return auth.Caller{}, tokenInvalid()
	}
	return auth.Caller{
		WorkspaceID: token.WorkspaceID, TokenID: token.ID, DisplayName: token.DisplayName,
		Role: token.Role, InstanceAdmin: token.InstanceAdmin, Session: token.Session,
	}, nil
}

func tokenInvalid() *fault.Error {
	return fault.New(fault.Unauthenticated, fault.ReasonTokenInvalid, "the token is wrong, revoked or expired")
}

// CheckWorkspace fails with WORKSPACE_NOT_FOUND.
func (s *Service) CheckWorkspace(ctx context.Context, workspaceID string) error {
	_, err := s.store.GetWorkspace(ctx, workspaceID)
	return err
}

// page reads a page's size and token; pages are one row longer than asked, to
// learn whether there is more.
func page(size int, token string) (access.Page, error) {
	if size == 0 {
		size = defaultPage
	}
	after, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return access.Page{}, fault.New(fault.InvalidArgument, fault.ReasonPageTokenInvalid, "the page token is damaged or belongs to another list")
	}
	return access.Page{After: string(after), Limit: size + 1}, nil
}

// cut returns the rows of a page and the token of the next one.
func cut[T any](rows []T, limit int, id func(T) string) (kept []T, next string) {
	if len(rows) < limit {
		return rows, ""
	}
	kept = rows[:limit-1]
	return kept, base64.RawURLEncoding.EncodeToString([]byte(id(kept[len(kept)-1])))
}
