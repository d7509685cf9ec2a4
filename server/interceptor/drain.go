package interceptor

import (
	"context"
	"sync"
	"time"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
	"github.com/recourse-dev/recourse/server/auth"
)

// Drain tells the calls that wait that the server is stopping. Calls that work
// are left to finish.
type Drain struct {
	once sync.Once
	done chan struct{}
}

// NewDrain returns a Drain that has not begun.
func NewDrain() *Drain { return &Drain{done: make(chan struct{})} }

// Begin ends every waiting call with SHUTTING_DOWN.
func (d *Drain) Begin() { d.once.Do(func() { close(d.done) }) }

// Begun is closed by Begin.
func (d *Drain) Begun() <-chan struct{} { return d.done }

func shuttingDown() *fault.Error {
	return fault.New(fault.Unavailable, fault.ReasonShuttingDown, "the server is stopping; call again").After(time.Second)
}

// waits reports whether a call waits for something to happen. To end a claim
// early is safe: what it may have claimed was not sent, and its lease ends. So is
// a heartbeat: its lease was renewed before it began to wait.
func waits(spec connect.Spec) bool {
	switch spec.Procedure {
	case recoursev1connect.RecoveryServiceClaimWakeupsProcedure, recoursev1connect.RecoveryServiceHeartbeatRunProcedure:
		return true
	}
	return spec.StreamType != connect.StreamTypeUnary
}

// bound gives every call an end: a deadline to a unary one, the server's stop
// to a waiting one, a place among its token's streams to a stream.
func bound(c Config) connect.ServerInterceptor {
	return func(next connect.ServerFunc) connect.ServerFunc {
		return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
			if spec.StreamType == connect.StreamTypeUnary {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.MaxCall)
				defer cancel()
			} else if caller, ok := auth.CallerFrom(ctx); ok {
				closeStream, err := c.Limiter.OpenStream(caller.TokenID)
				if err != nil {
					return err
				}
				defer closeStream()
			}
			if waits(spec) {
				return c.Drain.guard(ctx, func(ctx context.Context) error { return next(ctx, spec, stream) })
			}
			return next(ctx, spec, stream)
		}
	}
}

// guard runs call with a context that the drain cancels.
func (d *Drain) guard(ctx context.Context, call func(context.Context) error) error {
	guarded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-d.done:
			cancel(shuttingDown())
		case <-guarded.Done():
		}
	}()
	err := call(guarded)
	if err != nil && ctx.Err() == nil && guarded.Err() != nil {
		err = explain(guarded, err)
	}
	cancel(nil)
	<-watched
	return err
}
