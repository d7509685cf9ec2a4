// Package recovery holds the use cases of the durable path. Each prepares what
// a decision needs, lets core decide inside one storage transaction, and wakes
// whoever waits for the result.
package recovery

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// API is what handlers call. Every error is a *fault.Error in its chain.
type API interface {
	// BeginPrompt fails with SESSION_NOT_FOUND, SESSION_BUSY, REQUEST_ID_REUSED.
	BeginPrompt(ctx context.Context, in work.BeginPrompt) (work.Begun, error)
	// ClaimWakeups waits up to in.Wait for one to become due; it fails with
	// WAKEUP_NOT_FOUND, NOT_CLAIMABLE, SESSION_BUSY, STALE_GENERATION.
	ClaimWakeups(ctx context.Context, in work.ClaimWakeups) (work.Claims, error)
	// BeginSend fails with RUN_NOT_FOUND, STALE_LEASE, SEND_MARGIN_PASSED,
	// STALE_GENERATION, STALE_VERSION (already granted), RUN_ALREADY_SETTLED.
	BeginSend(ctx context.Context, in work.Lease) (work.Sending, error)
	// MarkDelivered fails with RUN_NOT_SENT besides the errors of a lease.
	MarkDelivered(ctx context.Context, in work.MarkDelivered) (work.Run, error)
	// RecordProgress never lowers an effect.
	RecordProgress(ctx context.Context, in work.RecordProgress) (work.Run, error)
	// HeartbeatRun renews a lease and says within in.Wait when a stop is asked for.
	HeartbeatRun(ctx context.Context, in work.HeartbeatRun) (work.Renewed, error)
	// ReportFailure classifies, decides and stores both in one transaction.
	ReportFailure(ctx context.Context, in work.ReportFailure) (work.Settled, error)
	// ReportSuccess completes the wakeup.
	ReportSuccess(ctx context.Context, in work.ReportSuccess) (work.Settled, error)
	// CancelWait fails with WAKEUP_NOT_FOUND and STALE_VERSION.
	CancelWait(ctx context.Context, in work.CancelWait) (work.Wakeup, error)
	// RetryNow fails with WAKEUP_NOT_FOUND and STALE_VERSION.
	RetryNow(ctx context.Context, in work.RetryNow) (work.Wakeup, error)
	// StopRun fails with RUN_NOT_FOUND, RUN_ALREADY_SETTLED and STALE_VERSION.
	StopRun(ctx context.Context, in work.StopRun) (work.Stopped, error)
	// GoOn resumes a session or starts it fresh; it fails with
	// SESSION_NOT_FOUND, SESSION_BUSY, STALE_GENERATION and NOT_RESUMABLE.
	GoOn(ctx context.Context, in work.GoOn) (work.Begun, error)
	// GetSessionRecovery fails with SESSION_NOT_FOUND.
	GetSessionRecovery(ctx context.Context, workspaceID, sessionID string) (work.SessionRecovery, error)
	ListRecoveries(ctx context.Context, in work.ListRecoveries) (work.RecoveryPage, error)
	// UpdateWorkspace fails with WORKSPACE_NOT_FOUND.
	UpdateWorkspace(ctx context.Context, in work.UpdateWorkspace) (access.Workspace, error)
	// SimulatePolicy replays failures against another policy; it stores nothing.
	SimulatePolicy(ctx context.Context, in work.SimulatePolicy) (work.Simulated, error)
	// Decide stores nothing.
	Decide(ctx context.Context, in DecideInput) (Decided, error)

	ListWakeups(ctx context.Context, in work.ListWakeups) (work.WakeupPage, error)
	// GetWakeup fails with WAKEUP_NOT_FOUND.
	GetWakeup(ctx context.Context, workspaceID, wakeupID string) (work.Wakeup, error)
	ListRuns(ctx context.Context, in work.ListRuns) (work.RunPage, error)
	// GetRun fails with RUN_NOT_FOUND.
	GetRun(ctx context.Context, workspaceID, runID string) (work.Run, error)

	ListEvents(ctx context.Context, in work.ListEvents) (work.EventPage, error)
	// WatchEvents calls send from one goroutine until ctx ends or send fails.
	// It fails with CURSOR_EXPIRED and STREAM_TOO_SLOW.
	WatchEvents(ctx context.Context, in work.WatchEvents, send func(work.Watched) error) error
}

// Classifier names the cause that an envelope shows; server/service/classification is one.
type Classifier interface {
	Classify(e evidence.Envelope, explain bool) classification.Result
}

// Stream lists and watches events, and is told when there are new ones.
type Stream interface {
	List(ctx context.Context, in work.ListEvents) (work.EventPage, error)
	Watch(ctx context.Context, in work.WatchEvents, send func(work.Watched) error) error
	// Kick says that a workspace has new events; it returns at once.
	Kick(workspaceID string)
	// Changes tells of news of a workspace, of other replicas too, until leave.
	Changes(workspaceID string) (news <-chan struct{}, leave func())
}

// Config is what a Service needs.
type Config struct {
	Store      Store
	Classifier Classifier
	Stream     Stream
	Log        *slog.Logger
	// Settings are the numbers of the recovery contract; zero means recovery.Defaults.
	Settings recovery.Settings
	// Jitter is drawn from [0,1); nil is random.
	Jitter func() float64
	// Now dates evidence that has no date; nil is the machine's clock. Leases
	// and deadlines go by the database's clock only.
	Now func() time.Time
	// ClaimBatch is how many wakeups one transaction claims for all who wait; 0 is 400.
	ClaimBatch int
}

// Service is safe for concurrent use.
type Service struct {
	store      Store
	classifier Classifier
	stream     Stream
	log        *slog.Logger
	settings   recovery.Settings
	jitter     func() float64
	now        func() time.Time
	waiters    waiters
	followers  followers
	due        *dispatcher
	reconcile  chan struct{} // a hint that a deadline came nearer
	signs      signs
	nudged     lately
}

var _ API = (*Service)(nil)

// New fails with INVALID_REQUEST when a setting is out of range.
func New(cfg Config) (*Service, error) {
	s := &Service{
		store: cfg.Store, classifier: cfg.Classifier, stream: cfg.Stream, log: cfg.Log,
		settings: cfg.Settings, jitter: cfg.Jitter, now: cfg.Now, reconcile: make(chan struct{}, 1),
	}
	if s.settings.Lease == 0 {
		s.settings = recovery.Defaults()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.jitter == nil {
		s.jitter = rand.Float64
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.due = newDispatcher(s, cfg.ClaimBatch)
	return s, s.settings.Validate()
}

// Settings returns the numbers that the service goes by.
func (s *Service) Settings() recovery.Settings { return s.settings }
