package rpc

import (
	"context"
	"time"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/service/account"
	"github.com/recourse-dev/recourse/server/service/classification"
)

// Workspace serves recourse.v1.WorkspaceService.
type Workspace struct {
	Accounts  *account.Service
	Updater   Updater
	Catalogue *classification.Service
	Version   string // the server's own
	Now       func() time.Time
}

var _ recoursev1connect.WorkspaceServiceHandler = Workspace{}

// ListWorkspaces implements WorkspaceService.
func (h Workspace) ListWorkspaces(ctx context.Context, req *recoursev1.ListWorkspacesRequest) (*recoursev1.ListWorkspacesResponse, error) {
	caller, _ := auth.CallerFrom(ctx)
	workspaces, next, err := h.Accounts.ListWorkspaces(ctx, caller, int(req.GetPageSize()), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListWorkspacesResponse{NextPageToken: next}
	for _, workspace := range workspaces {
		out.Workspaces = append(out.Workspaces, workspaceToWire(workspace))
	}
	return out, nil
}

// GetWorkspace implements WorkspaceService.
func (h Workspace) GetWorkspace(ctx context.Context, req *recoursev1.GetWorkspaceRequest) (*recoursev1.GetWorkspaceResponse, error) {
	workspace, err := h.Accounts.GetWorkspace(ctx, req.GetWorkspaceId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetWorkspaceResponse{Workspace: workspaceToWire(workspace)}, nil
}

// CreateApiToken implements WorkspaceService.
func (h Workspace) CreateApiToken(ctx context.Context, req *recoursev1.CreateApiTokenRequest) (*recoursev1.CreateApiTokenResponse, error) {
	token, secret, err := h.Accounts.CreateToken(ctx, req.GetWorkspaceId(), req.GetDisplayName(), roleTable.toDomain(req.GetRole()), span(req.GetTtl()))
	if err != nil {
		return nil, err
	}
	return &recoursev1.CreateApiTokenResponse{Token: tokenToWire(token), Secret: secret}, nil
}

// ListApiTokens implements WorkspaceService.
func (h Workspace) ListApiTokens(ctx context.Context, req *recoursev1.ListApiTokensRequest) (*recoursev1.ListApiTokensResponse, error) {
	tokens, next, err := h.Accounts.ListTokens(ctx, req.GetWorkspaceId(), int(req.GetPageSize()), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListApiTokensResponse{NextPageToken: next}
	for _, token := range tokens {
		out.Tokens = append(out.Tokens, tokenToWire(token))
	}
	return out, nil
}

// RevokeApiToken implements WorkspaceService.
func (h Workspace) RevokeApiToken(ctx context.Context, req *recoursev1.RevokeApiTokenRequest) (*recoursev1.RevokeApiTokenResponse, error) {
	token, err := h.Accounts.RevokeToken(ctx, req.GetWorkspaceId(), req.GetTokenId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.RevokeApiTokenResponse{Token: tokenToWire(token)}, nil
}

// CreateLoginLink implements WorkspaceService.
func (h Workspace) CreateLoginLink(ctx context.Context, _ *recoursev1.CreateLoginLinkRequest) (*recoursev1.CreateLoginLinkResponse, error) {
	caller, _ := auth.CallerFrom(ctx)
	path, expiresAt, err := h.Accounts.CreateLoginLink(ctx, caller)
	if err != nil {
		return nil, err
	}
	return &recoursev1.CreateLoginLinkResponse{Path: path, ExpiresAt: timestamp(expiresAt)}, nil
}

// GetCaller implements WorkspaceService.
func (h Workspace) GetCaller(ctx context.Context, _ *recoursev1.GetCallerRequest) (*recoursev1.GetCallerResponse, error) {
	caller, _ := auth.CallerFrom(ctx)
	return &recoursev1.GetCallerResponse{
		WorkspaceId: caller.WorkspaceID, TokenId: caller.TokenID, DisplayName: caller.DisplayName,
		Role: roleTable.toWire(caller.Role), InstanceAdmin: caller.InstanceAdmin,
	}, nil
}

// GetServerInfo implements WorkspaceService.
func (h Workspace) GetServerInfo(ctx context.Context, _ *recoursev1.GetServerInfoRequest) (*recoursev1.GetServerInfoResponse, error) {
	schema, err := h.Accounts.SchemaVersion(ctx)
	if err != nil {
		return nil, err
	}
	version, digest := h.Catalogue.Version()
	return &recoursev1.GetServerInfoResponse{
		Version: h.Version, CatalogueVersion: version, CatalogueDigest: digest,
		SchemaVersion: schema, ServerTime: timestamp(h.Now()),
	}, nil
}
