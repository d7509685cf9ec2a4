package interceptor

import (
	"context"
	"log/slog"
	"time"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/server/auth"
)

// Authenticator finds the caller of a secret. It fails with TOKEN_INVALID. A
// session is a browser's credential, any other an API token.
type Authenticator interface {
	Authenticate(ctx context.Context, secret string, session bool) (auth.Caller, error)
	// CheckWorkspace fails with WORKSPACE_NOT_FOUND.
	CheckWorkspace(ctx context.Context, workspaceID string) error
}

// Config is what the chain needs.
type Config struct {
	Auth      Authenticator
	Log       *slog.Logger
	Now       func() time.Time
	Validator protovalidate.Validator
	Limiter   *Limiter
	Drain     *Drain
	// MaxCall is the longest that a unary call may take.
	MaxCall time.Duration
	// MaxBodyBytes is the longest request message.
	MaxBodyBytes int64
	// Telemetry measures calls; nil for none.
	Telemetry connect.ServerInterceptor
}

// Chain returns the interceptors that every call passes through, outermost
// first. Telemetry and the log see what the caller gets.
func Chain(c Config) []connect.ServerInterceptor {
	var chain []connect.ServerInterceptor
	if c.Telemetry != nil {
		chain = append(chain, c.Telemetry)
	}
	return append(chain,
		answer(c),
		recoverPanics,
		authenticate(c),
		bound(c),
		messages(c),
	)
}
