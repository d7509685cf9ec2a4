package recovery

import "sync"

// waiters lets a claim that waits for an instant hear that its wakeup has
// changed. It is a hint for this process only; whoever misses it looks again
// a little later.
type waiters struct {
	mu   sync.Mutex
	byID map[string]map[chan struct{}]struct{}
}

// add returns a channel that receives after each change of one of the wakeups.
func (w *waiters) add(ids []string) (changed chan struct{}, remove func()) {
	changed = make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byID == nil {
		w.byID = map[string]map[chan struct{}]struct{}{}
	}
	for _, id := range ids {
		if w.byID[id] == nil {
			w.byID[id] = map[chan struct{}]struct{}{}
		}
		w.byID[id][changed] = struct{}{}
	}
	return changed, func() { w.remove(ids, changed) }
}

func (w *waiters) remove(ids []string, changed chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		delete(w.byID[id], changed)
		if len(w.byID[id]) == 0 {
			delete(w.byID, id)
		}
	}
}

func (w *waiters) changed(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.byID[id] {
		select {
		case c <- struct{}{}:
		default: // it has not looked yet since the last change
		}
	}
}
