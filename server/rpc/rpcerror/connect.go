package rpcerror

import (
	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/fault"
)

// internalText is all that a caller learns of a fault of ours; the request id
// finds the rest in the log.
const internalText = "internal error; the request id finds it in the server's log"

// Public returns what a caller may see of f: of an internal fault, nothing but
// that it was one.
func Public(f *fault.Error) *fault.Error {
	if f.Kind != fault.Internal {
		return f
	}
	return fault.New(fault.Internal, fault.ReasonInternal, internalText)
}

// Connect turns a fault into the error that every RPC protocol sends. It
// carries exactly one ErrorInfo.
func Connect(f *fault.Error) *connect.Error {
	public := Public(f)
	out := connect.NewError(Code(public.Kind), public.Message) //nolint:forbidigo // this is the one place that the rule names
	for _, message := range Details(public) {
		detail, err := connectproto.NewErrorDetail(message)
		if err != nil {
			continue // a message that does not marshal is left out; ErrorInfo of plain strings always does
		}
		out = out.WithDetail(detail)
	}
	return out.WithCause(f)
}

// Details returns the google.rpc messages that describe a fault, ErrorInfo first.
func Details(f *fault.Error) []proto.Message {
	details := []proto.Message{&errdetails.ErrorInfo{Reason: string(f.Reason), Domain: Domain, Metadata: f.Metadata}}
	if len(f.Violations) > 0 {
		request := &errdetails.BadRequest{}
		for _, v := range f.Violations {
			request.FieldViolations = append(request.FieldViolations,
				&errdetails.BadRequest_FieldViolation{Field: v.Field, Description: v.Description})
		}
		details = append(details, request)
	}
	if f.RetryAfter > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(f.RetryAfter)})
	}
	if f.Kind == fault.FailedPrecondition {
		details = append(details, &errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{
			{Type: string(f.Reason), Subject: subject(f), Description: f.Message},
		}})
	}
	return details
}

// subjects are the metadata keys that name the object of a failed
// precondition, the most specific first.
var subjects = []string{"run_id", "wakeup_id", "session_id", "workspace_id"}

func subject(f *fault.Error) string {
	for _, key := range subjects {
		if id := f.Metadata[key]; id != "" {
			return id
		}
	}
	return ""
}
