package gateway

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"connectrpc.com/connect/v2"
	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// Handler serves every path of the contract under /v1/.
type Handler struct {
	routes   routes
	mux      *runtime.ServeMux
	events   recoursev1.RecoveryServiceClient // for the event source
	maxBytes int64
}

// New serves REST through the server's handlers. maxBytes bounds a body, before
// and after it is decompressed.
func New(server *connect.Server, maxBytes int64) (*Handler, error) {
	mux := runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, marshaler{}),
		runtime.WithErrorHandler(writeFailure),
		runtime.WithStreamErrorHandler(endOfStream),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
		runtime.WithUnescapingMode(runtime.UnescapingModeAllExceptReserved),
		// No header of the caller becomes metadata: the chain has its own way in.
		runtime.WithIncomingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithOutgoingHeaderMatcher(func(string) (string, bool) { return "", false }),
	)
	conn, ctx := NewConn(server), context.Background()
	err := errors.Join(
		recoursev1.RegisterClassificationServiceHandlerClient(ctx, mux, recoursev1.NewClassificationServiceClient(conn)),
		recoursev1.RegisterRecoveryServiceHandlerClient(ctx, mux, recoursev1.NewRecoveryServiceClient(conn)),
		recoursev1.RegisterRoutingServiceHandlerClient(ctx, mux, recoursev1.NewRoutingServiceClient(conn)),
		recoursev1.RegisterWorkspaceServiceHandlerClient(ctx, mux, recoursev1.NewWorkspaceServiceClient(conn)),
	)
	if err != nil {
		return nil, err
	}
	return &Handler{
		mux:      mux,
		events:   recoursev1.NewRecoveryServiceClient(conn),
		maxBytes: maxBytes,
		routes: readRoutes(
			recoursev1.File_recourse_v1_classification_service_proto,
			recoursev1.File_recourse_v1_recovery_service_proto,
			recoursev1.File_recourse_v1_routing_service_proto,
			recoursev1.File_recourse_v1_workspace_service_proto,
		),
	}, nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if workspaceID, ok := sseWorkspace(r.URL.Path); ok {
		h.serveSSE(w, r, workspaceID)
		return
	}
	if f := h.admit(w, r); f != nil {
		rpcerror.WriteREST(w, f)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// admit checks the path, the method, the parameters and the body's type, and
// reads the body.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) *fault.Error {
	route, ok, allowed := h.routes.find(r.Method, r.URL.Path)
	switch {
	case ok:
	case len(allowed) > 0:
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return interceptor.MethodNotAllowed(r.Method)
	default:
		return interceptor.RouteNotFound(r.URL.Path)
	}
	if name := route.unknownParameter(r.URL.Query()); name != "" {
		return interceptor.UnknownField(name)
	}
	return h.readBody(r)
}

// readBody takes the whole body in, so that its size and its encoding are
// judged before anything parses it.
func (h *Handler) readBody(r *http.Request) *fault.Error {
	data, f := readAll(r.Body, h.maxBytes)
	if f != nil {
		return f
	}
	if len(data) > 0 {
		if mediaType := interceptor.MediaType(r); mediaType != "" && mediaType != "application/json" {
			return interceptor.UnsupportedMediaType(r.Header.Get("Content-Type"), "application/json")
		}
	}
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		if data, f = gunzip(data, h.maxBytes); f != nil {
			return f
		}
	default:
		return interceptor.UnsupportedMediaType("encoding "+encoding, "gzip or identity")
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

func readAll(body io.Reader, limit int64) ([]byte, *fault.Error) {
	if body == nil {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), int64(len(data)) > limit:
		return nil, interceptor.TooLarge(limit)
	case err != nil:
		return nil, fault.Wrap(err, fault.InvalidArgument, fault.ReasonMalformedBody, "the body broke off")
	}
	return data, nil
}

func gunzip(data []byte, limit int64) ([]byte, *fault.Error) {
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidArgument, fault.ReasonMalformedBody, "the body is not gzip")
	}
	return readAll(reader, limit)
}
