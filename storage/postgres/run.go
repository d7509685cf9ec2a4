package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// ClaimWakeup makes a run of a due wakeup. It fails with *work.NotDue,
// WAKEUP_NOT_FOUND, NOT_CLAIMABLE, STALE_GENERATION and SESSION_BUSY.
func (s *Store) ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error) {
	var claim work.Claim
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		l, err := t.lockWakeup(ctx, workspaceID, wakeupID)
		if err != nil {
			return err
		}
		c, err := work.ClaimWakeup(l, in)
		if err != nil {
			return err
		}
		after, err := t.apply(ctx, l, c)
		claim = work.Claim{Wakeup: after.Wakeup, Run: after.Run}
		return err
	})
	return claim, err
}

// BeginSend grants the one send of a run.
func (s *Store) BeginSend(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Run, error) {
	return s.onRun(ctx, in, func(l work.Locked) (work.Change, error) { return work.BeginSend(l, in.Token, settings) })
}

// MarkDelivered records that the agent has the prompt.
func (s *Store) MarkDelivered(ctx context.Context, in work.MarkDelivered, settings recovery.Settings) (work.Run, error) {
	return s.onRun(ctx, in.Lease, func(l work.Locked) (work.Change, error) { return work.Deliver(l, in, settings) })
}

// RecordProgress raises the effects of a run.
func (s *Store) RecordProgress(ctx context.Context, in work.RecordProgress, settings recovery.Settings) (work.Run, error) {
	return s.onRun(ctx, in.Lease, func(l work.Locked) (work.Change, error) { return work.Progress(l, in, settings) })
}

func (s *Store) onRun(ctx context.Context, lease work.Lease, transition work.Transition) (work.Run, error) {
	var run work.Run
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		after, err := t.transit(ctx, lease.WorkspaceID, lease.RunID, transition)
		run = after.Run
		return err
	})
	return run, err
}

func (t *tx) transit(ctx context.Context, workspaceID, runID string, transition work.Transition) (work.Locked, error) {
	l, err := t.lockRun(ctx, workspaceID, runID)
	if err != nil {
		return l, err
	}
	c, err := transition(l)
	if err != nil {
		return l, err
	}
	return t.apply(ctx, l, c)
}

// RenewLease extends a lease and returns when it ends now.
func (s *Store) RenewLease(ctx context.Context, in work.Lease, settings recovery.Settings) (time.Time, error) {
	expires, err := s.renew(ctx, in, settings)
	if err == nil {
		return expires, nil
	}
	if !errors.Is(err, errNoRows) {
		return time.Time{}, asFault(err)
	}
	// It was not renewed; the state machine says why. If it would renew it
	// now, the state changed in between.
	run, err := s.onRun(ctx, in, func(l work.Locked) (work.Change, error) { return work.Heartbeat(l, in.Token, settings) })
	return run.LeaseExpiresAt, err
}

// renew is one statement, so that heartbeats stay cheap.
func (s *Store) renew(ctx context.Context, in work.Lease, settings recovery.Settings) (time.Time, error) {
	id, err := idOf(in.RunID)
	if err != nil {
		return time.Time{}, err
	}
	var expires *time.Time
	try := func() error {
		expires, err = s.queries().RenewLease(ctx, dbsqlc.RenewLeaseParams{
			WorkspaceID: in.WorkspaceID, RunID: id, TokenHash: work.HashToken(in.Token),
			LeaseSeconds: settings.Lease.Seconds(), Now: s.at(),
		})
		return err
	}
	// Renewing twice is the same as once, so a lost connection may be retried.
	again := func(err error) bool { return !errors.Is(err, errNoRows) && (repeatable(err) || lostConnection(err)) }
	if err := s.repeatRaw(ctx, again, try); err != nil {
		return time.Time{}, err
	}
	return instantOf(expires), nil
}

// FailRun settles a run as failed.
func (s *Store) FailRun(ctx context.Context, r work.Request, lease work.Lease, in work.Failure) (work.Settled, error) {
	return s.settle(ctx, r, lease, func(l work.Locked) (work.Change, error) { return work.Fail(l, in) })
}

// SucceedRun settles a run as succeeded.
func (s *Store) SucceedRun(ctx context.Context, r work.Request, lease work.Lease, in work.Success) (work.Settled, error) {
	return s.settle(ctx, r, lease, func(l work.Locked) (work.Change, error) { return work.Succeed(l, in) })
}

func (s *Store) settle(ctx context.Context, r work.Request, lease work.Lease, transition work.Transition) (work.Settled, error) {
	var evidence *work.Run
	settled, replayed, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Settled, error) {
		after, err := t.transit(ctx, lease.WorkspaceID, lease.RunID, transition)
		if err != nil {
			return work.Settled{}, err
		}
		// Evidence is stored once, with the run: the remembered answer has none.
		full := after.Run
		evidence = &full
		after.Run.Evidence = nil
		return work.Settled{Run: after.Run, Wakeup: after.Wakeup}, nil
	})
	if err != nil {
		return work.Settled{}, err
	}
	if !replayed {
		settled.Run.Evidence = evidence.Evidence
		return settled, nil
	}
	stored, err := s.GetRun(ctx, lease.WorkspaceID, settled.Run.ID)
	settled.Run.Evidence = stored.Evidence
	return settled, err
}

// CancelWait ends a wait. It fails with WAKEUP_NOT_FOUND and STALE_VERSION.
func (s *Store) CancelWait(ctx context.Context, r work.Request, in work.CancelWait) (work.Wakeup, error) {
	w, _, err := answerOnce(ctx, s, r, func(ctx context.Context, t *tx) (work.Wakeup, error) {
		l, err := t.lockWakeup(ctx, in.WorkspaceID, in.WakeupID)
		if err != nil {
			return work.Wakeup{}, err
		}
		c, err := work.Cancel(l, in)
		if err != nil {
			return work.Wakeup{}, err
		}
		after, err := t.apply(ctx, l, c)
		return after.Wakeup, err
	})
	return w, err
}
