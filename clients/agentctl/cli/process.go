package cli

import (
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
)

// FromProcess is the invocation of this process.
func FromProcess(version string) *Invocation {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	tick := time.Second
	if os.Getenv("TERM") == "dumb" {
		tick = 0 // it cannot draw over a line
	}
	return &Invocation{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: isTerminal(os.Stdin), ErrTTY: isTerminal(os.Stderr),
		Environ: os.Environ(), Dir: dir, Clock: supervisor.System{}, Settings: recovery.Defaults(),
		NewID: NewID, Jitter: rand.Float64, HostZone: HostZone(os.Getenv("TZ")),
		Listen: listen, Self: self, Version: version, Tick: tick,
	}
}

// listen passes on what the user or the system asks for, until it is stopped.
func listen() (<-chan syscall.Signal, func()) {
	heard := make(chan os.Signal, 8)
	passed := make(chan syscall.Signal, 8)
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that goes away, as head does, must not end the supervisor and
	// leave its agent behind: with somebody to tell, the write fails instead.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	go func() {
		for s := range heard {
			if number, ok := s.(syscall.Signal); ok {
				passed <- number
			}
		}
	}()
	return passed, func() {
		signal.Stop(heard)
		signal.Stop(broken)
		close(heard)
	}
}
