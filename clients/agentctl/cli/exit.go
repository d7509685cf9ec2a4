package cli

import (
	"errors"
	"fmt"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
)

// The exit codes of agentctl. They are stable.
const (
	OK          = 0
	General     = 1
	Usage       = 2
	Cancelled   = 3
	Auth        = 4
	Stopped     = 5
	NotFound    = 6
	Stale       = 7
	Pending     = 8
	Unreachable = 69
	Parked      = 75
	Interrupted = 130
)

// ExitCode is one line of the documented table.
type ExitCode struct {
	Code    int
	Meaning string
}

// ExitCodes lists the exit codes.
func ExitCodes() []ExitCode {
	return []ExitCode{
		{OK, "it worked; for run: the agent succeeded"},
		{General, "it failed for a reason that has no code of its own"},
		{Usage, "the command line is wrong"},
		{Cancelled, "a person or a newer prompt cancelled it"},
		{Auth, "the server wants a credential, or the credential may not do this"},
		{Stopped, "run: stopped for a person although the agent's own code was 0; else the agent's code is passed on"},
		{NotFound, "no such wakeup, run, profile, token or workspace"},
		{Stale, "somebody else has acted meanwhile, or owns it now"},
		{Pending, "it is still going on"},
		{Unreachable, "the server cannot be reached"},
		{Parked, "run: it waits for its next attempt and was told not to wait here; go on with --continue"},
		{Interrupted, "interrupted"},
	}
}

// ExitError ends agentctl with a code. Without an error nothing more is said.
type ExitError struct {
	Code int
	Err  error
}

// Error implements error.
func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e *ExitError) Unwrap() error { return e.Err }

// Exit is an error that ends agentctl with a code and says nothing.
func Exit(code int) error {
	if code == OK {
		return nil
	}
	return &ExitError{Code: code}
}

// Failf is an error that ends agentctl with a code and a message.
func Failf(code int, format string, args ...any) error {
	return &ExitError{Code: code, Err: fmt.Errorf(format, args...)}
}

// Code is the exit code that an error ends agentctl with.
func Code(err error) int {
	if err == nil {
		return OK
	}
	var exit *ExitError
	if errors.As(err, &exit) {
		return exit.Code
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return client.ExitCode(f)
	}
	return General
}
