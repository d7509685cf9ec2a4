package demo

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
)

// fastClock lets time pass several times as fast, from now on.
type fastClock struct {
	speed float64
	base  supervisor.Clock
	began time.Time
}

func newFastClock(speed float64, base supervisor.Clock) *fastClock {
	return &fastClock{speed: speed, base: base, began: base.Now()}
}

// Now is ahead of the base clock by what has passed faster.
func (c *fastClock) Now() time.Time {
	passed := c.base.Now().Sub(c.began)
	return c.began.Add(time.Duration(float64(passed) * c.speed))
}

// Sleep waits for d of this clock.
func (c *fastClock) Sleep(ctx context.Context, d time.Duration) error {
	return c.base.Sleep(ctx, time.Duration(float64(d)/c.speed))
}
