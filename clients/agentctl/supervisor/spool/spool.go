// Package spool reads the caller's standard input once and gives it to every
// attempt from its beginning. Up to a limit it can be given again; beyond it
// the input flows through and the command cannot be repeated.
package spool

import (
	"io"
	"sync"
)

// Limit is how much input can be given again, in bytes.
const Limit = 1 << 20

// Spool holds what was read of one input. It may be used by several goroutines.
type Spool struct {
	record io.Writer     // a second keeper of the input, may be nil
	whole  func() error  // called when record has everything, may be nil
	done   chan struct{} // closed when nothing more is read
	start  sync.Once
	source io.Reader

	mu     sync.Mutex
	change *sync.Cond
	text   []byte
	base   int // bytes that were dropped before text, beyond the limit only
	ended  bool
	over   bool
	reader int // where the newest reader is: beyond the limit nothing runs ahead of it
	latest int // identity of the newest reader
}

// New spools source as attempts ask for it. record, if not nil, gets the input
// too, and whole is called once it has all of it; both stop at the limit.
func New(source io.Reader, record io.Writer, whole func() error) *Spool {
	s := &Spool{source: source, record: record, whole: whole, done: make(chan struct{})}
	s.change = sync.NewCond(&s.mu)
	return s
}

// Replay is the spool of an input that was recorded before. whole says that
// the record has all of it.
func Replay(text []byte, whole bool) *Spool {
	s := &Spool{text: text, ended: true, over: !whole && len(text) > 0, done: make(chan struct{})}
	s.change = sync.NewCond(&s.mu)
	s.start.Do(func() { close(s.done) })
	return s
}

// Replayable says that everything that was read so far can be given again.
func (s *Spool) Replayable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.over
}

// Used says that any input was read.
func (s *Spool) Used() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.text) > 0 || s.over
}

// Reader gives the input from its beginning. Only the newest reader is served;
// an older one meets the end of its input.
func (s *Spool) Reader() io.Reader {
	s.start.Do(func() { go s.pump() })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest++
	s.reader = 0
	s.change.Broadcast()
	return &reader{spool: s, id: s.latest}
}

func (s *Spool) pump() {
	defer close(s.done)
	buffer := make([]byte, 32<<10)
	for {
		n, err := s.source.Read(buffer)
		if n > 0 {
			s.take(buffer[:n])
		}
		if err != nil {
			s.end()
			return
		}
	}
}

func (s *Spool) take(chunk []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && s.base+len(s.text)+len(chunk) > Limit {
		s.over = true
	}
	// Beyond the limit the input is not kept: wait for the reader to catch up,
	// so that a large file costs no memory.
	for s.over && s.base+len(s.text)-s.reader > Limit {
		s.change.Wait()
	}
	if s.over {
		drop := min(max(s.reader-s.base, 0), len(s.text))
		s.text = append([]byte(nil), s.text[drop:]...)
		s.base += drop
	} else if s.record != nil {
		if _, err := s.record.Write(chunk); err != nil {
			s.record, s.whole = nil, nil // it can still be repeated by this process
		}
	}
	s.text = append(s.text, chunk...)
	s.change.Broadcast()
}

func (s *Spool) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if !s.over && s.whole != nil {
		// A record that cannot be sealed is only not used by another process.
		_ = s.whole()
	}
	s.change.Broadcast()
}

type reader struct {
	spool *Spool
	id    int
	at    int
}

// Read waits for more input, for its end, or for a newer reader.
func (r *reader) Read(p []byte) (int, error) {
	s := r.spool
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case r.id != s.latest || r.at < s.base:
			return 0, io.EOF
		case r.at < s.base+len(s.text):
			n := copy(p, s.text[r.at-s.base:])
			r.at += n
			s.reader = r.at
			s.change.Broadcast()
			return n, nil
		case s.ended:
			return 0, io.EOF
		}
		s.change.Wait()
	}
}

// Release ends the newest reader.
func (s *Spool) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest++
	s.change.Broadcast()
}
