// Package rpcerror is the only place where an error of the domain becomes an
// answer of a protocol: one array from kind to code, one table of the reasons
// whose REST status is not their code's.
package rpcerror

import (
	"net/http"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
)

// Domain is the domain of every ErrorInfo.
const Domain = "recourse.dev"

// codes maps every kind to its RPC code; a test proves that none is missing.
var codes = [...]connect.Code{
	fault.Internal:           connect.CodeInternal,
	fault.InvalidArgument:    connect.CodeInvalidArgument,
	fault.Unauthenticated:    connect.CodeUnauthenticated,
	fault.PermissionDenied:   connect.CodePermissionDenied,
	fault.NotFound:           connect.CodeNotFound,
	fault.AlreadyExists:      connect.CodeAlreadyExists,
	fault.FailedPrecondition: connect.CodeFailedPrecondition,
	fault.Aborted:            connect.CodeAborted,
	fault.OutOfRange:         connect.CodeOutOfRange,
	fault.ResourceExhausted:  connect.CodeResourceExhausted,
	fault.Canceled:           connect.CodeCanceled,
	fault.DeadlineExceeded:   connect.CodeDeadlineExceeded,
	fault.Unavailable:        connect.CodeUnavailable,
	fault.Unimplemented:      connect.CodeUnimplemented,
}

// Code returns the RPC code of a kind; a kind that we do not know is internal.
func Code(kind fault.Kind) connect.Code {
	if int(kind) >= len(codes) {
		return connect.CodeInternal
	}
	return codes[kind]
}

// codeNames are the names of google.rpc.Code, which REST answers carry.
var codeNames = map[connect.Code]string{
	connect.CodeCanceled:           "CANCELLED",
	connect.CodeInvalidArgument:    "INVALID_ARGUMENT",
	connect.CodeDeadlineExceeded:   "DEADLINE_EXCEEDED",
	connect.CodeNotFound:           "NOT_FOUND",
	connect.CodeAlreadyExists:      "ALREADY_EXISTS",
	connect.CodePermissionDenied:   "PERMISSION_DENIED",
	connect.CodeResourceExhausted:  "RESOURCE_EXHAUSTED",
	connect.CodeFailedPrecondition: "FAILED_PRECONDITION",
	connect.CodeAborted:            "ABORTED",
	connect.CodeOutOfRange:         "OUT_OF_RANGE",
	connect.CodeUnimplemented:      "UNIMPLEMENTED",
	connect.CodeInternal:           "INTERNAL",
	connect.CodeUnavailable:        "UNAVAILABLE",
	connect.CodeUnauthenticated:    "UNAUTHENTICATED",
}

// CodeName returns the name of google.rpc.Code, as "INVALID_ARGUMENT".
func CodeName(code connect.Code) string {
	if name, ok := codeNames[code]; ok {
		return name
	}
	return "INTERNAL"
}

// statusClientClosed is what REST answers to a call whose caller went away; nobody reads it.
const statusClientClosed = 499

// statuses are the REST statuses of the codes.
var statuses = map[connect.Code]int{
	connect.CodeCanceled:           statusClientClosed,
	connect.CodeInvalidArgument:    http.StatusBadRequest,
	connect.CodeDeadlineExceeded:   http.StatusGatewayTimeout,
	connect.CodeNotFound:           http.StatusNotFound,
	connect.CodeAlreadyExists:      http.StatusConflict,
	connect.CodePermissionDenied:   http.StatusForbidden,
	connect.CodeResourceExhausted:  http.StatusTooManyRequests,
	connect.CodeFailedPrecondition: http.StatusBadRequest,
	connect.CodeAborted:            http.StatusConflict,
	connect.CodeOutOfRange:         http.StatusBadRequest,
	connect.CodeUnimplemented:      http.StatusNotImplemented,
	connect.CodeInternal:           http.StatusInternalServerError,
	connect.CodeUnavailable:        http.StatusServiceUnavailable,
	connect.CodeUnauthenticated:    http.StatusUnauthorized,
}

// reasonStatuses are the reasons whose REST status says more than their code's.
var reasonStatuses = map[fault.Reason]int{
	fault.ReasonBodyTooLarge:         http.StatusRequestEntityTooLarge,
	fault.ReasonUnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.ReasonMethodNotAllowed:     http.StatusMethodNotAllowed,
}

// Status returns the REST status of a fault.
func Status(f *fault.Error) int {
	if status, ok := reasonStatuses[f.Reason]; ok {
		return status
	}
	if status, ok := statuses[Code(f.Kind)]; ok {
		return status
	}
	return http.StatusInternalServerError
}
