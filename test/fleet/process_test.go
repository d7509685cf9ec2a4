package fleet

import (
	"bytes"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// process is a server or a worker, and how to start it; it may be killed and
// is then started again.
type process struct {
	t     *testing.T
	name  string
	start func() *exec.Cmd
	ready func() bool // nil: at once
	down  sync.WaitGroup

	mu  sync.Mutex
	now *life
}

// life is one process from its start to its end.
type life struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	killed atomic.Bool
	gone   chan struct{}
}

const readyStep = 10 * time.Millisecond

// up starts it and returns once it is ready, or was killed meanwhile.
func (p *process) up() {
	cmd := p.start()
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Errorf("start %s: %v", p.name, err)
		return
	}
	l := &life{cmd: cmd, stdin: stdin, gone: make(chan struct{})}
	p.mu.Lock()
	p.now = l
	p.mu.Unlock()
	p.down.Go(func() {
		_ = cmd.Wait()
		if !l.killed.Load() {
			p.t.Errorf("%s ended by itself: %s", p.name, cmd.ProcessState)
		}
		close(l.gone)
	})
	tick := time.NewTicker(readyStep)
	defer tick.Stop()
	for p.ready != nil && !p.ready() {
		select {
		case <-l.gone:
			return
		case <-tick.C:
		}
	}
}

// kill is SIGKILL; it returns once the process is gone, and whether it was
// there.
func (p *process) kill() bool {
	p.mu.Lock()
	l := p.now
	p.mu.Unlock()
	if l == nil || l.killed.Swap(true) {
		return false
	}
	_ = l.cmd.Process.Signal(syscall.SIGKILL)
	<-l.gone
	return true
}

// crash kills it, and starts it again meanwhile.
func (p *process) crash() bool {
	hit := p.kill()
	if hit {
		p.down.Go(p.up)
	}
	return hit
}

// end kills it for good.
func (p *process) end() {
	p.kill()
	p.down.Wait()
	p.kill()
	p.down.Wait()
}

// output keeps what processes print, for a test that fails.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// tail is the last of it.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	const most = 20_000
	all := o.buf.Bytes()
	return string(all[max(0, len(all)-most):])
}
