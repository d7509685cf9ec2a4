package account

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/access"
)

// Store keeps workspaces and credentials. Every method is one transaction; time
// is the database's. Errors are *fault.Error; DATABASE_UNAVAILABLE may come
// from each.
type Store interface {
	// Bootstrap creates the workspace and the token if the database holds no
	// workspace, and reports whether it did. Of two callers at once one wins.
	Bootstrap(ctx context.Context, workspace access.Workspace, token access.NewToken) (created bool, err error)

	// ListWorkspaces returns workspaces by id.
	ListWorkspaces(ctx context.Context, page access.Page) ([]access.Workspace, error)
	// GetWorkspace fails with WORKSPACE_NOT_FOUND.
	GetWorkspace(ctx context.Context, workspaceID string) (access.Workspace, error)

	// CreateToken fails with WORKSPACE_NOT_FOUND.
	CreateToken(ctx context.Context, token access.NewToken) (access.Token, error)
	// ListTokens returns tokens newest first: by id, falling, because ids are
	// UUIDv7. Sessions are among them.
	ListTokens(ctx context.Context, workspaceID string, page access.Page) ([]access.Token, error)
	// RevokeToken keeps the first instant when called again; it fails with TOKEN_NOT_FOUND.
	RevokeToken(ctx context.Context, workspaceID, tokenID string) (access.Token, error)
	// FindToken returns the working token with this hash: neither revoked nor
	// expired by the database's clock. It fails with TOKEN_INVALID. It sets
	// last_used_at when that is older than a minute, and does not fail for that.
	FindToken(ctx context.Context, workspaceID string, hash []byte) (access.Token, error)

	// CreateLoginCode fails with TOKEN_NOT_FOUND; it returns when the code expires.
	CreateLoginCode(ctx context.Context, code access.NewLoginCode) (expiresAt time.Time, err error)
	// RedeemLoginCode uses up an unexpired code and stores session, with the
	// role and instance_admin of the code's token, in the same transaction. It
	// fails with LOGIN_CODE_INVALID, also when the code's token has been revoked.
	RedeemLoginCode(ctx context.Context, workspaceID string, codeHash []byte, session access.NewToken) (access.Token, error)

	// SchemaVersion returns the version of the last migration.
	SchemaVersion(ctx context.Context) (int64, error)
	// Ping reports whether the database answers.
	Ping(ctx context.Context) error
}
