package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// claimByID claims the named wakeups that are due. If none is it sleeps until
// one is, or until something happens to one of them.
func (s *Service) claimByID(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	claims, _, err := s.claimDue(ctx, in)
	wait := min(max(in.Wait, 0), maxWait)
	if err != nil || len(claims.Claims) > 0 || wait == 0 {
		return claims, err
	}
	deadline := time.Now().Add(wait)
	// Listen before looking again, so that no change falls between the two.
	changed, leave := s.listen(ctx, in.WorkspaceID, in.WakeupIDs)
	defer leave()
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
