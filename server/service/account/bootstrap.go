package account

import (
	"context"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/server/auth"
)

// Bootstrap makes the default workspace and its first token, an instance
// admin, on an empty database. It stores the hash of secret, which the caller
// has written down before: a crash in between loses nothing. created is false
// where the database already has a workspace.
func (s *Service) Bootstrap(ctx context.Context, secret string) (created bool, err error) {
	return s.store.Bootstrap(ctx,
		access.Workspace{ID: DefaultWorkspace, DisplayName: "Default"},
		access.NewToken{
			WorkspaceID: DefaultWorkspace, ID: s.newID(), Hash: auth.Hash(secret),
			DisplayName: "first admin", Role: access.RoleAdmin, InstanceAdmin: true,
		})
}
