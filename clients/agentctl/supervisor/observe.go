package supervisor

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// observer sees everything that one attempt prints. Its streams may be written
// by different goroutines.
type observer struct {
	mu       sync.Mutex
	parser   dialect.Parser
	render   *adapter.Renderer // nil prints the output as it is
	out, err io.Writer
	outLines child.Lines
	errLines child.Lines
	events   bool // a line of the agent's own events was seen
	plain    bool // anything else was printed on standard output
	changed  bool
	retrying time.Time // since when nothing but the agent's own retries was seen
}

func newObserver(plan adapter.Plan, out, err io.Writer) *observer {
	o := &observer{parser: dialect.For(plan.Kind, plan.Mode), out: out, err: err}
	if plan.Adapted {
		o.render = plan.Renderer(out, err)
	}
	o.outLines.Line = o.stdoutLine
	o.errLines.Line = func(line []byte, _ bool) { o.parser.Stderr(line) }
	return o
}

type stream func([]byte) (int, error)

func (s stream) Write(p []byte) (int, error) { return s(p) }

func (o *observer) stdout() io.Writer {
	return stream(func(p []byte) (int, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.changed = true
		if o.render == nil {
			if _, err := o.out.Write(p); err != nil {
				return 0, err
			}
		}
		return o.outLines.Write(p)
	})
}

func (o *observer) stderr() io.Writer {
	return stream(func(p []byte) (int, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.changed = true
		_, _ = o.err.Write(p) // a closed standard error is no reason to stop the agent
		return o.errLines.Write(p)
	})
}

func (o *observer) stdoutLine(line []byte, torn bool) {
	o.parser.Stdout(line)
	switch {
	case adapter.Event(line):
		o.events = true
	case len(bytes.TrimSpace(line)) > 0:
		o.plain = true
	}
	if o.render != nil {
		o.render.Stdout(line, torn)
	}
}

// look gives what is known so far, and whether anything was printed since the
// last look.
func (o *observer) look(now time.Time) (state dialect.State, news bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	news, o.changed = o.changed, false
	if !news && o.retrying.IsZero() {
		return dialect.State{}, false
	}
	state = o.parser.State()
	switch {
	case !state.Retrying:
		o.retrying = time.Time{}
	case o.retrying.IsZero():
		o.retrying = now
	}
	return state, news
}

// retryingFor is how long nothing but the agent's own retries was seen.
func (o *observer) retryingFor(now time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.retrying.IsZero() {
		return 0
	}
	return now.Sub(o.retrying)
}

// finish takes the end of the process and gives all that is known.
func (o *observer) finish(exit evidence.Exit) dialect.State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.outLines.Flush()
	o.errLines.Flush()
	o.parser.Exit(exit)
	return o.parser.State()
}

// succeeded says whether an attempt did its work. Where the mode has a terminal
// event, an exit code of 0 alone proves nothing; an agent that printed text
// where events were asked for is taken at its exit code.
func (o *observer) succeeded(structured bool, exit evidence.Exit, state dialect.State) bool {
	if !exit.Clean() || state.Failed {
		return false
	}
	if !structured || !o.events && o.plain {
		return true
	}
	return state.Succeeded
}
