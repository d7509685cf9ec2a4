package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// Store keeps the durable path. Each method is one transaction that locks what
// it changes, in the order session, wakeup, run, and lets core decide on it.
type Store interface {
	BeginPrompt(ctx context.Context, r work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error)
	// ClaimWakeup fails with *work.NotDue when it comes too early.
	ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error)
	// NextDue and ClaimDue are for what workers deliver.
	NextDue(ctx context.Context, workspaceID string, after time.Time, hostIDs []string) (work.NextDue, error)
	ClaimDue(ctx context.Context, in work.ClaimDue) (work.DueClaims, error)
	// ReleaseRun gives back a claimed run of which nothing was sent.
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

	UpdateWorkspace(ctx context.Context, r work.Request, in work.UpdateWorkspace) (access.Workspace, error)
	// FindSwitched returns wakeups that the Off switch has yet to hold or to let go.
	FindSwitched(ctx context.Context, workspaceID string, off bool, limit int) ([]string, error)
	// SwitchWakeup brings a wakeup in step with the Off switch as it is now.
	SwitchWakeup(ctx context.Context, workspaceID, wakeupID string, settings recovery.Settings) (changed bool, err error)
	// ListAttempts returns decisions that can be replayed, newest first.
	ListAttempts(ctx context.Context, f work.AttemptFilter) ([]work.Attempt, error)

	Survey(ctx context.Context) (work.Survey, error)
	FindOverdue(ctx context.Context, limit int) ([]work.RunRef, error)
	// ExpireRun reports whether there was anything to do.
	ExpireRun(ctx context.Context, ref work.RunRef, settings recovery.Settings) (bool, error)

	GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error)
	ListWakeups(ctx context.Context, f work.WakeupFilter) ([]work.Wakeup, error)
	GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error)
	ListRuns(ctx context.Context, f work.RunFilter) ([]work.Run, error)

	// WorkspaceIDs returns ids in their order, after one, at most limit.
	WorkspaceIDs(ctx context.Context, after string, limit int) ([]string, error)
	// PruneWork removes a batch of wakeups that ended before an instant, with
	// their runs and evidence, and reports whether more may be left.
	PruneWork(ctx context.Context, workspaceID string, before time.Time, limit int) (more bool, err error)
	// PruneHistory removes a batch and reports whether more may be left.
	PruneHistory(ctx context.Context, workspaceID string, eventsBefore time.Time, limit int) (more bool, err error)
}
