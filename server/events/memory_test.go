package events_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/recourse-dev/recourse/core/work"
)

const workspace = "w"

// memory is a store of one workspace whose calls are counted.
type memory struct {
	mu       sync.Mutex
	waiting  []work.Event
	numbered []work.Event
	oldest   int64
	hints    [][]string
	calls    map[string]int
	broken   error
}

func newMemory() *memory { return &memory{oldest: 1, calls: map[string]int{}} }

func (m *memory) enter(call string) (func(), error) {
	m.mu.Lock()
	m.calls[call]++
	return m.mu.Unlock, m.broken
}

func (m *memory) add(count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for range count {
		n := len(m.waiting) + len(m.numbered) + 1
		m.waiting = append(m.waiting, work.Event{
			WorkspaceID: workspace, ID: fmt.Sprint("event-", n), Type: []string{"even", "odd"}[n%2], Payload: map[string]any{"n": n},
		})
	}
}

func (m *memory) prune(oldest int64) {
	m.mu.Lock()
	m.oldest = oldest
	m.mu.Unlock()
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	m.broken = err
	m.mu.Unlock()
}

// asked is how many queries were made in all.
func (m *memory) asked() (sum int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.calls {
		sum += n
	}
	return sum
}

func (m *memory) hinted() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.hints)
}

func (m *memory) NumberEvents(_ context.Context, _ string, limit int) (int, error) {
	leave, err := m.enter("number")
	defer leave()
	if err != nil {
		return 0, err
	}
	n := min(limit, len(m.waiting))
	for _, e := range m.waiting[:n] {
		e.Seq = int64(len(m.numbered) + 1)
		m.numbered = append(m.numbered, e)
	}
	m.waiting = m.waiting[n:]
	return n, nil
}

func (m *memory) FindUnnumbered(context.Context) ([]string, error) {
	leave, err := m.enter("find")
	defer leave()
	if err != nil || len(m.waiting) == 0 {
		return nil, err
	}
	return []string{workspace}, nil
}

func (m *memory) EventHead(context.Context, string) (work.Head, error) {
	leave, err := m.enter("head")
	defer leave()
	return work.Head{LastSeq: int64(len(m.numbered)), OldestSeq: m.oldest}, err
}

func (m *memory) ReadEvents(_ context.Context, _ string, after int64, limit int) ([]work.Event, error) {
	leave, err := m.enter("read")
	defer leave()
	if err != nil {
		return nil, err
	}
	after = max(after, m.oldest-1)
	if after >= int64(len(m.numbered)) {
		return nil, nil
	}
	rest := m.numbered[after:]
	return append([]work.Event(nil), rest[:min(limit, len(rest))]...), nil
}

func (m *memory) SendHint(_ context.Context, ids []string) error {
	leave, err := m.enter("hint")
	defer leave()
	if err == nil {
		m.hints = append(m.hints, ids)
	}
	return err
}

var errBroken = errors.New("the database is away")

// collector is a reader that keeps what it was sent.
type collector struct {
	t      *testing.T
	mu     sync.Mutex
	seqs   []int64
	beats  int
	cursor string
	before func(work.Watched) error // called first, if set
}

func (c *collector) send(w work.Watched) error {
	if c.before != nil {
		if err := c.before(w); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cursor = w.Cursor
	if w.Event == nil {
		c.beats++
		return nil
	}
	c.seqs = append(c.seqs, w.Event.Seq)
	return nil
}

func (c *collector) got() []int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]int64{}, c.seqs...)
}

func (c *collector) beaten() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.beats
}

func upTo(from, to int64) []int64 {
	out := []int64{}
	for n := from; n <= to; n++ {
		out = append(out, n)
	}
	return out
}
