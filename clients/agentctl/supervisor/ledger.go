package supervisor

import (
	"context"
	"time"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Ledger is who owns a wakeup and decides what follows each failure: a server,
// or this host by the same functions. Errors are *fault.Error.
type Ledger interface {
	// Claim waits until the wakeup is due and gives its next run. A clock of
	// the ledger's own decides when that is; due is what was last announced.
	Claim(ctx context.Context, due time.Time) (Run, error)
	// BeginSend must be acknowledged before the process starts; that must
	// happen within the returned time, 0 is no limit.
	BeginSend(ctx context.Context, run Run) (within time.Duration, err error)
	Delivered(ctx context.Context, run Run, session string) error
	Progress(ctx context.Context, run Run, effects evidence.Effects, session string) error
	// Heartbeat renews the lease. It may take as long as a lease may be held
	// for a request to stop.
	Heartbeat(ctx context.Context, run Run) (Beat, error)
	// Fail settles the run and says what follows. The same report gets the
	// same answer.
	Fail(ctx context.Context, run Run, report Report) (Verdict, error)
	Succeed(ctx context.Context, run Run, report Report) error
	// CancelWait ends the wait for the next run.
	CancelWait(ctx context.Context) error
	// Offset is the ledger's clock minus this host's.
	Offset() time.Duration
}

// Run is one claimed run.
type Run struct {
	ID    string
	Token string // its lease; never printed
	// Continue sends the continue instruction into Session, never the prompt.
	Continue bool
	Session  string
	// Fresh sends the fresh instruction and the prompt into a new session.
	Fresh bool
}

// Beat is the answer to a heartbeat.
type Beat struct {
	// Next is after how long the next one is due, 0 if none is needed.
	Next time.Duration
	// Stop says that a person, or a newer prompt, asked to end the agent.
	Stop bool
}

// Report is how a run ended.
type Report struct {
	RequestID string
	Envelope  evidence.Envelope // bounded and redacted
	Session   string            // the agent's own, "" when it cannot be resumed
	CostUSD   float64
}

// Verdict is what follows a failure.
type Verdict struct {
	Classification *v1.Classification
	Decision       *v1.Decision
	// Progress and Parks are kept for the next decision where no server does.
	Progress *recovery.Progress
	Parks    int
	// Status overrides what the decision says: a person or a newer prompt
	// ended the wakeup meanwhile. Unspecified does not.
	Status v1.WakeupStatus
}

// RetryAt is when the next run is due; false when none follows by itself.
func (v Verdict) RetryAt() (time.Time, bool) {
	if at := v.Decision.GetRetryAt(); at != nil {
		return at.AsTime(), true
	}
	return time.Time{}, false
}
