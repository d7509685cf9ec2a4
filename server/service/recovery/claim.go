package recovery

import (
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

const (
	maxWait   = 30 * time.Second
	maxClaims = 100
	// lookAgain is how long a claim sleeps at most before it looks at the
	// database again: a change on another replica gives it no hint.
	lookAgain = 10 * time.Second
	// leastSleep keeps clocks that differ by less than a timer's precision
	// from making a loop.
	leastSleep = time.Millisecond
)

// ClaimWakeups implements API. It sleeps until the first of the wakeups is
// due by the database's clock; it does not poll.
func (s *Service) ClaimWakeups(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	if len(in.WakeupIDs) == 0 || len(in.WakeupIDs) > maxClaims {
		return work.Claims{}, fault.Invalid("wakeup_ids", "must be 1 to %d ids", maxClaims)
	}
	deadline := time.Now().Add(min(max(in.Wait, 0), maxWait))
	// Listen before looking, so that no change falls between the two.
	changed, remove := s.waiters.add(in.WakeupIDs)
	defer remove()
	for {
		claims, sleep, err := s.claimDue(ctx, in)
		if err != nil || len(claims.Claims) > 0 {
			return claims, err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return claims, nil
		}
		if err := sleepUntil(ctx, min(sleep, left, lookAgain), changed); err != nil {
			return work.Claims{}, err
		}
	}
}

// sleepUntil returns after d, or after a change, whichever comes first.
func sleepUntil(ctx context.Context, d time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(max(d, leastSleep))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Canceled, fault.ReasonCanceled, "the caller went away")
	case <-timer.C:
	case <-changed:
	}
	return nil
}

// claimDue claims what is due. If nothing was, it says when the first will be,
// and how long that is by the database's clock. It fails when nothing was
// claimed and nothing can be waited for.
func (s *Service) claimDue(ctx context.Context, in work.ClaimWakeups) (claims work.Claims, sleep time.Duration, err error) {
	var refused error
	for _, id := range in.WakeupIDs {
		claim, err := s.claimOne(ctx, in, id)
		var early *work.NotDue
		switch {
		case err == nil:
			claims.Claims = append(claims.Claims, claim)
		case errors.As(err, &early):
			if claims.NextDueAt.IsZero() || early.DueAt.Before(claims.NextDueAt) {
				claims.NextDueAt, sleep = early.DueAt, early.DueAt.Sub(early.Now)
			}
		case refused == nil:
			refused = err
		}
	}
	switch {
	case len(claims.Claims) > 0:
		claims.NextDueAt = time.Time{}
		s.nudge()
		return claims, 0, nil
	case claims.NextDueAt.IsZero():
		return work.Claims{}, 0, refused
	}
	return claims, sleep, nil
}

func (s *Service) claimOne(ctx context.Context, in work.ClaimWakeups, wakeupID string) (work.Claim, error) {
	runID, err := newID()
	if err != nil {
		return work.Claim{}, err
	}
	token := newToken()
	claim, err := s.store.ClaimWakeup(ctx, in.WorkspaceID, wakeupID, work.ClaimRequest{
		Supervisor: in.Supervisor, TakeOver: in.TakeOver, RunID: runID, TokenHash: work.HashToken(token), Settings: s.settings,
	})
	if err != nil {
		return work.Claim{}, err
	}
	claim.LeaseToken = token
	s.signs.seen()
	s.wake(in.WorkspaceID, wakeupID)
	return claim, nil
}
