package auth

import (
	"context"

	"github.com/recourse-dev/recourse/core/access"
)

// Caller is who makes a call, as its credential says.
type Caller struct {
	WorkspaceID string
	TokenID     string
	DisplayName string
	Role        access.Role
	// InstanceAdmin may act on every workspace of this server.
	InstanceAdmin bool
	// Session says that the credential came as a browser's cookie.
	Session bool
}

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerFrom returns the context's caller; ok is false where nobody has been
// authenticated.
func CallerFrom(ctx context.Context) (caller Caller, ok bool) {
	caller, ok = ctx.Value(callerKey{}).(Caller)
	return caller, ok
}
