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
	// database again: a hint of a change on another replica may be lost.
	lookAgain = 10 * time.Second
	// leastSleep keeps clocks that differ by less than a timer's precision
	// from making a loop.
	leastSleep = time.Millisecond
)

// ClaimWakeups implements API. It sleeps until the first of the wakeups is
// due by the database's clock; it does not poll.
func (s *Service) ClaimWakeups(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	switch {
	case len(in.WakeupIDs) > maxClaims:
		return work.Claims{}, fault.Invalid("wakeup_ids", "must be at most %d ids", maxClaims)
	case in.MaxClaims < 0 || in.MaxClaims > maxClaims:
		return work.Claims{}, fault.Invalid("max_claims", "must be 0 to %d", maxClaims)
	case len(in.WakeupIDs) == 0:
		in.MaxClaims, in.Wait = max(in.MaxClaims, 1), min(in.Wait, maxWait)
		return s.due.claim(ctx, in)
	}
	return s.claimByID(ctx, in)
}

// sleepUntil returns after d, or after a change, whichever comes first.
func sleepUntil(ctx context.Context, d time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(max(d, leastSleep))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return gone(ctx)
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

func gone(ctx context.Context) error {
	return fault.Wrap(ctx.Err(), fault.Canceled, fault.ReasonCanceled, "the caller went away")
}

// claimedDue tells whoever must know of claims that workers got.
func (s *Service) claimedDue(workspaceID string, got work.DueClaims) {
	s.signs.seen()
	for _, c := range got.Claims {
		s.waiters.changed(c.Wakeup.ID)
	}
	s.stream.Kick(workspaceID)
	if s.nudged.passed(nudgeEvery) {
		s.nudge()
	}
}

// nudgeEvery keeps a busy queue from waking the reconciler at each batch: it
// looks in time by itself, and is told only so that it sees a silence end.
const nudgeEvery = time.Second
