package client

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	"github.com/recourse-dev/recourse/core/fault"
)

// ReasonUnreachable is the reason of a call that no server answered. It is the
// client's own and never on the wire.
const ReasonUnreachable fault.Reason = "SERVER_UNREACHABLE"

// kinds maps every RPC code that a server of ours sends back to its kind.
var kinds = map[connect.Code]fault.Kind{
	connect.CodeCanceled:           fault.Canceled,
	connect.CodeInvalidArgument:    fault.InvalidArgument,
	connect.CodeDeadlineExceeded:   fault.DeadlineExceeded,
	connect.CodeNotFound:           fault.NotFound,
	connect.CodeAlreadyExists:      fault.AlreadyExists,
	connect.CodePermissionDenied:   fault.PermissionDenied,
	connect.CodeResourceExhausted:  fault.ResourceExhausted,
	connect.CodeFailedPrecondition: fault.FailedPrecondition,
	connect.CodeAborted:            fault.Aborted,
	connect.CodeOutOfRange:         fault.OutOfRange,
	connect.CodeUnimplemented:      fault.Unimplemented,
	connect.CodeInternal:           fault.Internal,
	connect.CodeUnavailable:        fault.Unavailable,
	connect.CodeUnauthenticated:    fault.Unauthenticated,
}

// asFault turns the error of a call back into the fault that the server
// answered with. An answer without an ErrorInfo did not come from it. Only the
// caller cancels a call: one that ends so while its context lives was cut off,
// by a server that stops or by something in between.
func asFault(caller context.Context, err error) error {
	var f *fault.Error
	if err == nil || errors.Is(err, io.EOF) || errors.As(err, &f) {
		return err
	}
	f = faultOf(err)
	if f.Kind == fault.Canceled && caller.Err() == nil {
		return fault.Wrap(err, fault.Unavailable, ReasonUnreachable, "the server cannot be reached: the call was cut off")
	}
	return f
}

func faultOf(err error) *fault.Error {
	switch {
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Canceled, fault.ReasonCanceled, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the call took longer than its deadline")
	}
	var rpc *connect.Error
	if !errors.As(err, &rpc) {
		return fault.Wrap(err, fault.Unavailable, ReasonUnreachable, "the server cannot be reached")
	}
	if f := answered(rpc); f.Reason != "" {
		return f
	}
	return unanswered(rpc)
}

// answered reads the fault that a server of ours put into the error.
func answered(rpc *connect.Error) *fault.Error {
	f := fault.Wrap(rpc, kinds[rpc.Code()], "", "%s", rpc.Message())
	for _, detail := range rpc.Details() {
		message, err := connectproto.UnmarshalErrorDetail(detail)
		if err != nil {
			continue // a newer server may send what we do not know
		}
		switch message := message.(type) {
		case *errdetails.ErrorInfo:
			f.Reason, f.Metadata = fault.Reason(message.GetReason()), message.GetMetadata()
		case *errdetails.RetryInfo:
			f.RetryAfter = message.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, v := range message.GetFieldViolations() {
				f.Violations = append(f.Violations, fault.Violation{Field: v.GetField(), Description: v.GetDescription()})
			}
		}
	}
	return f
}

// unanswered is the fault of a call that failed on its way, or was answered by
// something in between.
func unanswered(rpc *connect.Error) *fault.Error {
	switch rpc.Code() {
	case connect.CodeCanceled:
		return fault.Wrap(rpc, fault.Canceled, fault.ReasonCanceled, "the call was cancelled")
	case connect.CodeDeadlineExceeded:
		return fault.Wrap(rpc, fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the call took longer than its deadline")
	}
	return fault.Wrap(rpc, fault.Unavailable, ReasonUnreachable, "the server cannot be reached: %s", rpc.Message())
}
