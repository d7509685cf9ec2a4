package rpc

import (
	"context"
	"slices"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Updater changes workspaces; it fails with WORKSPACE_NOT_FOUND.
type Updater interface {
	UpdateWorkspace(ctx context.Context, in work.UpdateWorkspace) (access.Workspace, error)
}

// UpdateWorkspace implements WorkspaceService.
func (h Workspace) UpdateWorkspace(ctx context.Context, req *recoursev1.UpdateWorkspaceRequest) (*recoursev1.UpdateWorkspaceResponse, error) {
	in, err := updateToDomain(req)
	if err != nil {
		return nil, err
	}
	in.By = person(ctx)
	workspace, err := h.Updater.UpdateWorkspace(ctx, in)
	if err != nil {
		return nil, err
	}
	return &recoursev1.UpdateWorkspaceResponse{Workspace: workspaceToWire(workspace)}, nil
}

// updateToDomain takes what the mask names and nothing else.
func updateToDomain(req *recoursev1.UpdateWorkspaceRequest) (work.UpdateWorkspace, error) {
	in := work.UpdateWorkspace{WorkspaceID: req.GetWorkspaceId(), RequestID: req.GetRequestId()}
	paths := req.GetUpdateMask().GetPaths()
	if len(paths) == 0 {
		return in, fault.Invalid("update_mask", "must name what to change: display_name, recovery_mode, recovery_off")
	}
	for _, path := range paths {
		switch path {
		case "display_name":
			name := req.GetDisplayName()
			in.DisplayName = &name
		case "recovery_mode":
			mode := modeTable.toDomain(req.GetRecoveryMode())
			in.Mode = &mode
		case "recovery_off":
			off := req.GetRecoveryOff()
			in.Off = &off
		default:
			return in, fault.Invalid("update_mask", "%q is none of display_name, recovery_mode, recovery_off", path)
		}
	}
	if slices.Contains(paths, "display_name") && req.GetDisplayName() == "" {
		return in, fault.Invalid("display_name", "must be given")
	}
	if slices.Contains(paths, "recovery_mode") && *in.Mode == "" {
		return in, fault.Invalid("recovery_mode", "must be given")
	}
	return in, nil
}
