package model

import (
	"context"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// path is the part of a store that the machine drives. The in-memory table and
// PostgreSQL both have it, so that one machine tests both.
type path interface {
	BeginPrompt(ctx context.Context, r work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error)
	ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error)
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
	ExpireRun(ctx context.Context, ref work.RunRef, settings recovery.Settings) (bool, error)
	GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error)
	GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error)
}

// table keeps one session in memory and applies core/work's transitions to it
// as storage does: compare and set on each version.
type table struct {
	now     func() time.Time
	session work.Session
	wakeups map[string]work.Wakeup
	runs    map[string]work.Run
	hashes  map[string][]byte
	newest  string
	// spoil plants a fault: it changes what a step sees of the locked rows.
	spoil func(step string, l *work.Locked)
}

func newTable(now func() time.Time) *table {
	return &table{
		now: now, wakeups: map[string]work.Wakeup{}, runs: map[string]work.Run{}, hashes: map[string][]byte{},
		spoil: func(string, *work.Locked) {},
	}
}

func (t *table) lock(wakeupID, runID string) work.Locked {
	w := t.wakeups[wakeupID]
	if runID == "" {
		runID = w.LastRunID
	}
	return work.Locked{Session: t.session, Wakeup: w, Run: t.runs[runID], TokenHash: t.hashes[runID], Mode: recovery.ModePolicy, Now: t.now()}
}

func (t *table) lockRun(runID string) work.Locked { return t.lock(t.runs[runID].WakeupID, runID) }

func (t *table) apply(l work.Locked, c work.Change, err error) error {
	if err != nil {
		return err
	}
	if s := c.Session; s != nil {
		if s.Version != l.Session.Version+1 {
			return fmt.Errorf("session version %d after %d", s.Version, l.Session.Version)
		}
		t.session = *s
	}
	if w := c.Wakeup; w != nil {
		if w.Version != l.Wakeup.Version+1 {
			return fmt.Errorf("wakeup version %d after %d", w.Version, l.Wakeup.Version)
		}
		t.wakeups[w.ID] = *w
	}
	if r := c.Run; r != nil {
		if !c.NewRun && r.Version != l.Run.Version+1 {
			return fmt.Errorf("run version %d after %d", r.Version, l.Run.Version)
		}
		t.runs[r.ID] = *r
		if c.NewRun {
			t.hashes[r.ID] = c.TokenHash
		}
	}
	return nil
}

func (t *table) onRun(step string, lease work.Lease, transition work.Transition) (work.Run, error) {
	l := t.lockRun(lease.RunID)
	t.spoil(step, &l)
	c, err := transition(l)
	err = t.apply(l, c, err)
	return t.runs[lease.RunID], err
}

func (t *table) BeginPrompt(_ context.Context, _ work.Request, in work.BeginPrompt, ids work.BeginIDs) (work.Begun, error) {
	c, err := work.Begin(t.open(), in, ids)
	return t.begun(c, err)
}

func (t *table) open() work.BeginState {
	state := work.BeginState{Session: t.session, Now: t.now()}
	for id, w := range t.wakeups {
		if !w.Status.Ended() {
			state.Open = append(state.Open, t.lock(id, ""))
		}
	}
	return state
}

func (t *table) begun(c work.BeginChange, err error) (work.Begun, error) {
	if err != nil {
		return work.Begun{}, err
	}
	for _, w := range c.Superseded {
		t.wakeups[w.ID] = w
	}
	t.session, t.wakeups[c.Wakeup.ID], t.newest = c.Session, c.Wakeup, c.Wakeup.ID
	return work.Begun{Session: c.Session, Wakeup: c.Wakeup}, nil
}

func (t *table) ClaimWakeup(_ context.Context, _, wakeupID string, in work.ClaimRequest) (work.Claim, error) {
	l := t.lock(wakeupID, "")
	t.spoil("claim", &l)
	c, err := work.ClaimWakeup(l, in)
	if err := t.apply(l, c, err); err != nil {
		return work.Claim{}, err
	}
	return work.Claim{Wakeup: *c.Wakeup, Run: *c.Run, DueAt: l.Wakeup.DueAt}, nil
}

func (t *table) ReleaseRun(_ context.Context, in work.Lease, s recovery.Settings) (work.Run, error) {
	return t.onRun("release", in, func(l work.Locked) (work.Change, error) { return work.Release(l, in.Token, s) })
}

func (t *table) BeginSend(_ context.Context, in work.Lease, s recovery.Settings) (work.Run, error) {
	return t.onRun("send", in, func(l work.Locked) (work.Change, error) { return work.BeginSend(l, in.Token, s) })
}

func (t *table) MarkDelivered(_ context.Context, in work.MarkDelivered, s recovery.Settings) (work.Run, error) {
	return t.onRun("deliver", in.Lease, func(l work.Locked) (work.Change, error) { return work.Deliver(l, in, s) })
}

func (t *table) RecordProgress(_ context.Context, in work.RecordProgress, s recovery.Settings) (work.Run, error) {
	return t.onRun("progress", in.Lease, func(l work.Locked) (work.Change, error) { return work.Progress(l, in, s) })
}

func (t *table) RenewLease(_ context.Context, in work.Lease, s recovery.Settings) (work.Renewed, error) {
	r, err := t.onRun("heartbeat", in, func(l work.Locked) (work.Change, error) { return work.Heartbeat(l, in.Token, s) })
	return work.Renewed{LeaseExpiresAt: r.LeaseExpiresAt}, err
}

func (t *table) FailRun(_ context.Context, _ work.Request, lease work.Lease, in work.Failure) (work.Settled, error) {
	r, err := t.onRun("fail", lease, func(l work.Locked) (work.Change, error) { return work.Fail(l, in) })
	return work.Settled{Run: r, Wakeup: t.wakeups[r.WakeupID]}, err
}

func (t *table) SucceedRun(_ context.Context, _ work.Request, lease work.Lease, in work.Success) (work.Settled, error) {
	r, err := t.onRun("succeed", lease, func(l work.Locked) (work.Change, error) { return work.Succeed(l, in) })
	return work.Settled{Run: r, Wakeup: t.wakeups[r.WakeupID]}, err
}

func (t *table) CancelWait(_ context.Context, _ work.Request, in work.CancelWait) (work.Wakeup, error) {
	l := t.lock(in.WakeupID, "")
	t.spoil("cancel", &l)
	c, err := work.Cancel(l, in)
	err = t.apply(l, c, err)
	return t.wakeups[in.WakeupID], err
}

func (t *table) RetryNow(_ context.Context, _ work.Request, in work.RetryNow) (work.Wakeup, error) {
	l := t.lock(in.WakeupID, "")
	t.spoil("retry now", &l)
	c, err := work.Retry(l, in)
	err = t.apply(l, c, err)
	return t.wakeups[in.WakeupID], err
}

func (t *table) StopRun(_ context.Context, _ work.Request, in work.StopRun) (work.Stopped, error) {
	r, err := t.onRun("stop", work.Lease{RunID: in.RunID}, func(l work.Locked) (work.Change, error) { return work.Stop(l, in) })
	return work.Stopped{Run: r, Wakeup: t.wakeups[r.WakeupID]}, err
}

func (t *table) GoOn(_ context.Context, _ work.Request, in work.GoOn, wakeupID string) (work.Begun, error) {
	w := t.wakeups[t.newest]
	standing := work.Standing{Session: t.session, Wakeup: w, Run: t.runs[w.LastRunID]}
	for _, r := range t.runs {
		e := r.Effects
		acted := !e.AssistantOutput.Safe() || !e.ToolActivity.Safe() || !e.PartialResult.Safe()
		if r.WakeupID == w.ID && (!r.SendingAt.IsZero() && r.Outcome != recovery.OutcomeNotSent || acted) {
			standing.Sent = true
		}
	}
	c, err := work.Continue(work.GoOnState{BeginState: t.open(), Newest: standing}, in, wakeupID)
	return t.begun(c.BeginChange, err)
}

func (t *table) ExpireRun(_ context.Context, ref work.RunRef, s recovery.Settings) (bool, error) {
	l := t.lockRun(ref.RunID)
	t.spoil("expire", &l)
	c, err := work.Expire(l, s)
	return c.Run != nil, t.apply(l, c, err)
}

func (t *table) GetWakeup(_ context.Context, _, id string) (work.Wakeup, error) {
	w := t.wakeups[id]
	w.SessionState = t.session.State
	return w, nil
}

func (t *table) GetRun(_ context.Context, _, id string) (work.Run, error) { return t.runs[id], nil }
