package recovery

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

const (
	defaultPage = 50
	maxPage     = 1000
)

// ListWakeups implements API.
func (s *Service) ListWakeups(ctx context.Context, in work.ListWakeups) (work.WakeupPage, error) {
	filter := work.WakeupFilter{WorkspaceID: in.WorkspaceID, SessionID: in.SessionID, Statuses: texts(in.Statuses), Code: in.Code}
	list := digest("wakeups", filter)
	before, err := readPageToken(in.PageToken, list)
	if err != nil {
		return work.WakeupPage{}, err
	}
	size := pageSize(in.PageSize)
	filter.BeforeID, filter.Limit = before, size+1
	found, err := s.store.ListWakeups(ctx, filter)
	if err != nil {
		return work.WakeupPage{}, err
	}
	if len(found) <= size {
		return work.WakeupPage{Wakeups: found}, nil
	}
	return work.WakeupPage{Wakeups: found[:size], NextPageToken: pageToken(found[size-1].ID, list)}, nil
}

// GetWakeup implements API.
func (s *Service) GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error) {
	return s.store.GetWakeup(ctx, workspaceID, wakeupID)
}

// ListRuns implements API.
func (s *Service) ListRuns(ctx context.Context, in work.ListRuns) (work.RunPage, error) {
	filter := work.RunFilter{WorkspaceID: in.WorkspaceID, WakeupID: in.WakeupID, States: texts(in.States)}
	list := digest("runs", filter)
	before, err := readPageToken(in.PageToken, list)
	if err != nil {
		return work.RunPage{}, err
	}
	size := pageSize(in.PageSize)
	filter.BeforeID, filter.Limit = before, size+1
	found, err := s.store.ListRuns(ctx, filter)
	if err != nil {
		return work.RunPage{}, err
	}
	if len(found) <= size {
		return work.RunPage{Runs: found}, nil
	}
	return work.RunPage{Runs: found[:size], NextPageToken: pageToken(found[size-1].ID, list)}, nil
}

// GetRun implements API.
func (s *Service) GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error) {
	return s.store.GetRun(ctx, workspaceID, runID)
}

// ListEvents implements API.
func (s *Service) ListEvents(ctx context.Context, in work.ListEvents) (work.EventPage, error) {
	return s.stream.List(ctx, in)
}

// WatchEvents implements API.
func (s *Service) WatchEvents(ctx context.Context, in work.WatchEvents, send func(work.Watched) error) error {
	return s.stream.Watch(ctx, in, send)
}

func pageSize(asked int) int {
	if asked <= 0 {
		return defaultPage
	}
	return min(asked, maxPage)
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// page is what a page token holds: where the page ended, and of which list.
type page struct {
	After string `json:"a"`
	List  string `json:"l"`
}

// digest names a list by its kind and filters, so that a token of one list
// does not open another.
func digest(kind string, filter any) string {
	raw, err := json.Marshal(filter)
	if err != nil {
		return kind
	}
	sum := sha256.Sum256(append([]byte(kind), raw...))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

func pageToken(after, list string) string {
	raw, err := json.Marshal(page{After: after, List: list})
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func readPageToken(token, list string) (after string, err error) {
	if token == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	var p page
	if err != nil || json.Unmarshal(raw, &p) != nil || p.List != list || p.After == "" {
		return "", fault.New(fault.InvalidArgument, fault.ReasonPageTokenInvalid, "the page token is damaged or belongs to another list")
	}
	return p.After, nil
}
