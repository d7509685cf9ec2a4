package fleet

import (
	"context"
	"sync"
	"time"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// subscriber follows the stream of events on one replica through all its
// deaths, from its last cursor.
type subscriber struct {
	client  *client.Client
	cursor  string
	streams int           // each begins with a sign of life
	begun   chan string   // gets its first cursor
	more    chan struct{} // rings at each event
	stop    func()        // returns when it follows no more

	mu   sync.Mutex
	seen []*v1.Event
	ids  map[string]bool
}

func (s *subscriber) has(e *v1.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[e.GetEventId()]
}

func (s *subscriber) take(e *v1.Event) {
	s.mu.Lock()
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	s.seen, s.ids[e.GetEventId()] = append(s.seen, e), true
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// follow returns when ctx has ended.
func (s *subscriber) follow(ctx context.Context) {
	for ctx.Err() == nil {
		s.stream(ctx)
		pause := time.NewTimer(readyStep)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

func (s *subscriber) stream(ctx context.Context) {
	stream, err := s.client.Recovery.WatchEvents(ctx, &v1.WatchEventsRequest{Cursor: s.cursor})
	if err != nil {
		return
	}
	defer stream.Close()
	for {
		m, err := stream.Receive()
		if err != nil {
			return
		}
		if e := m.GetEvent(); e != nil {
			s.take(e)
			s.cursor = e.GetCursor()
		}
		if h := m.GetHeartbeat(); h != nil {
			s.streams++
			begins := s.cursor == ""
			s.cursor = h.GetCursor()
			if begins {
				s.begun <- s.cursor
			}
		}
	}
}
