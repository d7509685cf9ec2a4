package events

import (
	"context"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// tails reads each watched workspace once per process and hands what is new to
// all of its readers.
type tails struct {
	mu   sync.Mutex
	byWS map[string]*tail
}

// tail follows the end of one workspace's stream.
type tail struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	at      int64 // the last number that was handed out
	readers map[*reader]struct{}
}

// reader is one stream's bounded buffer. Its events are shared with the other
// readers and must not be changed.
type reader struct {
	news chan struct{}
	size int

	mu       sync.Mutex
	events   []work.Event
	overflow bool
}

// join begins to follow a workspace. Every event after from reaches the
// reader, unless its buffer overflows.
func (s *Stream) join(ctx context.Context, workspaceID string) (r *reader, from int64, leave func(), err error) {
	s.tails.mu.Lock()
	defer s.tails.mu.Unlock()
	t := s.tails.byWS[workspaceID]
	if t == nil {
		if t, err = s.startTail(ctx, workspaceID); err != nil {
			return nil, 0, nil, err
		}
		if s.tails.byWS == nil {
			s.tails.byWS = map[string]*tail{}
		}
		s.tails.byWS[workspaceID] = t
	}
	r = &reader{news: make(chan struct{}, 1), size: s.cfg.Buffer}
	t.mu.Lock()
	t.readers[r] = struct{}{}
	from = t.at
	t.mu.Unlock()
	return r, from, func() { s.leave(workspaceID, t, r) }, nil
}

func (s *Stream) startTail(ctx context.Context, workspaceID string) (*tail, error) {
	head, err := s.store.EventHead(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	// It serves every reader, so that it must outlive the one that began it.
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	t := &tail{cancel: cancel, done: make(chan struct{}), at: head.LastSeq, readers: map[*reader]struct{}{}}
	news, unsubscribe := s.hub.subscribe(workspaceID)
	ring(news) // what was numbered between the head and the subscription
	go func() {
		defer close(t.done)
		defer unsubscribe()
		s.follow(own, workspaceID, t, news)
	}()
	s.pump.kick(workspaceID)
	return t, nil
}

func (s *Stream) leave(workspaceID string, t *tail, r *reader) {
	s.tails.mu.Lock()
	t.mu.Lock()
	delete(t.readers, r)
	last := len(t.readers) == 0
	t.mu.Unlock()
	if last {
		delete(s.tails.byWS, workspaceID)
		t.cancel()
	}
	s.tails.mu.Unlock()
	if last {
		<-t.done
	}
}

func (s *Stream) follow(ctx context.Context, workspaceID string, t *tail, news <-chan struct{}) {
	var again <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-news:
		case <-again:
		}
		again = nil
		if err := s.handOut(ctx, workspaceID, t); err != nil {
			s.complain(ctx, "read new events", err)
			again = time.After(s.cfg.Fallback / 5)
		}
	}
}

// handOut reads what is new and gives it to the readers.
func (s *Stream) handOut(ctx context.Context, workspaceID string, t *tail) error {
	for {
		batch, err := s.store.ReadEvents(ctx, workspaceID, t.at, readBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		t.mu.Lock()
		for r := range t.readers {
			r.put(batch)
		}
		t.at = batch[len(batch)-1].Seq
		t.mu.Unlock()
	}
}

func (r *reader) put(batch []work.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.overflow || len(r.events)+len(batch) > r.size {
		// It gets nothing more: a hole in the middle would be a lost event.
		r.events, r.overflow = nil, true
	} else {
		r.events = append(r.events, batch...)
	}
	ring(r.news)
}

// take empties the buffer.
func (r *reader) take() (events []work.Event, overflow bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events, overflow = r.events, r.overflow
	r.events = nil
	return events, overflow
}
