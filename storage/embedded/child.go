//go:build unix

package embedded

import (
	"context"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// crashSafeStop is how long a postmaster gets for an immediate shutdown.
const crashSafeStop = 5 * time.Second

// child is one started process; exited closes once it was reaped.
type child struct {
	cmd    *exec.Cmd
	exited chan struct{}
	err    error // set before exited closes
}

// spawn starts cmd on a thread that lives as long as the process: the kernel
// sends the parent-death signal when the forking thread ends, which for an
// ordinary goroutine may be long before this process does.
func spawn(cmd *exec.Cmd) (*child, error) {
	c := &child{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// Never unlocked, so that the thread ends with the goroutine.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			c.err = cmd.Wait()
			close(c.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return c, nil
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// signal is best effort: a process that is gone needs none.
func (c *child) signal(sig syscall.Signal) { _ = c.cmd.Process.Signal(sig) }

// stop ends a postmaster and reports whether it ended in good order. It asks
// for a fast shutdown (clients are cut off, everything is written); once hurry
// closes, for an immediate one, from which the next start recovers.
func (c *child) stop(hurry <-chan struct{}) bool {
	c.signal(syscall.SIGINT)
	select {
	case <-c.exited:
		return c.err == nil
	case <-hurry:
	}
	c.signal(syscall.SIGQUIT)
	select {
	case <-c.exited:
	case <-time.After(crashSafeStop):
		c.signal(syscall.SIGKILL)
		<-c.exited
	}
	return false
}

// run starts cmd and waits for it; a context that ends kills it together with
// the processes it started.
func run(ctx context.Context, cmd *exec.Cmd) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c, err := spawn(cmd)
	if err != nil {
		return err
	}
	select {
	case <-c.exited:
		return c.err
	case <-ctx.Done():
		_ = syscall.Kill(-c.pid(), syscall.SIGKILL)
		<-c.exited
		return ctx.Err()
	}
}
