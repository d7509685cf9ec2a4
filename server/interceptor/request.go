// Package interceptor holds what every call passes through, whatever its
// protocol: the edge of the HTTP server, then one chain of interceptors that
// runs once for gRPC, gRPC-Web, Connect and REST alike.
package interceptor

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// Request is what the edge took from an HTTP request before any protocol read
// it. The chain reads credentials from here only, so that a REST caller cannot
// smuggle them in as gRPC metadata.
type Request struct {
	ID            string // the caller's x-request-id if it is fit, else a new one
	RemoteAddr    string
	Protocol      string // rest, connect, grpc or grpcweb
	Authorization string // the header as sent
	Cookie        string // the session cookie's value
	// CrossOrigin names the origin when a browser says that another site sent
	// the request, or when an unsafe method does not say who did.
	CrossOrigin string
}

type requestKey struct{}

// WithRequest returns a context that carries the request.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestFrom returns the context's request; an empty one where there is none.
func RequestFrom(ctx context.Context) *Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return r
	}
	return &Request{}
}

func newRequest(r *http.Request) *Request {
	return &Request{
		ID:            requestID(r.Header.Get("X-Request-Id")),
		RemoteAddr:    r.RemoteAddr,
		Protocol:      protocolOf(r),
		Authorization: r.Header.Get("Authorization"),
		Cookie:        sessionCookie(r),
		CrossOrigin:   crossOrigin(r),
	}
}

// requestID keeps an id that is safe to log and to search for.
func requestID(sent string) string {
	const longest = 64
	unsafe := func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", c)
	}
	if sent != "" && len(sent) <= longest && !strings.ContainsFunc(sent, unsafe) {
		return sent
	}
	return uuid.Must(uuid.NewV7()).String()
}

func protocolOf(r *http.Request) string {
	contentType := r.Header.Get("Content-Type")
	switch {
	case strings.HasPrefix(contentType, "application/grpc-web"):
		return "grpcweb"
	case strings.HasPrefix(contentType, "application/grpc"):
		return "grpc"
	case isProcedure(r):
		return "connect"
	}
	return "rest"
}
