package model

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	service "github.com/recourse-dev/recourse/server/service/recovery"
)

// faulty is a store of which every method fails now and then: with an error,
// with a timeout, and, the worst, with a timeout after it has done everything.
type faulty struct {
	service.Store
	percent int
	on      atomic.Bool
	mu      sync.Mutex
	calls   map[string]int // by method
	faults  map[string]int // by method and kind
}

func newFaulty(store service.Store, percent int) *faulty {
	return &faulty{Store: store, percent: percent, calls: map[string]int{}, faults: map[string]int{}}
}

var (
	errBroken = fault.New(fault.Unavailable, fault.ReasonDatabaseUnavailable, "planted: the database does not answer")
	errLate   = fault.New(fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "planted: the database answers too late")
)

// the kinds of faults.
const (
	faultError    = "error"
	faultTimeout  = "timeout"
	faultExecuted = "executed, then timeout"
)

func (f *faulty) draw(method string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls[method]++
	if !f.on.Load() || rand.IntN(100) >= f.percent {
		return ""
	}
	kind := []string{faultError, faultTimeout, faultExecuted}[rand.IntN(3)]
	f.faults[kind]++
	return kind
}

// through makes a call that may fail.
func through[T any](f *faulty, method string, do func() (T, error)) (T, error) {
	var nothing T
	switch f.draw(method) {
	case faultError:
		return nothing, errBroken
	case faultTimeout:
		return nothing, errLate
	case faultExecuted:
		_, _ = do()
		return nothing, errLate
	}
	return do()
}

func (f *faulty) BeginPrompt(ctx context.Context, r work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error) {
	return through(f, "BeginPrompt", func() (work.Begun, error) { return f.Store.BeginPrompt(ctx, r, in, ids) })
}

func (f *faulty) ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error) {
	return through(f, "ClaimWakeup", func() (work.Claim, error) { return f.Store.ClaimWakeup(ctx, workspaceID, wakeupID, in) })
}

func (f *faulty) NextDue(ctx context.Context, workspaceID string, after time.Time, hostIDs []string) (work.NextDue, error) {
	return through(f, "NextDue", func() (work.NextDue, error) { return f.Store.NextDue(ctx, workspaceID, after, hostIDs) })
}

func (f *faulty) ClaimDue(ctx context.Context, in work.ClaimDue) (work.DueClaims, error) {
	return through(f, "ClaimDue", func() (work.DueClaims, error) { return f.Store.ClaimDue(ctx, in) })
}

func (f *faulty) ReleaseRun(ctx context.Context, in work.Lease, s recovery.Settings) (work.Run, error) {
	return through(f, "ReleaseRun", func() (work.Run, error) { return f.Store.ReleaseRun(ctx, in, s) })
}

func (f *faulty) BeginSend(ctx context.Context, in work.Lease, s recovery.Settings) (work.Run, error) {
	return through(f, "BeginSend", func() (work.Run, error) { return f.Store.BeginSend(ctx, in, s) })
}

func (f *faulty) MarkDelivered(ctx context.Context, in work.MarkDelivered, s recovery.Settings) (work.Run, error) {
	return through(f, "MarkDelivered", func() (work.Run, error) { return f.Store.MarkDelivered(ctx, in, s) })
}

func (f *faulty) RecordProgress(ctx context.Context, in work.RecordProgress, s recovery.Settings) (work.Run, error) {
	return through(f, "RecordProgress", func() (work.Run, error) { return f.Store.RecordProgress(ctx, in, s) })
}

func (f *faulty) RenewLease(ctx context.Context, in work.Lease, s recovery.Settings) (work.Renewed, error) {
	return through(f, "RenewLease", func() (work.Renewed, error) { return f.Store.RenewLease(ctx, in, s) })
}

func (f *faulty) FailRun(ctx context.Context, r work.Request, l work.Lease, in work.Failure) (work.Settled, error) {
	return through(f, "FailRun", func() (work.Settled, error) { return f.Store.FailRun(ctx, r, l, in) })
}

func (f *faulty) SucceedRun(ctx context.Context, r work.Request, l work.Lease, in work.Success) (work.Settled, error) {
	return through(f, "SucceedRun", func() (work.Settled, error) { return f.Store.SucceedRun(ctx, r, l, in) })
}

func (f *faulty) CancelWait(ctx context.Context, r work.Request, in work.CancelWait) (work.Wakeup, error) {
	return through(f, "CancelWait", func() (work.Wakeup, error) { return f.Store.CancelWait(ctx, r, in) })
}

func (f *faulty) RetryNow(ctx context.Context, r work.Request, in work.RetryNow) (work.Wakeup, error) {
	return through(f, "RetryNow", func() (work.Wakeup, error) { return f.Store.RetryNow(ctx, r, in) })
}

func (f *faulty) StopRun(ctx context.Context, r work.Request, in work.StopRun) (work.Stopped, error) {
	return through(f, "StopRun", func() (work.Stopped, error) { return f.Store.StopRun(ctx, r, in) })
}

func (f *faulty) GoOn(ctx context.Context, r work.Request, in work.GoOn, id string) (work.Begun, error) {
	return through(f, "GoOn", func() (work.Begun, error) { return f.Store.GoOn(ctx, r, in, id) })
}

func (f *faulty) GetSessionRecovery(ctx context.Context, workspaceID, sessionID string) (work.SessionRecovery, error) {
	return through(f, "GetSessionRecovery", func() (work.SessionRecovery, error) {
		return f.Store.GetSessionRecovery(ctx, workspaceID, sessionID)
	})
}

func (f *faulty) ListRecoveries(ctx context.Context, in work.RecoveryFilter) ([]work.SessionRecovery, error) {
	return through(f, "ListRecoveries", func() ([]work.SessionRecovery, error) { return f.Store.ListRecoveries(ctx, in) })
}

func (f *faulty) UpdateWorkspace(ctx context.Context, r work.Request, in work.UpdateWorkspace) (access.Workspace, error) {
	return through(f, "UpdateWorkspace", func() (access.Workspace, error) { return f.Store.UpdateWorkspace(ctx, r, in) })
}

func (f *faulty) FindSwitched(ctx context.Context, workspaceID string, off bool, limit int) ([]string, error) {
	return through(f, "FindSwitched", func() ([]string, error) { return f.Store.FindSwitched(ctx, workspaceID, off, limit) })
}

func (f *faulty) SwitchWakeup(ctx context.Context, workspaceID, wakeupID string, s recovery.Settings) (bool, error) {
	return through(f, "SwitchWakeup", func() (bool, error) { return f.Store.SwitchWakeup(ctx, workspaceID, wakeupID, s) })
}

func (f *faulty) ListAttempts(ctx context.Context, in work.AttemptFilter) ([]work.Attempt, error) {
	return through(f, "ListAttempts", func() ([]work.Attempt, error) { return f.Store.ListAttempts(ctx, in) })
}

func (f *faulty) Survey(ctx context.Context) (work.Survey, error) {
	return through(f, "Survey", func() (work.Survey, error) { return f.Store.Survey(ctx) })
}

func (f *faulty) FindOverdue(ctx context.Context, limit int) ([]work.RunRef, error) {
	return through(f, "FindOverdue", func() ([]work.RunRef, error) { return f.Store.FindOverdue(ctx, limit) })
}

func (f *faulty) ExpireRun(ctx context.Context, ref work.RunRef, s recovery.Settings) (bool, error) {
	return through(f, "ExpireRun", func() (bool, error) { return f.Store.ExpireRun(ctx, ref, s) })
}

func (f *faulty) GetWakeup(ctx context.Context, workspaceID, id string) (work.Wakeup, error) {
	return through(f, "GetWakeup", func() (work.Wakeup, error) { return f.Store.GetWakeup(ctx, workspaceID, id) })
}

func (f *faulty) ListWakeups(ctx context.Context, in work.WakeupFilter) ([]work.Wakeup, error) {
	return through(f, "ListWakeups", func() ([]work.Wakeup, error) { return f.Store.ListWakeups(ctx, in) })
}

func (f *faulty) GetRun(ctx context.Context, workspaceID, id string) (work.Run, error) {
	return through(f, "GetRun", func() (work.Run, error) { return f.Store.GetRun(ctx, workspaceID, id) })
}

func (f *faulty) ListRuns(ctx context.Context, in work.RunFilter) ([]work.Run, error) {
	return through(f, "ListRuns", func() ([]work.Run, error) { return f.Store.ListRuns(ctx, in) })
}

func (f *faulty) WorkspaceIDs(ctx context.Context, after string, limit int) ([]string, error) {
	return through(f, "WorkspaceIDs", func() ([]string, error) { return f.Store.WorkspaceIDs(ctx, after, limit) })
}

func (f *faulty) PruneWork(ctx context.Context, workspaceID string, before time.Time, limit int) (bool, error) {
	return through(f, "PruneWork", func() (bool, error) { return f.Store.PruneWork(ctx, workspaceID, before, limit) })
}

func (f *faulty) PruneHistory(ctx context.Context, workspaceID string, before time.Time, limit int) (bool, error) {
	return through(f, "PruneHistory", func() (bool, error) { return f.Store.PruneHistory(ctx, workspaceID, before, limit) })
}
