package account

import (
	"context"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/server/auth"
)

// ListWorkspaces lists those that the caller may see: its own, or all of an
// instance admin's server.
func (s *Service) ListWorkspaces(ctx context.Context, caller auth.Caller, size int, token string) ([]access.Workspace, string, error) {
	if !caller.InstanceAdmin {
		own, err := s.store.GetWorkspace(ctx, caller.WorkspaceID)
		return []access.Workspace{own}, "", err
	}
	p, err := page(size, token)
	if err != nil {
		return nil, "", err
	}
	rows, err := s.store.ListWorkspaces(ctx, p)
	if err != nil {
		return nil, "", err
	}
	rows, next := cut(rows, p.Limit, func(w access.Workspace) string { return w.ID })
	return rows, next, nil
}

// GetWorkspace fails with WORKSPACE_NOT_FOUND.
func (s *Service) GetWorkspace(ctx context.Context, workspaceID string) (access.Workspace, error) {
	return s.store.GetWorkspace(ctx, workspaceID)
}

// SchemaVersion returns the version of the database's last migration.
func (s *Service) SchemaVersion(ctx context.Context) (int64, error) {
	return s.store.SchemaVersion(ctx)
}

// Ready reports whether the database answers and has a schema.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	_, err := s.store.SchemaVersion(ctx)
	return err
}
