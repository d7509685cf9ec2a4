package postgres

import (
	"context"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// ClaimWakeup makes a run of a due wakeup. It fails with *work.NotDue,
// WAKEUP_NOT_FOUND, NOT_CLAIMABLE, STALE_GENERATION and SESSION_BUSY.
func (s *Store) ClaimWakeup(ctx context.Context, workspaceID, wakeupID string, in work.ClaimRequest) (work.Claim, error) {
	var claim work.Claim
	var held error
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		held = nil
		l, err := t.lockWakeup(ctx, workspaceID, wakeupID)
		if err != nil {
			return err
		}
		c, err := work.ClaimWakeup(l, in)
		if err != nil {
			return err
		}
		after, err := t.apply(ctx, l, c)
		if err != nil {
			return err
		}
		if !c.NewRun {
			held = after.Held()
			return nil
		}
		claim = work.Claim{Wakeup: after.Wakeup, Run: after.Run, DueAt: l.Wakeup.DueAt}
		claim.Payload, err = t.payload(ctx, after.Wakeup, after.Run)
		return err
	})
	if err == nil {
		err = held
	}
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
	settled.Run.Evidence, settled.Replayed = stored.Evidence, true
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
