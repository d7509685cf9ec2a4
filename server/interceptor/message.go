package interceptor

import (
	"context"
	"errors"
	"io"
	"strings"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
)

// messages checks every request message as it is received: that it can be read,
// that it stays in the caller's workspace, that it keeps the contract's rules.
func messages(c Config) connect.ServerInterceptor {
	return func(next connect.ServerFunc) connect.ServerFunc {
		return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
			return next(ctx, spec, &checkedStream{ServerStream: stream, ctx: ctx, config: c})
		}
	}
}

type checkedStream struct {
	connect.ServerStream
	ctx    context.Context
	config Config
}

// Receive implements connect.ServerStream.
func (s *checkedStream) Receive(msg any) error {
	if err := s.ServerStream.Receive(msg); err != nil {
		return unreadable(err, s.config.MaxBodyBytes)
	}
	message, ok := msg.(proto.Message)
	if !ok {
		return nil
	}
	if err := s.scope(message.ProtoReflect()); err != nil {
		return err
	}
	return violations(s.config.Validator.Validate(message))
}

// unreadable gives the library's errors a reason.
func unreadable(err error, limit int64) error {
	var rpc *connect.Error
	if errors.Is(err, io.EOF) || !errors.As(err, &rpc) {
		return err
	}
	switch rpc.Code() {
	case connect.CodeResourceExhausted:
		return TooLarge(limit)
	case connect.CodeInvalidArgument, connect.CodeInternal, connect.CodeUnknown, connect.CodeUnimplemented:
		return Malformed(rpc.Message())
	}
	return err
}

// Malformed is the fault of a body that is not what its content type says.
// detail is the decoder's text.
func Malformed(detail string) *fault.Error {
	detail = decoderText(detail)
	if _, rest, ok := strings.Cut(detail, `unknown field "`); ok {
		field, _, _ := strings.Cut(rest, `"`)
		return UnknownField(field)
	}
	return fault.New(fault.InvalidArgument, fault.ReasonMalformedBody, "the body cannot be read: %s", detail)
}

// UnknownField is the fault of a field that the request does not have.
func UnknownField(field string) *fault.Error {
	f := fault.New(fault.InvalidArgument, fault.ReasonUnknownField, "the request has no field %q", printable(field))
	f.Violations = []fault.Violation{{Field: printable(field), Description: "unknown field"}}
	return f.With("field", printable(field))
}

// decoderText bounds a decoder's text and takes out the no-break spaces that
// protobuf puts in at random.
func decoderText(text string) string {
	const longest = 200
	text = strings.ReplaceAll(text, "\u00a0", " ")
	if _, rest, ok := strings.Cut(text, "proto: "); ok {
		text = rest
	}
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c == '\ufffd' {
			return ' '
		}
		return c
	}, text)
	for len(text) > longest {
		text = text[:longest]
	}
	return strings.ToValidUTF8(text, "")
}

// scope fills in the caller's own workspace where a request names none, and
// refuses a foreign one. Every message that has a workspace_id comes by here.
func (s *checkedStream) scope(message protoreflect.Message) error {
	field := message.Descriptor().Fields().ByName("workspace_id")
	caller, ok := auth.CallerFrom(s.ctx)
	if field == nil || !ok {
		return nil
	}
	asked := message.Get(field).String()
	switch {
	case asked == "":
		message.Set(field, protoreflect.ValueOfString(caller.WorkspaceID))
		return nil
	case asked == caller.WorkspaceID:
		return nil
	case !caller.InstanceAdmin:
		return fault.New(fault.PermissionDenied, fault.ReasonWorkspaceMismatch, "the token belongs to another workspace").
			With("workspace_id", printable(asked))
	}
	return s.config.Auth.CheckWorkspace(s.ctx, asked)
}

// violations turns what protovalidate found into one fault that names each field.
func violations(err error) error {
	if err == nil {
		return nil
	}
	var invalid *protovalidate.ValidationError
	if !errors.As(err, &invalid) {
		return fault.Wrap(err, fault.Internal, fault.ReasonInternal, "internal error")
	}
	f := fault.New(fault.InvalidArgument, fault.ReasonInvalidRequest, "the request breaks %d rule(s) of the contract", len(invalid.Violations))
	for _, v := range invalid.Violations {
		f.Violations = append(f.Violations, fault.Violation{
			Field:       protovalidate.FieldPathString(v.Proto.GetField()),
			Description: v.Proto.GetMessage(),
		})
	}
	if len(f.Violations) > 0 {
		f.Message += ": " + f.Violations[0].Field + " " + f.Violations[0].Description
	}
	return f
}
