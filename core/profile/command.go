package profile

import (
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// Create asks for a new profile.
type Create struct {
	Profile      Profile // with its workspace and id
	ValidateOnly bool    // nothing is stored
	RequestID    string  // "" is not idempotent
	By           string  // the person, for the audit
}

// Update asks for a change.
type Update struct {
	WorkspaceID  string
	ProfileID    string
	Profile      Profile  // the new values
	Paths        []string // what to take of them; none is whatever is set
	ETag         string   // any version if ""
	ValidateOnly bool
	RequestID    string // "" is not idempotent
	By           string
}

// Delete asks for a profile's end.
type Delete struct {
	WorkspaceID string
	ProfileID   string
	ETag        string // any version if ""
	RequestID   string // "" is not idempotent
	By          string
}

// List asks for profiles, by id.
type List struct {
	WorkspaceID string
	Kind        Kind // all if ""
	PageSize    int  // 1 to 1000; 100 if 0
	PageToken   string
}

// Page is one page of List.
type Page struct {
	Profiles      []Profile
	NextPageToken string // "" at the end
}

// Filter is one page of List as storage reads it.
type Filter struct {
	WorkspaceID string
	Kind        Kind   // all if ""
	After       string // the id of the last row of the page before
	Limit       int
}

// The events.
const (
	EventUpdated = "profile.updated"
	EventDeleted = "profile.deleted"
)

// Draft gives the profile as it would be stored, but for its instants.
func (in Create) Draft(s recovery.Settings) (Profile, error) {
	p, err := in.Profile.Normalise(s)
	if err != nil {
		return p, err
	}
	p.Version = 1
	return versioned(Profile{}, p, p.Version), p.Validate(s)
}

// Draft gives the profile as it would be after the change; changed is false
// where it says nothing new. It fails with STALE_VERSION for another etag.
func (in Update) Draft(before Profile, s recovery.Settings) (after Profile, changed bool, err error) {
	if err := before.expect(in.ETag); err != nil {
		return before, false, err
	}
	if after, err = in.merged(before); err != nil {
		return before, false, err
	}
	if after, err = after.Normalise(s); err != nil {
		return before, false, err
	}
	after = versioned(before, after, before.Version+1)
	if err := after.Validate(s); err != nil {
		return before, false, err
	}
	if same(before, after) {
		return before, false, nil
	}
	after.Version++
	return after, true, nil
}

// Stored dates a draft.
func (p Profile) Stored(now time.Time) Profile {
	if p.CreatedAt.IsZero() {
		p.CreatedAt = now
	}
	p.UpdatedAt = now
	return p
}

// Unstored is what would be stored: no version of it exists that an etag could name.
func (p Profile) Unstored() Profile {
	p.CreatedAt, p.UpdatedAt = time.Time{}, time.Time{}
	return p
}

// Check fails with STALE_VERSION, and with PROFILE_IN_USE where dynamic
// profiles have it as a candidate; of those count there may be more than are named.
func (in Delete) Check(before Profile, dependents []string, count int) error {
	if err := before.expect(in.ETag); err != nil {
		return err
	}
	if count == 0 {
		return nil
	}
	named := strings.Join(dependents, ",")
	return fault.New(fault.FailedPrecondition, fault.ReasonProfileInUse, "profile %s is a candidate of %d: %s", before.ID, count, named).
		With("profile_id", before.ID).With("dependents", named).With("dependent_count", strconv.Itoa(count))
}

// expect refuses a change that was meant for another version.
func (p Profile) expect(etag string) error {
	if etag == "" || etag == p.ETag() {
		return nil
	}
	return fault.New(fault.Aborted, fault.ReasonStaleVersion, "profile %s is at version %d now: read it again", p.ID, p.Version).
		With("profile_id", p.ID).With("version", strconv.FormatInt(p.Version, 10)).With("etag", p.ETag())
}

// NotFound is the error for a profile that is not there.
func NotFound(id string) error {
	return fault.New(fault.NotFound, fault.ReasonProfileNotFound, "no such profile").With("profile_id", id)
}

// Exists is the error for an id that is taken.
func Exists(id string) error {
	return fault.New(fault.AlreadyExists, fault.ReasonProfileExists, "profile %s exists: change it, or choose another id", id).With("profile_id", id)
}

// Event tells that somebody changed or deleted the profile.
func (p Profile) Event(kind, by string) work.Event {
	return work.Event{Type: kind, Payload: map[string]any{
		"profile_id": p.ID, "version": p.Version, "kind": string(p.Kind()), "actor": by,
	}}
}
