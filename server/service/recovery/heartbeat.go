package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// HeartbeatRun implements API. The lease is renewed at once; then the answer is
// held until a stop is asked for, or until the next heartbeat would be due. A
// lease that is held for a caller that has gone is not renewed again, so that
// it ends as soon as one that nobody held.
func (s *Service) HeartbeatRun(ctx context.Context, in work.HeartbeatRun) (work.Renewed, error) {
	hold := min(max(in.Wait, 0), s.settings.Lease/3)
	if hold == 0 {
		return s.renew(ctx, in.Lease)
	}
	// Listen before looking, so that no request falls between the two.
	changed, leave := s.listen(ctx, in.WorkspaceID, []string{in.RunID})
	defer leave()
	var until time.Time
	for {
		renewed, err := s.renew(ctx, in.Lease)
		if err != nil || renewed.StopRequested {
			return renewed, err
		}
		renewedAt := time.Now()
		if until.IsZero() {
			until = renewedAt.Add(hold)
		}
		woken, err := sleepOrChange(ctx, until.Sub(renewedAt), changed)
		if err != nil {
			return work.Renewed{}, err
		}
		if !woken {
			renewed.Lease -= time.Since(renewedAt)
			return renewed, nil
		}
	}
}

// sleepOrChange returns after d, or after a change, and says which it was.
func sleepOrChange(ctx context.Context, d time.Duration, changed <-chan struct{}) (woken bool, err error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, fault.Wrap(ctx.Err(), fault.Canceled, fault.ReasonCanceled, "the caller went away")
	case <-timer.C:
		return false, nil
	case <-changed:
		return true, nil
	}
}

func (s *Service) renew(ctx context.Context, in work.Lease) (work.Renewed, error) {
	renewed, err := s.store.RenewLease(ctx, in, s.settings)
	if err != nil {
		return work.Renewed{}, err
	}
	s.signs.seen()
	return renewed, nil
}
