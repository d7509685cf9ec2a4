// Package access holds the records around who may do what: workspaces and the
// credentials that open them, as storage keeps them and services return them.
package access

import (
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Role is what a credential may do in its workspace.
type Role string

// The roles.
const (
	RoleViewer Role = "viewer" // reads
	RoleMember Role = "member" // reads, begins prompts and acts on failures
	RoleAdmin  Role = "admin"  // everything in its workspace
	RoleWorker Role = "worker" // claims work and reports on its own runs
)

// Roles lists every role.
func Roles() []Role { return []Role{RoleViewer, RoleMember, RoleAdmin, RoleWorker} }

// Workspace is the tenant: everything else belongs to one.
type Workspace struct {
	ID          string // a slug, as "default"
	DisplayName string
	CreatedAt   time.Time // UTC
	// RecoveryMode says what follows a failure by itself.
	RecoveryMode recovery.Mode
	// RecoveryOff is the Off switch: nothing follows until it is switched on again.
	RecoveryOff bool
}

// Token is a stored credential without its secret.
type Token struct {
	WorkspaceID   string
	ID            string
	DisplayName   string
	Role          Role
	InstanceAdmin bool
	// Session marks the credential of a browser, made from a login code; it
	// works only as a cookie.
	Session    bool
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero if it never expires
	LastUsedAt time.Time // zero if it was never used; exact to the minute
	RevokedAt  time.Time // zero while it works
}

// NewToken is a credential to store.
type NewToken struct {
	WorkspaceID   string
	ID            string // unique, made by the service
	Hash          []byte // SHA-256 of the whole secret, 32 bytes
	DisplayName   string
	Role          Role
	InstanceAdmin bool
	Session       bool
	TTL           time.Duration // counted from the database's clock; 0 is for ever
}

// NewLoginCode is a login code to store.
type NewLoginCode struct {
	WorkspaceID string
	Hash        []byte // SHA-256 of the whole code, 32 bytes
	// TokenID is the credential that asked for it; the session gets its role.
	TokenID string
	TTL     time.Duration // counted from the database's clock
}

// Page asks for one page of a list.
type Page struct {
	After string // the id of the last row of the page before, "" for the first page
	Limit int    // at most this many rows; positive
}
