package rpcerror

import (
	"context"
	"errors"

	"connectrpc.com/connect/v2"

	"github.com/recourse-dev/recourse/core/fault"
)

// From turns whatever a call ended with into a fault. Only a fault keeps its
// text; an error of the RPC library says what kind it is and no more.
func From(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	var rpc *connect.Error
	if errors.As(err, &rpc) {
		return fromCode(rpc)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Canceled, fault.ReasonCanceled, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the call took longer than its deadline")
	}
	return fault.From(err)
}

func fromCode(err *connect.Error) *fault.Error {
	switch err.Code() {
	case connect.CodeCanceled:
		return fault.Wrap(err, fault.Canceled, fault.ReasonCanceled, "the call was cancelled")
	case connect.CodeDeadlineExceeded:
		return fault.Wrap(err, fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the call took longer than its deadline")
	case connect.CodeUnimplemented:
		return fault.Wrap(err, fault.Unimplemented, fault.ReasonUnimplemented, "no such method")
	case connect.CodeInvalidArgument:
		return fault.Wrap(err, fault.InvalidArgument, fault.ReasonMalformedBody, "the request cannot be read")
	}
	return fault.Wrap(err, fault.Internal, fault.ReasonInternal, "internal error")
}

// AsConnect returns the RPC error that the chain made; anything else is internal.
func AsConnect(err error) *connect.Error {
	var rpc *connect.Error
	if errors.As(err, &rpc) {
		return rpc
	}
	return Connect(From(err))
}

// Kind returns the kind of an RPC code; a code that no kind has is internal.
func Kind(code connect.Code) fault.Kind {
	for kind, c := range codes {
		if c == code {
			return fault.Kind(kind)
		}
	}
	return fault.Internal
}
