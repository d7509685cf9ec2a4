// Package child runs one agent process: in a process group of its own, with a
// scrubbed environment, its output seen line by line, and an end that always
// comes once it is asked for.
package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Command is what is run.
type Command struct {
	Argv []string
	Dir  string
	Env  []string  // as os.Environ gives it; scrubbed before use
	In   io.Reader // nil reads nothing
	Out  io.Writer
	Err  io.Writer
	// Grace is the time between TERM and KILL.
	Grace time.Duration
	// Linger is how long output is still read after the process has ended,
	// when a process that it left behind keeps its output open.
	Linger time.Duration
}

// Process is a running child.
type Process struct {
	cmd   *exec.Cmd
	grace time.Duration
	ended chan struct{}
	once  sync.Once

	mu      sync.Mutex
	endedBy string
	exit    evidence.Exit
}

// Start starts the process. An error means that it did not start.
func Start(c Command) (*Process, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, Scrub(c.Env)
	cmd.Stdout, cmd.Stderr = c.Out, c.Err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = c.Linger
	var in io.WriteCloser
	if c.In != nil {
		var err error
		if in, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, grace: c.Grace, ended: make(chan struct{})}
	if in != nil {
		go func() {
			// The child may close its input early: that is its own business.
			_, _ = io.Copy(in, c.In)
			_ = in.Close()
		}()
	}
	go p.wait()
	return p, nil
}

func (p *Process) wait() {
	err := p.cmd.Wait()
	p.mu.Lock()
	p.exit = exitOf(p.cmd.ProcessState, err)
	p.exit.EndedBy = p.endedBy
	p.mu.Unlock()
	close(p.ended)
}

func exitOf(state *os.ProcessState, err error) evidence.Exit {
	if state == nil {
		return evidence.Exit{Code: -1, SpawnError: err.Error()}
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return evidence.Exit{Signal: signalName(status.Signal())}
	}
	return evidence.Exit{Code: state.ExitCode()}
}

// PID of the process, which is also the id of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Ended is closed when the process has ended and its output was read.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Exit says how it ended; valid once Ended is closed.
func (p *Process) Exit() evidence.Exit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Signal passes a signal of the user's on to the whole group.
func (p *Process) Signal(s syscall.Signal) {
	p.by("user")
	p.kill(s)
}

// Stop ends the process group: TERM, then KILL after the grace. by says who
// wants it: "supervisor" or "user". It returns at once; a second call changes nothing.
func (p *Process) Stop(by string) {
	p.once.Do(func() {
		p.by(by)
		p.kill(syscall.SIGTERM)
		go func() {
			timer := time.NewTimer(p.grace)
			defer timer.Stop()
			select {
			case <-p.ended:
			case <-timer.C:
				p.kill(syscall.SIGKILL)
			}
		}()
	})
}

func (p *Process) by(who string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.endedBy == "" {
		p.endedBy = who
	}
}

func (p *Process) kill(s syscall.Signal) {
	select {
	case <-p.ended: // the group's id may belong to another one by now
		return
	default:
	}
	if err := syscall.Kill(-p.PID(), s); err != nil && !errors.Is(err, syscall.ESRCH) {
		_ = p.cmd.Process.Signal(s)
	}
}

// Code is what a shell would give as the exit code of an end.
func Code(x evidence.Exit) int {
	switch {
	case x.SpawnError != "":
		return spawnCode
	case x.Signal != "":
		return 128 + int(signalNumber(x.Signal))
	}
	return x.Code
}

// spawnCode is the shell's code for a command that cannot be started.
const spawnCode = 126
