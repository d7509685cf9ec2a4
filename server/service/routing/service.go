// Package routing holds the use cases around profiles: how agents are run, and
// what runs in whose place.
package routing

import (
	"context"
	"log/slog"

	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// API is what handlers call. Every error is a *fault.Error in its chain.
type API interface {
	// CreateProfile fails with PROFILE_EXISTS, INVALID_REQUEST, REQUEST_ID_REUSED.
	CreateProfile(ctx context.Context, in profile.Create) (profile.Profile, error)
	// GetProfile fails with PROFILE_NOT_FOUND.
	GetProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error)
	// ListProfiles fails with PAGE_TOKEN_INVALID.
	ListProfiles(ctx context.Context, in profile.List) (profile.Page, error)
	// UpdateProfile fails with PROFILE_NOT_FOUND, STALE_VERSION,
	// INVALID_REQUEST, REQUEST_ID_REUSED.
	UpdateProfile(ctx context.Context, in profile.Update) (profile.Profile, error)
	// DeleteProfile fails with PROFILE_NOT_FOUND, STALE_VERSION,
	// PROFILE_IN_USE, REQUEST_ID_REUSED.
	DeleteProfile(ctx context.Context, in profile.Delete) error
}

// Store keeps profiles. Each method is one transaction; core decides inside of
// it what is stored.
type Store interface {
	CreateProfile(ctx context.Context, r work.Request, in profile.Create, settings recovery.Settings) (profile.Profile, error)
	GetProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error)
	// ListProfiles returns profiles by id.
	ListProfiles(ctx context.Context, f profile.Filter) ([]profile.Profile, error)
	UpdateProfile(ctx context.Context, r work.Request, in profile.Update, settings recovery.Settings) (profile.Profile, error)
	DeleteProfile(ctx context.Context, r work.Request, in profile.Delete) error
}

// Stream is told when there are new events.
type Stream interface {
	// Kick says that a workspace has new events; it returns at once.
	Kick(workspaceID string)
}

// Config is what a Service needs; Log may be nil.
type Config struct {
	Store    Store
	Stream   Stream
	Log      *slog.Logger
	Settings recovery.Settings // the numbers of the recovery contract
}

// Service is safe for concurrent use.
type Service struct {
	store    Store
	stream   Stream
	log      *slog.Logger
	settings recovery.Settings
}

var _ API = (*Service)(nil)

// New makes a service.
func New(cfg Config) *Service {
	s := &Service{store: cfg.Store, stream: cfg.Stream, log: cfg.Log, settings: cfg.Settings}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}
