package interceptor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// answer maps what a call ended with to its wire form and logs the call: never
// a body, a credential or the text of an answer.
func answer(c Config) connect.ServerInterceptor {
	return func(next connect.ServerFunc) connect.ServerFunc {
		return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
			started := c.Now()
			caller := &callerSlot{}
			err := next(context.WithValue(ctx, slotKey{}, caller), spec, stream)
			if err == nil {
				c.Log.LogAttrs(ctx, slog.LevelDebug, "call", attrs(ctx, spec, c.Now().Sub(started), caller, nil)...)
				return nil
			}
			f := explain(ctx, err)
			c.Log.LogAttrs(ctx, levelOf(f), "call", attrs(ctx, spec, c.Now().Sub(started), caller, f)...)
			return rpcerror.Connect(f)
		}
	}
}

// explain prefers the reason why the server ended a call over the cancelled
// context that the call saw.
func explain(ctx context.Context, err error) *fault.Error {
	f := rpcerror.From(err)
	if f.Kind != fault.Canceled && f.Kind != fault.DeadlineExceeded {
		return f
	}
	var cause *fault.Error
	if errors.As(context.Cause(ctx), &cause) {
		return cause
	}
	return f
}

func levelOf(f *fault.Error) slog.Level {
	switch f.Kind {
	case fault.Internal:
		return slog.LevelError
	case fault.Unavailable:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func attrs(ctx context.Context, spec connect.Spec, took time.Duration, caller *callerSlot, f *fault.Error) []slog.Attr {
	request := RequestFrom(ctx)
	out := []slog.Attr{
		slog.String("request_id", request.ID),
		slog.String("procedure", spec.Procedure),
		slog.String("protocol", request.Protocol),
		slog.String("remote", request.RemoteAddr),
		slog.Duration("took", took),
	}
	if caller.set {
		out = append(out, slog.String("workspace_id", caller.WorkspaceID), slog.String("token_id", caller.TokenID))
	}
	if f == nil {
		return append(out, slog.String("code", "ok"))
	}
	out = append(out, slog.String("code", rpcerror.Code(f.Kind).String()), slog.String("reason", string(f.Reason)))
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		// Only these have a cause that the caller did not send itself.
		out = append(out, slog.String("cause", f.Error()))
	}
	return out
}

// callerSlot carries the caller outwards, to the log.
type callerSlot struct {
	auth.Caller
	set bool
}

type slotKey struct{}

func rememberCaller(ctx context.Context, caller auth.Caller) {
	if slot, ok := ctx.Value(slotKey{}).(*callerSlot); ok {
		slot.Caller, slot.set = caller, true
	}
}

// recoverPanics turns a panic of a handler into an internal fault whose cause
// has the stack; only the log sees it.
func recoverPanics(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) (err error) {
		defer func() {
			if value := recover(); value != nil {
				cause := fmt.Errorf("panic: %v\n%s", value, debug.Stack())
				err = fault.Wrap(cause, fault.Internal, fault.ReasonInternal, "internal error")
			}
		}()
		return next(ctx, spec, stream)
	}
}
