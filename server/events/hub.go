package events

import "sync"

// hub tells readers in this process that a workspace has new numbered events.
type hub struct {
	mu      sync.Mutex
	readers map[string]map[chan struct{}]struct{}
}

// subscribe returns a channel that receives after each publish; several before
// a look count as one.
func (h *hub) subscribe(workspaceID string) (news chan struct{}, leave func()) {
	news = make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.readers == nil {
		h.readers = map[string]map[chan struct{}]struct{}{}
	}
	if h.readers[workspaceID] == nil {
		h.readers[workspaceID] = map[chan struct{}]struct{}{}
	}
	h.readers[workspaceID][news] = struct{}{}
	return news, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.readers[workspaceID], news)
		if len(h.readers[workspaceID]) == 0 {
			delete(h.readers, workspaceID)
		}
	}
}

func (h *hub) publish(workspaceID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for news := range h.readers[workspaceID] {
		ring(news)
	}
}

func (h *hub) publishAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, readers := range h.readers {
		for news := range readers {
			ring(news)
		}
	}
}

// watched reports whether anybody reads.
func (h *hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.readers) > 0
}

// ring sets off a channel of capacity one, unless it is set off already.
func ring(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
