package routing

import (
	"context"

	"github.com/recourse-dev/recourse/core/profile"
)

// profileField is where the profile stands in a request that writes one.
const profileField = "profile"

// CreateProfile implements API. What can be refused without the database is
// refused before it is asked.
func (s *Service) CreateProfile(ctx context.Context, in profile.Create) (profile.Profile, error) {
	if _, err := in.Draft(s.settings); err != nil {
		return profile.Profile{}, profile.Under(profileField, err)
	}
	r, err := requestOf(in.Profile.WorkspaceID, in.RequestID, "CreateProfile", in, in.Profile.Dynamic, in.ValidateOnly)
	if err != nil {
		return profile.Profile{}, err
	}
	p, err := s.store.CreateProfile(ctx, r, in, s.settings)
	if err != nil {
		return profile.Profile{}, profile.Under(profileField, err)
	}
	if !in.ValidateOnly {
		s.changed(ctx, "created", p.WorkspaceID, p.ID, in.By)
	}
	return p, nil
}

// GetProfile implements API.
func (s *Service) GetProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error) {
	return s.store.GetProfile(ctx, workspaceID, profileID)
}

// UpdateProfile implements API.
func (s *Service) UpdateProfile(ctx context.Context, in profile.Update) (profile.Profile, error) {
	if err := in.CheckMask(); err != nil {
		return profile.Profile{}, err
	}
	r, err := requestOf(in.WorkspaceID, in.RequestID, "UpdateProfile", in, in.Profile.Dynamic, in.ValidateOnly)
	if err != nil {
		return profile.Profile{}, err
	}
	p, err := s.store.UpdateProfile(ctx, r, in, s.settings)
	if err != nil {
		return profile.Profile{}, profile.Under(profileField, err)
	}
	if !in.ValidateOnly {
		s.changed(ctx, "changed", in.WorkspaceID, in.ProfileID, in.By)
	}
	return p, nil
}

// DeleteProfile implements API.
func (s *Service) DeleteProfile(ctx context.Context, in profile.Delete) error {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "DeleteProfile", in, nil, false)
	if err != nil {
		return err
	}
	if err := s.store.DeleteProfile(ctx, r, in); err != nil {
		return err
	}
	s.changed(ctx, "deleted", in.WorkspaceID, in.ProfileID, in.By)
	return nil
}

func (s *Service) changed(ctx context.Context, what, workspaceID, profileID, by string) {
	s.log.InfoContext(ctx, "a person "+what+" a profile", "workspace_id", workspaceID, "profile_id", profileID, "actor", by)
	s.stream.Kick(workspaceID)
}
