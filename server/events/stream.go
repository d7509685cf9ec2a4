package events

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// Store keeps events.
type Store interface {
	// NumberEvents gives at most limit committed events their numbers and returns how many.
	NumberEvents(ctx context.Context, workspaceID string, limit int) (int, error)
	FindUnnumbered(ctx context.Context) ([]string, error)
	// EventHead fails with WORKSPACE_NOT_FOUND.
	EventHead(ctx context.Context, workspaceID string) (work.Head, error)
	ReadEvents(ctx context.Context, workspaceID string, afterSeq int64, limit int) ([]work.Event, error)
	SendHint(ctx context.Context, workspaceIDs []string) error
}

// Config is what a Stream needs. A zero duration or count is its default.
type Config struct {
	Store Store
	Log   *slog.Logger
	// Heartbeat is how often a stream gives a sign of life; 15 s by default.
	Heartbeat time.Duration
	// Buffer is how many events a reader may be behind, 1024 by default.
	Buffer int
	// HintInterval is the least time between two hints to other replicas;
	// 50 ms by default.
	HintInterval time.Duration
	// Fallback is how often the tables are looked at without a hint, while
	// somebody watches or numbering failed; 5 s by default, and a fifth of it
	// while hints cannot arrive.
	Fallback time.Duration
	// Now is the time that heartbeats tell; nil is the machine's.
	Now func() time.Time
}

const (
	defaultHeartbeat    = 15 * time.Second
	defaultBuffer       = 1024
	defaultHintInterval = 50 * time.Millisecond
	defaultFallback     = 5 * time.Second
	readBatch           = 500
	numberBatch         = 1000
)

// Stream is one replica's view of the events of all workspaces. It is safe for
// concurrent use. Run must be running for events to get numbers.
type Stream struct {
	store Store
	log   *slog.Logger
	cfg   Config
	hub   hub
	pump  pump
	tails tails

	mu     sync.Mutex
	deaf   bool // hints of other replicas cannot arrive
	closed chan struct{}
	once   sync.Once
}

// New makes a stream.
func New(cfg Config) *Stream {
	if cfg.Heartbeat <= 0 {
		cfg.Heartbeat = defaultHeartbeat
	}
	if cfg.Buffer <= 0 {
		cfg.Buffer = defaultBuffer
	}
	if cfg.HintInterval <= 0 {
		cfg.HintInterval = defaultHintInterval
	}
	if cfg.Fallback <= 0 {
		cfg.Fallback = defaultFallback
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Stream{store: cfg.Store, log: cfg.Log, cfg: cfg, deaf: true, closed: make(chan struct{})}
	s.pump.init()
	return s
}

// Close ends every Watch with SHUTTING_DOWN, so that a server can drain.
func (s *Stream) Close() { s.once.Do(func() { close(s.closed) }) }

// Kick says that a workspace may have unnumbered events; it returns at once.
func (s *Stream) Kick(workspaceID string) { s.pump.kick(workspaceID) }

// Hint implements postgres.Listener: another replica has numbered events.
func (s *Stream) Hint(workspaceIDs []string) {
	for _, id := range workspaceIDs {
		s.hub.publish(id)
	}
}

// Resync implements postgres.Listener: hints may have been lost until now.
func (s *Stream) Resync() {
	s.setDeaf(false)
	s.hub.publishAll()
	s.pump.lookAround()
}

// Failed implements postgres.Listener: no hints until the next Resync.
func (s *Stream) Failed(err error) {
	s.setDeaf(true)
	s.log.Warn("listening for hints failed; polling until it works again", "error", err)
}

func (s *Stream) setDeaf(deaf bool) {
	s.mu.Lock()
	s.deaf = deaf
	s.mu.Unlock()
}

func (s *Stream) isDeaf() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deaf
}
