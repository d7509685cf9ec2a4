package interceptor

import (
	"net/http"
	"strings"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// acceptPost are the content types of a unary call.
const acceptPost = "application/json, application/proto, application/grpc, application/grpc-web"

// Protocols answers, with a reason, what the RPC library would refuse without
// one: a wrong method, content type, encoding or timeout on an RPC's path.
func Protocols(specs func(procedure string) (connect.Spec, bool), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		spec, ok := specs(r.URL.Path)
		if !ok {
			rpcerror.Write(w, r, unknownMethod(r))
			return
		}
		if f := checkMethod(w, r, spec); f != nil {
			rpcerror.Write(w, r, f)
			return
		}
		if f := checkHeaders(w, r, spec); f != nil {
			rpcerror.Write(w, r, f)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func unknownMethod(r *http.Request) *fault.Error {
	path := printable(r.URL.Path)
	if rpcerror.IsRPC(r) {
		return fault.New(fault.Unimplemented, fault.ReasonUnimplemented, "no such method: %s", path).With("method", path)
	}
	return fault.New(fault.NotFound, fault.ReasonRouteNotFound, "no such path: %s", path).With("path", path)
}

func checkMethod(w http.ResponseWriter, r *http.Request, spec connect.Spec) *fault.Error {
	allowed := http.MethodPost
	if spec.IdempotencyLevel == connect.IdempotencyNoSideEffects && spec.StreamType == connect.StreamTypeUnary {
		if r.Method == http.MethodGet {
			return nil
		}
		allowed = "GET, POST"
	}
	if r.Method == http.MethodPost {
		return nil
	}
	w.Header().Set("Allow", allowed)
	return MethodNotAllowed(r.Method)
}

// MethodNotAllowed is the fault of a path that exists under another method.
func MethodNotAllowed(method string) *fault.Error {
	return fault.New(fault.Unimplemented, fault.ReasonMethodNotAllowed, "method %s is not allowed here", printable(method)).
		With("method", printable(method))
}

func checkHeaders(w http.ResponseWriter, r *http.Request, spec connect.Spec) *fault.Error {
	if r.Method == http.MethodGet {
		return checkEncoding(r.URL.Query().Get("compression"))
	}
	contentType := MediaType(r)
	if !understood(contentType, spec) {
		w.Header().Set("Accept-Post", acceptPost)
		return UnsupportedMediaType(r.Header.Get("Content-Type"), acceptPost)
	}
	header := "Content-Encoding"
	switch {
	case strings.HasPrefix(contentType, "application/grpc"):
		header = "Grpc-Encoding"
	case strings.HasPrefix(contentType, "application/connect+"):
		header = "Connect-Content-Encoding"
	}
	return checkEncoding(r.Header.Get(header))
}

func understood(contentType string, spec connect.Spec) bool {
	switch contentType {
	case "application/grpc", "application/grpc+proto", "application/grpc+json",
		"application/grpc-web", "application/grpc-web+proto", "application/grpc-web+json":
		return true
	case "application/json", "application/proto":
		return spec.StreamType == connect.StreamTypeUnary
	case "application/connect+json", "application/connect+proto":
		return spec.StreamType != connect.StreamTypeUnary
	}
	return false
}

func checkEncoding(encoding string) *fault.Error {
	if encoding == "" || encoding == "identity" || encoding == "gzip" {
		return nil
	}
	return UnsupportedMediaType("encoding "+encoding, "gzip or identity")
}

// streamsRequest reports whether a call sends more than one message.
func streamsRequest(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/grpc.reflection.")
}

// RouteNotFound is the fault of a path that does not exist.
func RouteNotFound(path string) *fault.Error {
	return fault.New(fault.NotFound, fault.ReasonRouteNotFound, "no such path: %s", printable(path)).With("path", printable(path))
}
