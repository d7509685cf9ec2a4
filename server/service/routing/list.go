package routing

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/profile"
)

const (
	defaultPage = 100
	maxPage     = 1000
)

// ListProfiles implements API.
func (s *Service) ListProfiles(ctx context.Context, in profile.List) (profile.Page, error) {
	size := defaultPage
	if in.PageSize > 0 {
		size = min(in.PageSize, maxPage)
	}
	after, err := readPageToken(in.PageToken, in.Kind)
	if err != nil {
		return profile.Page{}, err
	}
	found, err := s.store.ListProfiles(ctx, profile.Filter{WorkspaceID: in.WorkspaceID, Kind: in.Kind, After: after, Limit: size + 1})
	if err != nil || len(found) <= size {
		return profile.Page{Profiles: found}, err
	}
	return profile.Page{Profiles: found[:size], NextPageToken: pageToken(found[size-1].ID, in.Kind)}, nil
}

// tokenPrefix says of which list a page token is.
func tokenPrefix(kind profile.Kind) string { return "profiles/" + string(kind) + "/" }

func pageToken(after string, kind profile.Kind) string {
	return base64.RawURLEncoding.EncodeToString([]byte(tokenPrefix(kind) + after))
}

func readPageToken(token string, kind profile.Kind) (after string, err error) {
	if token == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	after, ours := strings.CutPrefix(string(text), tokenPrefix(kind))
	if err != nil || !ours || after == "" {
		return "", fault.New(fault.InvalidArgument, fault.ReasonPageTokenInvalid, "the page token is damaged or belongs to another list")
	}
	return after, nil
}
