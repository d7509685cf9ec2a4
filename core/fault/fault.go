// Package fault is the domain's error type: a closed set of kinds, one stable
// reason, and the data a caller needs to act. It imports only the standard
// library, so every layer may return it.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// Kind is the broad class of an error. Each kind maps to exactly one RPC code
// in server/rpc; the set is closed.
type Kind uint8

// The kinds, named after the gRPC codes they map to.
const (
	Internal Kind = iota // the zero value: an error nobody classified is a bug of ours
	InvalidArgument
	Unauthenticated
	PermissionDenied
	NotFound
	AlreadyExists
	FailedPrecondition
	Aborted
	OutOfRange
	ResourceExhausted
	Canceled
	DeadlineExceeded
	Unavailable
	Unimplemented
	kindCount
)

// Kinds lists every kind, for exhaustive tests.
func Kinds() []Kind {
	kinds := make([]Kind, 0, int(kindCount))
	for k := range kindCount {
		kinds = append(kinds, k)
	}
	return kinds
}

// Violation is one rejected field of a request.
type Violation struct {
	Field       string // path in proto field names, as "envelope.signals[2].http.status"
	Description string // what is wrong and what is accepted
}

// Error is what every layer below the RPC handlers returns.
type Error struct {
	Kind     Kind
	Reason   Reason
	Message  string            // one sentence for a person; never a secret, SQL or a stack
	Metadata map[string]string // every dynamic value that Message mentions
	// RetryAfter is set only when the same call may succeed later unchanged.
	RetryAfter time.Duration
	Violations []Violation
	cause      error
}

// New makes an error with a formatted message.
func New(kind Kind, reason Reason, format string, args ...any) *Error {
	return &Error{Kind: kind, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes an error that keeps its cause for the log; the cause never
// reaches a caller.
func Wrap(cause error, kind Kind, reason Reason, format string, args ...any) *Error {
	e := New(kind, reason, format, args...)
	e.cause = cause
	return e
}

// Invalid is the error for a rejected field.
func Invalid(field, format string, args ...any) *Error {
	e := New(InvalidArgument, ReasonInvalidRequest, "%s: %s", field, fmt.Sprintf(format, args...))
	e.Violations = []Violation{{Field: field, Description: fmt.Sprintf(format, args...)}}
	return e
}

// Error implements error.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Reason, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Reason, e.Message)
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// With returns a copy that carries one more metadata entry.
func (e *Error) With(key, value string) *Error {
	c := *e
	c.Metadata = maps.Clone(e.Metadata)
	if c.Metadata == nil {
		c.Metadata = map[string]string{}
	}
	c.Metadata[key] = value
	return &c
}

// After returns a copy that says when a retry may help.
func (e *Error) After(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// From finds the fault in err's chain; an error without one is Internal.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return Wrap(err, Internal, ReasonInternal, "internal error")
}

// Is reports whether err's chain carries a fault with this reason.
func Is(err error, reason Reason) bool {
	var f *Error
	return errors.As(err, &f) && f.Reason == reason
}
