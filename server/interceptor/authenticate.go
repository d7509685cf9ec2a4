package interceptor

import (
	"context"
	"strings"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
)

// authenticate finds the caller, asks the table whether its role may call this
// method, and takes one call from its allowance. It runs before the body is read.
func authenticate(c Config) connect.ServerInterceptor {
	return func(next connect.ServerFunc) connect.ServerFunc {
		return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
			allowed, known := permissionFor(spec.Procedure)
			if known && allowed.public {
				return next(ctx, spec, stream)
			}
			caller, err := Authenticate(ctx, c.Auth)
			if err != nil {
				return err
			}
			rememberCaller(ctx, caller)
			if err := permit(spec.Procedure, allowed, known, caller); err != nil {
				return err
			}
			if err := c.Limiter.Take(caller.TokenID); err != nil {
				return err
			}
			return next(auth.WithCaller(ctx, caller), spec, stream)
		}
	}
}

// Authenticate finds the caller of the context's request. It fails with
// TOKEN_MISSING, TOKEN_INVALID or ORIGIN_NOT_ALLOWED.
func Authenticate(ctx context.Context, a Authenticator) (auth.Caller, error) {
	request := RequestFrom(ctx)
	if request.Authorization != "" {
		scheme, secret, ok := strings.Cut(request.Authorization, " ")
		if !ok || !strings.EqualFold(scheme, "Bearer") {
			return auth.Caller{}, fault.New(fault.Unauthenticated, fault.ReasonTokenInvalid, "send the token as \"Authorization: Bearer …\"")
		}
		return a.Authenticate(ctx, strings.TrimSpace(secret), false)
	}
	if request.Cookie == "" {
		return auth.Caller{}, fault.New(fault.Unauthenticated, fault.ReasonTokenMissing, "a token is needed: send it as \"Authorization: Bearer …\"")
	}
	if request.CrossOrigin != "" {
		return auth.Caller{}, OriginNotAllowed(request.CrossOrigin)
	}
	return a.Authenticate(ctx, request.Cookie, true)
}

// OriginNotAllowed is the fault of a call with a cookie that another site sent.
func OriginNotAllowed(origin string) *fault.Error {
	return fault.New(fault.PermissionDenied, fault.ReasonOriginNotAllowed,
		"a call with a session cookie must come from this server's own pages").With("origin", printable(origin))
}

func permit(procedure string, allowed permission, known bool, caller auth.Caller) error {
	if !known {
		return fault.New(fault.Unimplemented, fault.ReasonUnimplemented, "no such method: %s", printable(procedure)).
			With("method", printable(procedure))
	}
	if allowed.allows(caller.Role) {
		return nil
	}
	return fault.New(fault.PermissionDenied, fault.ReasonRoleInsufficient,
		"role %s may not do this; it needs %s", caller.Role, allowed.least).
		With("role", string(caller.Role)).With("required_role", string(allowed.least))
}
