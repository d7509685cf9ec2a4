// Package cli holds what every command of agentctl shares: its streams, its
// environment and clock, its exit codes, and how it prints.
package cli

import (
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Invocation is one call of agentctl with everything that it takes from
// outside. Tests make their own.
type Invocation struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// InTTY and ErrTTY say that a person may be watching.
	InTTY, ErrTTY bool

	Environ  []string // as os.Environ gives it
	Dir      string   // the working folder
	Clock    supervisor.Clock
	Settings recovery.Settings
	NewID    func() string  // a fresh UUID, ordered by time
	Jitter   func() float64 // draws from [0,1)
	HostZone string         // IANA name, "" if unknown
	// Listen passes INT, TERM and HUP on instead of ending the program, until
	// the returned function is called.
	Listen func() (<-chan syscall.Signal, func())
	// Self is the path of this program, for the demonstration agent.
	Self string
	// Version of this program.
	Version string
	// Tick is how often a countdown is drawn; 0 draws none.
	Tick time.Duration
}

// Getenv gives a variable of the environment, "" if unset.
func (inv *Invocation) Getenv(name string) string {
	for i := len(inv.Environ) - 1; i >= 0; i-- {
		entry := inv.Environ[i]
		if len(entry) > len(name) && entry[len(name)] == '=' && entry[:len(name)] == name {
			return entry[len(name)+1:]
		}
	}
	return ""
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
