package rpc

import (
	"context"

	"github.com/recourse-dev/recourse/core/profile"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/service/routing"
)

// Routing serves recourse.v1.RoutingService.
type Routing struct {
	Service routing.API
}

var _ recoursev1connect.RoutingServiceHandler = Routing{}

// CreateProfile implements RoutingService.
func (h Routing) CreateProfile(ctx context.Context, req *recoursev1.CreateProfileRequest) (*recoursev1.CreateProfileResponse, error) {
	p, err := h.Service.CreateProfile(ctx, profile.Create{
		Profile:      fullProfileToDomain(req.GetWorkspaceId(), req.GetProfile()),
		ValidateOnly: req.GetValidateOnly(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.CreateProfileResponse{Profile: fullProfileToWire(p)}, nil
}

// GetProfile implements RoutingService.
func (h Routing) GetProfile(ctx context.Context, req *recoursev1.GetProfileRequest) (*recoursev1.GetProfileResponse, error) {
	p, err := h.Service.GetProfile(ctx, req.GetWorkspaceId(), req.GetProfileId())
	if err != nil {
		return nil, err
	}
	return &recoursev1.GetProfileResponse{Profile: fullProfileToWire(p)}, nil
}

// ListProfiles implements RoutingService.
func (h Routing) ListProfiles(ctx context.Context, req *recoursev1.ListProfilesRequest) (*recoursev1.ListProfilesResponse, error) {
	page, err := h.Service.ListProfiles(ctx, profile.List{
		WorkspaceID: req.GetWorkspaceId(), Kind: profileKindTable.toDomain(req.GetKind()),
		PageSize: int(req.GetPageSize()), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	out := &recoursev1.ListProfilesResponse{NextPageToken: page.NextPageToken}
	for _, p := range page.Profiles {
		out.Profiles = append(out.Profiles, fullProfileToWire(p))
	}
	return out, nil
}

// UpdateProfile implements RoutingService.
func (h Routing) UpdateProfile(ctx context.Context, req *recoursev1.UpdateProfileRequest) (*recoursev1.UpdateProfileResponse, error) {
	p, err := h.Service.UpdateProfile(ctx, profile.Update{
		WorkspaceID: req.GetWorkspaceId(), ProfileID: req.GetProfileId(),
		Profile: fullProfileToDomain(req.GetWorkspaceId(), req.GetProfile()), Paths: req.GetUpdateMask().GetPaths(),
		ETag: req.GetEtag(), ValidateOnly: req.GetValidateOnly(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.UpdateProfileResponse{Profile: fullProfileToWire(p)}, nil
}

// DeleteProfile implements RoutingService.
func (h Routing) DeleteProfile(ctx context.Context, req *recoursev1.DeleteProfileRequest) (*recoursev1.DeleteProfileResponse, error) {
	err := h.Service.DeleteProfile(ctx, profile.Delete{
		WorkspaceID: req.GetWorkspaceId(), ProfileID: req.GetProfileId(), ETag: req.GetEtag(), RequestID: req.GetRequestId(), By: person(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &recoursev1.DeleteProfileResponse{}, nil
}
