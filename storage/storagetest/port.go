package storagetest

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// Store is the union of the ports that the services own, and what a test asks
// beside them. The ports say what each method promises.
type Store interface {
	Accounts
	Durable
	Events
	Profiles
	FindViolations(ctx context.Context, workspaceID string) ([]string, error)
}

// Accounts keeps workspaces and credentials.
type Accounts interface {
	Bootstrap(ctx context.Context, workspace access.Workspace, token access.NewToken) (created bool, err error)
	ListWorkspaces(ctx context.Context, page access.Page) ([]access.Workspace, error)
	GetWorkspace(ctx context.Context, workspaceID string) (access.Workspace, error)
	CreateToken(ctx context.Context, token access.NewToken) (access.Token, error)
	ListTokens(ctx context.Context, workspaceID string, page access.Page) ([]access.Token, error)
	RevokeToken(ctx context.Context, workspaceID, tokenID string) (access.Token, error)
	FindToken(ctx context.Context, workspaceID string, hash []byte) (access.Token, error)
	CreateLoginCode(ctx context.Context, code access.NewLoginCode) (expiresAt time.Time, err error)
	RedeemLoginCode(ctx context.Context, workspaceID string, codeHash []byte, session access.NewToken) (access.Token, error)
	SchemaVersion(ctx context.Context) (int64, error)
	Ping(ctx context.Context) error
}

// Durable keeps sessions, wakeups and runs.
type Durable interface {
	BeginPrompt(ctx context.Context, r work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error)
	ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error)
	NextDue(ctx context.Context, workspaceID string, after time.Time, hostIDs []string) (work.NextDue, error)
	ClaimDue(ctx context.Context, in work.ClaimDue) (work.DueClaims, error)
	ReleaseRun(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Run, error)
	BeginSend(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Run, error)
	MarkDelivered(ctx context.Context, in work.MarkDelivered, settings recovery.Settings) (work.Run, error)
	RecordProgress(ctx context.Context, in work.RecordProgress, settings recovery.Settings) (work.Run, error)
	RenewLease(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Renewed, error)
	FailRun(ctx context.Context, r work.Request, lease work.Lease, in work.Failure) (work.Settled, error)
	SucceedRun(ctx context.Context, r work.Request, lease work.Lease, in work.Success) (work.Settled, error)
	CancelWait(ctx context.Context, r work.Request, in work.CancelWait) (work.Wakeup, error)
	RetryNow(ctx context.Context, r work.Request, in work.RetryNow) (work.Wakeup, error)
	StopRun(ctx context.Context, r work.Request, in work.StopRun) (work.Stopped, error)
	GoOn(ctx context.Context, r work.Request, in work.GoOn, wakeupID string) (work.Begun, error)
	GetSessionRecovery(ctx context.Context, workspaceID, sessionID string) (work.SessionRecovery, error)
	ListRecoveries(ctx context.Context, f work.RecoveryFilter) ([]work.SessionRecovery, error)

	Survey(ctx context.Context) (work.Survey, error)
	FindOverdue(ctx context.Context, limit int) ([]work.RunRef, error)
	ExpireRun(ctx context.Context, ref work.RunRef, settings recovery.Settings) (bool, error)

	GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error)
	ListWakeups(ctx context.Context, f work.WakeupFilter) ([]work.Wakeup, error)
	GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error)
	ListRuns(ctx context.Context, f work.RunFilter) ([]work.Run, error)
	WorkspaceIDs(ctx context.Context, after string, limit int) ([]string, error)
	PruneWork(ctx context.Context, workspaceID string, before time.Time, limit int) (more bool, err error)
	PruneHistory(ctx context.Context, workspaceID string, eventsBefore time.Time, limit int) (more bool, err error)
}

// Profiles keeps how agents are run.
type Profiles interface {
	CreateProfile(ctx context.Context, r work.Request, in profile.Create, settings recovery.Settings) (profile.Profile, error)
	GetProfile(ctx context.Context, workspaceID, profileID string) (profile.Profile, error)
	ListProfiles(ctx context.Context, f profile.Filter) ([]profile.Profile, error)
	UpdateProfile(ctx context.Context, r work.Request, in profile.Update, settings recovery.Settings) (profile.Profile, error)
	DeleteProfile(ctx context.Context, r work.Request, in profile.Delete) error
}

// Events keeps what happened.
type Events interface {
	NumberEvents(ctx context.Context, workspaceID string, limit int) (int, error)
	FindUnnumbered(ctx context.Context) ([]string, error)
	EventHead(ctx context.Context, workspaceID string) (work.Head, error)
	ReadEvents(ctx context.Context, workspaceID string, afterSeq int64, limit int) ([]work.Event, error)
	SendHint(ctx context.Context, workspaceIDs []string) error
}
