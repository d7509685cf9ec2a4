package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// maxDependents is how many dependents a refusal names.
const maxDependents = 20

// CreateProfile stores a new profile. It fails with PROFILE_EXISTS,
// INVALID_REQUEST, WORKSPACE_NOT_FOUND and REQUEST_ID_REUSED.
func (s *Store) CreateProfile(ctx context.Context, r work.Request, in profile.Create, settings recovery.Settings) (profile.Profile, error) {
	p, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (profile.Profile, error) {
		draft, err := in.Draft(settings)
		if err != nil {
			return draft, err
		}
		if err := t.holdCandidates(ctx, draft); err != nil {
			return draft, err
		}
		if in.ValidateOnly {
			return draft, t.expectNoProfile(ctx, draft)
		}
		now, err := t.clock(ctx)
		if err != nil {
			return draft, err
		}
		stored := draft.Stored(now)
		if err := t.insertProfile(ctx, stored); err != nil {
			return draft, err
		}
		return stored, t.emit(ctx, stored.WorkspaceID, now, []work.Event{stored.Event(profile.EventUpdated, in.By)})
	})
	return p, err
}

// UpdateProfile changes a profile. It fails with PROFILE_NOT_FOUND,
// STALE_VERSION, INVALID_REQUEST and REQUEST_ID_REUSED.
func (s *Store) UpdateProfile(ctx context.Context, r work.Request, in profile.Update, settings recovery.Settings) (profile.Profile, error) {
	p, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (profile.Profile, error) {
		before, err := t.lockProfile(ctx, in.WorkspaceID, in.ProfileID)
		if err != nil {
			return before, err
		}
		after, changed, err := in.Draft(before, settings)
		if err != nil || !changed {
			return before, err
		}
		if err := t.holdCandidates(ctx, after); err != nil || in.ValidateOnly {
			return after.Unstored(), err
		}
		now, err := t.clock(ctx)
		if err != nil {
			return before, err
		}
		after = after.Stored(now)
		if err := t.saveProfile(ctx, before, after); err != nil {
			return before, err
		}
		return after, t.emit(ctx, after.WorkspaceID, now, []work.Event{after.Event(profile.EventUpdated, in.By)})
	})
	return p, err
}

// DeleteProfile removes a profile. It fails with PROFILE_NOT_FOUND,
// STALE_VERSION, PROFILE_IN_USE and REQUEST_ID_REUSED.
func (s *Store) DeleteProfile(ctx context.Context, r work.Request, in profile.Delete) error {
	_, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (struct{}, error) {
		var none struct{}
		before, err := t.lockProfile(ctx, in.WorkspaceID, in.ProfileID)
		if err != nil {
			return none, err
		}
		ids, count, err := t.dependents(ctx, before)
		if err != nil {
			return none, err
		}
		if err := in.Check(before, ids, count); err != nil {
			return none, err
		}
		now, err := t.clock(ctx)
		if err != nil {
			return none, err
		}
		err = t.later.DeleteProfile(ctx, dbsqlc.DeleteProfileParams{WorkspaceID: before.WorkspaceID, ProfileID: before.ID, OldVersion: before.Version})
		if err != nil {
			return none, err
		}
		return none, t.emit(ctx, before.WorkspaceID, now, []work.Event{before.Event(profile.EventDeleted, in.By)})
	})
	return err
}

// GetProfile fails with PROFILE_NOT_FOUND.
func (s *Store) GetProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error) {
	var p profile.Profile
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		row, err := q.GetProfile(ctx, dbsqlc.GetProfileParams{WorkspaceID: workspaceID, ProfileID: profileID})
		if err != nil {
			return err
		}
		p, err = profileOf(row.Profile, row.Candidates)
		return err
	})
	return p, noProfile(err, profileID)
}

// ListProfiles returns profiles by id.
func (s *Store) ListProfiles(ctx context.Context, f profile.Filter) ([]profile.Profile, error) {
	var list []profile.Profile
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		rows, err := q.ListProfiles(ctx, dbsqlc.ListProfilesParams{
			WorkspaceID: f.WorkspaceID, AfterID: f.After, Kind: string(f.Kind), RowLimit: int32(f.Limit),
		})
		list = make([]profile.Profile, 0, len(rows))
		for _, r := range rows {
			p, err := profileOf(r.Profile, r.Candidates)
			if err != nil {
				return err
			}
			list = append(list, p)
		}
		return err
	})
	return list, err
}

// lockProfile locks a profile, then reads it: the lock may have waited for a
// change of its candidates.
func (t *tx) lockProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error) {
	if _, err := t.LockProfile(ctx, dbsqlc.LockProfileParams{WorkspaceID: workspaceID, ProfileID: profileID}); err != nil {
		return profile.Profile{}, noProfile(err, profileID)
	}
	row, err := t.GetProfile(ctx, dbsqlc.GetProfileParams{WorkspaceID: workspaceID, ProfileID: profileID})
	if err != nil {
		return profile.Profile{}, noProfile(err, profileID)
	}
	return profileOf(row.Profile, row.Candidates)
}

// holdCandidates checks the candidates and keeps them until the transaction ends.
func (t *tx) holdCandidates(ctx context.Context, p profile.Profile) error {
	ids := p.CandidateIDs()
	if len(ids) == 0 {
		return nil
	}
	rows, err := t.LockCandidates(ctx, dbsqlc.LockCandidatesParams{WorkspaceID: p.WorkspaceID, ProfileIds: ids})
	if err != nil {
		return err
	}
	found := profile.Found{}
	for _, r := range rows {
		found[r.ProfileID] = profile.Kind(r.Kind)
	}
	return p.CheckCandidates(found)
}

func (t *tx) dependents(ctx context.Context, p profile.Profile) (ids []string, count int, err error) {
	rows, err := t.ListDependents(ctx, dbsqlc.ListDependentsParams{WorkspaceID: p.WorkspaceID, CandidateID: p.ID, RowLimit: maxDependents})
	for _, r := range rows {
		ids, count = append(ids, r.ProfileID), int(r.TotalCount)
	}
	return ids, count, err
}

func (t *tx) expectNoProfile(ctx context.Context, p profile.Profile) error {
	_, err := t.GetProfile(ctx, dbsqlc.GetProfileParams{WorkspaceID: p.WorkspaceID, ProfileID: p.ID})
	switch {
	case err == nil:
		return profile.Exists(p.ID)
	case errors.Is(err, errNoRows):
		return nil
	}
	return err
}

func noProfile(err error, id string) error {
	if errors.Is(err, errNoRows) {
		return profile.NotFound(id)
	}
	return err
}

// specOf is what the row of a profile holds of its details.
func specOf(p profile.Profile) (labels, spec []byte, err error) {
	if labels, err = json.Marshal(p.Labels); err != nil {
		return nil, nil, err
	}
	if p.Concrete != nil {
		spec, err = json.Marshal(p.Concrete)
		return labels, spec, err
	}
	spec, err = json.Marshal(profile.Dynamic{Consent: p.Dynamic.Consent})
	return labels, spec, err
}

func (t *tx) insertProfile(ctx context.Context, p profile.Profile) error {
	labels, spec, err := specOf(p)
	if err != nil {
		return err
	}
	rows, err := t.InsertProfile(ctx, dbsqlc.InsertProfileParams{
		WorkspaceID: p.WorkspaceID, ProfileID: p.ID, Kind: string(p.Kind()), DisplayName: p.DisplayName,
		Labels: labels, Spec: spec, Version: p.Version, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	})
	if err != nil {
		return err
	}
	if rows == 0 {
		return profile.Exists(p.ID)
	}
	return t.insertCandidates(ctx, p)
}

func (t *tx) saveProfile(ctx context.Context, before, after profile.Profile) error {
	labels, spec, err := specOf(after)
	if err != nil {
		return err
	}
	err = t.later.UpdateProfile(ctx, dbsqlc.UpdateProfileParams{
		WorkspaceID: after.WorkspaceID, ProfileID: after.ID, DisplayName: after.DisplayName,
		Labels: labels, Spec: spec, Version: after.Version, UpdatedAt: after.UpdatedAt, OldVersion: before.Version,
	})
	if err != nil || after.Dynamic == nil {
		return err
	}
	if err := t.later.DeleteCandidates(ctx, dbsqlc.DeleteCandidatesParams{WorkspaceID: after.WorkspaceID, ProfileID: after.ID}); err != nil {
		return err
	}
	return t.insertCandidates(ctx, after)
}

func (t *tx) insertCandidates(ctx context.Context, p profile.Profile) error {
	if p.Dynamic == nil {
		return nil
	}
	in := dbsqlc.InsertCandidatesParams{WorkspaceID: p.WorkspaceID, ProfileID: p.ID}
	for i, c := range p.Dynamic.Candidates {
		policies, err := json.Marshal(c.Policies)
		if err != nil {
			return err
		}
		in.Positions = append(in.Positions, int32(i+1))
		in.CandidateIds = append(in.CandidateIds, c.ProfileID)
		in.Policies = append(in.Policies, policies)
	}
	return t.later.InsertCandidates(ctx, in)
}

func profileOf(r dbsqlc.Profile, candidates []byte) (profile.Profile, error) {
	p := profile.Profile{
		WorkspaceID: r.WorkspaceID, ID: r.ProfileID, DisplayName: r.DisplayName, Version: r.Version,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if err := json.Unmarshal(r.Labels, &p.Labels); err != nil {
		return p, err
	}
	if profile.Kind(r.Kind) == profile.KindConcrete {
		p.Concrete = &profile.Concrete{}
		return p, json.Unmarshal(r.Spec, p.Concrete)
	}
	p.Dynamic = &profile.Dynamic{}
	if err := json.Unmarshal(r.Spec, p.Dynamic); err != nil {
		return p, err
	}
	return p, json.Unmarshal(candidates, &p.Dynamic.Candidates)
}
