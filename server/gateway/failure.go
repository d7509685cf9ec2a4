package gateway

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	grpcstatus "google.golang.org/grpc/status"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// decodeMark starts the text of an error of our decoder; the generated code
// keeps nothing of an error but its text.
const decodeMark = "body: "

// writeFailure answers a REST call that failed.
func writeFailure(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, _ *http.Request, err error) {
	rpcerror.WriteREST(w, fromGateway(err))
}

// endOfStream keeps the status of a stream that failed on its way.
func endOfStream(_ context.Context, err error) *grpcstatus.Status { return grpcstatus.Convert(err) }

// fromGateway turns an error of the gateway or of the chain behind it into a fault.
func fromGateway(err error) *fault.Error {
	var routing *runtime.HTTPStatusError
	if errors.As(err, &routing) {
		return fault.New(fault.InvalidArgument, fault.ReasonInvalidRequest, "the path cannot be read")
	}
	converted, ok := grpcstatus.FromError(err)
	if !ok {
		return rpcerror.From(err)
	}
	return fromStatusProto(converted.Proto())
}

// fromStatusProto reads a status back. One without an ErrorInfo was made by the
// generated code, which fails only to read the request.
func fromStatusProto(s *status.Status) *fault.Error {
	f := &fault.Error{Kind: rpcerror.Kind(connect.Code(s.GetCode())), Message: s.GetMessage()}
	for _, packed := range s.GetDetails() {
		detail, err := packed.UnmarshalNew()
		if err != nil {
			continue // a detail of a type that is not linked says nothing here
		}
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			f.Reason, f.Metadata = fault.Reason(detail.GetReason()), detail.GetMetadata()
		case *errdetails.RetryInfo:
			f.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, v := range detail.GetFieldViolations() {
				f.Violations = append(f.Violations, fault.Violation{Field: v.GetField(), Description: v.GetDescription()})
			}
		}
	}
	if f.Reason != "" {
		return f
	}
	if text, ok := strings.CutPrefix(s.GetMessage(), decodeMark); ok {
		return interceptor.Malformed(text)
	}
	if f.Kind == fault.InvalidArgument {
		return interceptor.Malformed(s.GetMessage())
	}
	return fault.New(fault.Internal, fault.ReasonInternal, "internal error")
}
