package supervisor

import (
	"context"
	"time"
)

// Clock is the time that decides and waits.
type Clock interface {
	Now() time.Time
	// Sleep waits for d or for the end of ctx, whose error it then returns.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the clock of the host.
type System struct{}

// Now is the host's time.
func (System) Now() time.Time { return time.Now() }

// Sleep waits on the host's time.
func (System) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// sleepUntil waits in steps: a host that was suspended wakes up late on a
// timer that counts only the time it was awake.
func sleepUntil(ctx context.Context, clock Clock, at time.Time) error {
	const step = 30 * time.Second
	for {
		left := at.Sub(clock.Now())
		if left <= 0 {
			return ctx.Err()
		}
		if err := clock.Sleep(ctx, min(left, step)); err != nil {
			return err
		}
	}
}
