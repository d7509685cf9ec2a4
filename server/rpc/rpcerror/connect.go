package rpcerror

import (
	"slices"
	"strings"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
)

// internalText is all that a caller learns of a fault of ours; the request id
// finds the rest in the log.
const internalText = "internal error; the request id finds it in the server's log"

// Public returns what a caller may see of f: of an internal fault, nothing but
// that it was one. What a caller sent comes back redacted, because an answer
// ends in more logs than ours.
func Public(f *fault.Error) *fault.Error {
	if f.Kind == fault.Internal {
		return fault.New(fault.Internal, fault.ReasonInternal, internalText)
	}
	out := *f
	out.Metadata = make(map[string]string, len(f.Metadata))
	var ids []string
	for key, value := range f.Metadata {
		if _, err := uuid.Parse(value); err == nil {
			ids = append(ids, value)
		}
		out.Metadata[key] = redacted(value, ids)
	}
	out.Message = redacted(f.Message, ids)
	out.Violations = slices.Clone(f.Violations)
	for i, v := range out.Violations {
		out.Violations[i].Field, out.Violations[i].Description = redacted(v.Field, ids), redacted(v.Description, ids)
	}
	return &out
}

// redacted hides what is secret in a text but not the ids of our own rows.
func redacted(text string, ids []string) string {
	if len(ids) == 0 {
		return evidence.Redact(text)
	}
	before, after, found := strings.Cut(text, ids[0])
	if !found {
		return redacted(text, ids[1:])
	}
	return redacted(before, ids[1:]) + ids[0] + redacted(after, ids)
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
var subjects = []string{"run_id", "wakeup_id", "session_id", "profile_id", "workspace_id"}

func subject(f *fault.Error) string {
	for _, key := range subjects {
		if id := f.Metadata[key]; id != "" {
			return id
		}
	}
	return ""
}
