//go:build !unix

package embedded

import (
	"context"

	"github.com/recourse-dev/recourse/core/fault"
)

// Server is a running PostgreSQL; there is none on this platform.
type Server struct{}

// Binaries is one PostgreSQL installation.
type Binaries struct {
	Dir     string
	Version string
	Major   int
}

func errUnsupported() error {
	return fault.New(fault.Unimplemented, fault.ReasonUnimplemented,
		"the embedded PostgreSQL needs a Unix system; set DATABASE_URL to a PostgreSQL of your own")
}

// Start always fails: sockets, locks and users here are those of Unix.
func Start(context.Context, Config) (*Server, error) { return nil, errUnsupported() }

// Initialize always fails; see Start.
func Initialize(context.Context, Config) error { return errUnsupported() }

// Locate always fails; see Start.
func Locate(context.Context, Config) (Binaries, error) { return Binaries{}, errUnsupported() }

// URL is empty.
func (*Server) URL() string { return "" }

// PID is zero.
func (*Server) PID() int { return 0 }

// Err is nil.
func (*Server) Err() error { return nil }

// Done is never closed.
func (*Server) Done() <-chan struct{} { return nil }

// Stop does nothing.
func (*Server) Stop(context.Context) error { return nil }
