package embedded

import (
	"context"
	"errors"

	"github.com/recourse-dev/recourse/core/fault"
)

// Causes that a caller may tell apart with errors.Is; each arrives wrapped in
// a fault that says what to do.
var (
	// ErrInUse: another process runs a PostgreSQL on the data folder.
	ErrInUse = errors.New("data folder in use")
	// ErrOtherMajor: the folder holds only clusters that no PostgreSQL found
	// here can open.
	ErrOtherMajor = errors.New("cluster of another major version")
	// ErrNoBinaries: no usable initdb and postgres were found.
	ErrNoBinaries = errors.New("no usable PostgreSQL")
	// ErrForeignFolder: a folder that belongs to someone else stands where one
	// of ours has to be.
	ErrForeignFolder = errors.New("folder of unknown origin")
)

// refuse is a fault that stays until a person changes something.
func refuse(cause error, format string, args ...any) *fault.Error {
	return fault.Wrap(cause, fault.FailedPrecondition, fault.ReasonDatabaseUnavailable, format, args...)
}

// broken is a fault of PostgreSQL or the machine that a retry may cure.
func broken(cause error, format string, args ...any) *fault.Error {
	return fault.Wrap(cause, fault.Unavailable, fault.ReasonDatabaseUnavailable, format, args...)
}

// asFault keeps a fault and a caller's cancellation as they are.
func asFault(err error, format string, args ...any) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return err
	}
	return broken(err, format, args...)
}
