package recovery

import (
	"context"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// followers hear what happens in the workspaces that calls of this process wait
// in, on whatever replica it was done: each follows one workspace's events and
// wakes only the calls that an event is about. A hint that is lost costs time
// only, because the events are the tables' and a waiting call looks again by
// itself.
type followers struct {
	mu   sync.Mutex
	byWS map[string]*follower
}

type follower struct {
	calls  int // that wait in its workspace
	cancel context.CancelFunc
}

// refollow is the pause after a stream of events ended early.
const refollow = time.Second

// listen returns a channel that receives after each change of one of the
// wakeups or runs, on any replica. Once it listens to the other replicas the
// channel receives too, for what was missed until then.
func (s *Service) listen(ctx context.Context, workspaceID string, ids []string) (changed <-chan struct{}, leave func()) {
	c, remove := s.waiters.add(append([]string{everythingIn(workspaceID)}, ids...))
	s.followers.enter(ctx, s, workspaceID)
	return c, func() {
		s.followers.leave(workspaceID)
		remove()
	}
}

func (f *followers) enter(ctx context.Context, s *Service, workspaceID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byWS == nil {
		f.byWS = map[string]*follower{}
	}
	one := f.byWS[workspaceID]
	if one == nil {
		// It serves every call, so that it outlives the one that began it.
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		one = &follower{cancel: cancel}
		f.byWS[workspaceID] = one
		go s.follow(own, workspaceID)
	}
	one.calls++
}

func (f *followers) leave(workspaceID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.byWS[workspaceID]
	if one.calls--; one.calls == 0 {
		delete(f.byWS, workspaceID)
		one.cancel()
	}
}

func (s *Service) follow(ctx context.Context, workspaceID string) {
	for ctx.Err() == nil {
		begun := false
		err := s.stream.Watch(ctx, work.WatchEvents{WorkspaceID: workspaceID}, func(w work.Watched) error {
			if !begun {
				begun = true
				s.waiters.changed(everythingIn(workspaceID))
			}
			if w.Event != nil {
				for _, id := range about(*w.Event) {
					s.waiters.changed(id)
				}
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			s.log.DebugContext(ctx, "following events ended", "workspace_id", workspaceID, "error", err)
		}
		timer := time.NewTimer(refollow)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// everythingIn is what every call that waits in a workspace listens to.
func everythingIn(workspaceID string) string { return "workspace " + workspaceID }

// about names what an event is about.
func about(e work.Event) []string {
	var ids []string
	for _, key := range []string{"wakeup_id", "run_id"} {
		if id, ok := e.Payload[key].(string); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
