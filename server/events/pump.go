package events

import (
	"context"
	"sync"
	"time"
)

// pump collects which workspaces have unnumbered events.
type pump struct {
	mu     sync.Mutex
	dirty  map[string]struct{}
	around bool // look over all workspaces
	wake   chan struct{}
}

func (p *pump) init() {
	p.dirty = map[string]struct{}{}
	p.wake = make(chan struct{}, 1)
}

func (p *pump) kick(workspaceID string) {
	p.mu.Lock()
	p.dirty[workspaceID] = struct{}{}
	p.mu.Unlock()
	ring(p.wake)
}

func (p *pump) lookAround() {
	p.mu.Lock()
	p.around = true
	p.mu.Unlock()
	ring(p.wake)
}

func (p *pump) take() (dirty map[string]struct{}, around bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	dirty, around = p.dirty, p.around
	p.dirty, p.around = map[string]struct{}{}, false
	return dirty, around
}

// Run numbers events and sends hints until ctx ends. Every replica runs it.
// Without work and without readers it asks the database nothing.
func (s *Stream) Run(ctx context.Context) {
	s.pump.lookAround() // what another process left when it was killed
	hinter := hinter{stream: s}
	var next fallback
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pump.wake:
		case <-hinter.due():
			hinter.send(ctx)
			continue
		case <-next.timer:
			next = fallback{}
			s.pump.lookAround()
			s.hub.publishAll()
		}
		next.within(s.patience(s.numberAll(ctx, &hinter)))
	}
}

// patience is how long to go without a look that no hint asks for: short when
// numbering failed or hints cannot arrive, longer while anybody watches; 0 is
// for ever.
func (s *Stream) patience(failed bool) time.Duration {
	switch {
	case failed, s.hub.watched() && s.isDeaf():
		return s.cfg.Fallback / 5
	case s.hub.watched():
		return s.cfg.Fallback
	}
	return 0
}

// fallback is the next look. It comes nearer but is never put off, so that a
// busy workspace does not keep the others from being looked at.
type fallback struct {
	at    time.Time
	timer <-chan time.Time
}

func (f *fallback) within(d time.Duration) {
	at := time.Now().Add(d)
	switch {
	case d == 0:
		*f = fallback{}
	case f.timer == nil || at.Before(f.at):
		*f = fallback{at: at, timer: time.After(d)}
	}
}

func (s *Stream) numberAll(ctx context.Context, h *hinter) (failed bool) {
	dirty, around := s.pump.take()
	if around {
		found, err := s.store.FindUnnumbered(ctx)
		if err != nil {
			s.complain(ctx, "find unnumbered events", err)
			s.pump.mu.Lock()
			s.pump.around = true
			s.pump.mu.Unlock()
			failed = true
		}
		for _, id := range found {
			dirty[id] = struct{}{}
		}
	}
	for id := range dirty {
		if !s.number(ctx, id, h) {
			failed = true
			s.pump.mu.Lock()
			s.pump.dirty[id] = struct{}{}
			s.pump.mu.Unlock()
		}
	}
	return failed
}

func (s *Stream) number(ctx context.Context, workspaceID string, h *hinter) bool {
	for {
		n, err := s.store.NumberEvents(ctx, workspaceID, numberBatch)
		if err != nil {
			s.complain(ctx, "number events", err)
			return false
		}
		if n > 0 {
			s.hub.publish(workspaceID)
			h.add(ctx, workspaceID)
		}
		if n < numberBatch {
			return true
		}
	}
}

func (s *Stream) complain(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		s.log.WarnContext(ctx, "could not "+what, "error", err)
	}
}

// hinter tells other replicas, not more often than the interval allows: hints
// in between are sent together.
type hinter struct {
	stream  *Stream
	pending map[string]struct{}
	last    time.Time
	timer   <-chan time.Time
}

// maxHint keeps a payload under PostgreSQL's 8000 bytes: a workspace id has at
// most 63.
const maxHint = 100

func (h *hinter) due() <-chan time.Time { return h.timer }

func (h *hinter) add(ctx context.Context, workspaceID string) {
	if h.pending == nil {
		h.pending = map[string]struct{}{}
	}
	h.pending[workspaceID] = struct{}{}
	wait := h.stream.cfg.HintInterval - time.Since(h.last)
	switch {
	case wait <= 0:
		h.send(ctx)
	case h.timer == nil:
		h.timer = time.After(wait)
	}
}

// send gives up on an error: a lost hint costs time, never an event.
func (h *hinter) send(ctx context.Context) {
	ids := make([]string, 0, maxHint)
	for id := range h.pending {
		if len(ids) == maxHint {
			break
		}
		ids = append(ids, id)
		delete(h.pending, id)
	}
	h.timer, h.last = nil, time.Now()
	if len(h.pending) > 0 {
		h.timer = time.After(h.stream.cfg.HintInterval)
	}
	if len(ids) == 0 {
		return
	}
	if err := h.stream.store.SendHint(ctx, ids); err != nil {
		h.stream.complain(ctx, "send a hint", err)
	}
}
