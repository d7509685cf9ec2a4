package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

const (
	// expireBatch bounds one look, so that a great outage is worked off in
	// steps that each give way to callers.
	expireBatch = 100
	// retryPause is the wait after the database did not answer.
	retryPause = time.Second
)

// Reconcile ends leases and graces that have passed, and prunes what need not
// be kept, until ctx ends. Every replica may run it. It sleeps until the next
// deadline that it knows; a claim in this process wakes it, and a third of a
// lease is the longest sleep while anything is watched, because claims of other
// replicas do not.
func (s *Service) Reconcile(ctx context.Context) {
	q := quiet{lease: s.settings.Lease}
	pruneAt := time.Now().Add(firstPrune)
	for ctx.Err() == nil {
		sleep := s.reconcileOnce(ctx, &q)
		if !time.Now().Before(pruneAt) {
			s.prune(ctx)
			pruneAt = time.Now().Add(pruneEvery)
		}
		timer := time.NewTimer(sleep)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.reconcile:
		}
		timer.Stop()
	}
}

// nudge tells the reconciler that a deadline came nearer.
func (s *Service) nudge() {
	select {
	case s.reconcile <- struct{}{}:
	default:
	}
}

func (s *Service) reconcileOnce(ctx context.Context, q *quiet) (sleep time.Duration) {
	asked := time.Now()
	survey, err := s.store.Survey(ctx)
	if err != nil {
		s.complain(ctx, "look for expired leases", err)
		q.disturbed()
		return retryPause
	}
	allowed := q.look(reading{now: survey.Now, asked: asked, heard: time.Now()}, s.lastSign(survey))
	if survey.Watched == 0 {
		return s.settings.Lease
	}
	overdue := !survey.NextDeadlineAt.After(survey.Now)
	switch {
	case overdue && !allowed:
		return max(q.until.Sub(survey.Now), leastSleep)
	case overdue:
		if !s.expire(ctx) {
			q.disturbed()
			return retryPause
		}
		return leastSleep
	}
	return max(min(survey.NextDeadlineAt.Sub(survey.Now), s.settings.Lease/3), leastSleep)
}

// lastSign is the last sign of life of any owner, by the database's clock:
// one of a run that has settled since counts too.
func (s *Service) lastSign(survey work.Survey) time.Time {
	last := survey.LastHeartbeatAt
	if ago, ok := s.signs.ago(); ok {
		if here := survey.Now.Add(-ago); here.After(last) {
			last = here
		}
	}
	return last
}

// expire works off a batch; it reports false when the database failed.
func (s *Service) expire(ctx context.Context) bool {
	refs, err := s.store.FindOverdue(ctx, expireBatch)
	if err != nil {
		s.complain(ctx, "find expired leases", err)
		return false
	}
	for _, ref := range refs {
		changed, err := s.store.ExpireRun(ctx, ref, s.settings)
		if err != nil {
			s.complain(ctx, "expire a lease", err)
			return false
		}
		if changed {
			s.log.InfoContext(ctx, "lease or grace ended", "workspace_id", ref.WorkspaceID, "run_id", ref.RunID)
			s.due.changed(ref.WorkspaceID)
			s.stream.Kick(ref.WorkspaceID)
		}
	}
	return true
}

func (s *Service) complain(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		s.log.WarnContext(ctx, "could not "+what, "error", err)
	}
}
