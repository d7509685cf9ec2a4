package work

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Locked is what a transition may look at: rows that nobody else can change
// meanwhile, and the clock that rules leases, read after the locks.
type Locked struct {
	Session   Session
	Wakeup    Wakeup
	Run       Run    // the run that the command names, else the wakeup's newest; zero if there is none
	TokenHash []byte // of Run's lease token
	Mode      recovery.Mode
	// RecoveryOff is the workspace's Off switch.
	RecoveryOff bool
	// RunsLastDay counts the wakeup's runs of the last 24 hours; only where its
	// consent bounds them.
	RunsLastDay int
	// Cooldown is the short phase of the wakeup's provider and model, nil if
	// there is none or the profile takes no part in it.
	Cooldown *Cooldown
	Now      time.Time
}

// Change is what a transition leaves. A nil record stays as it is.
type Change struct {
	Session *Session
	Wakeup  *Wakeup
	Run     *Run
	// NewRun says that Run is to be made, with this hash of its lease token.
	NewRun    bool
	TokenHash []byte
	Report    *Report
	Events    []Event // Type and Payload only
	// ReleasePerSecond is how many launches a second follow when a short phase
	// ends with this change.
	ReleasePerSecond int
}

// Report is what a run leaves behind for people and for replays.
type Report struct {
	Evidence       *evidence.Envelope // redacted
	Classification *classification.Result
	Decision       *recovery.Decision
	// Facts and Jitter are the arguments of Decide that are stored nowhere
	// else; with the result and the instant they give the same decision.
	Facts  *recovery.Facts
	Jitter float64
}

// Transition turns locked records into their change. It is pure: storage may
// call it again when the database asks for a retry.
type Transition func(Locked) (Change, error)

// HashToken is the form in which a lease token is stored.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func (l Locked) fence(token string, s recovery.Settings) recovery.RunFacts {
	return recovery.RunFacts{
		Run:               l.Run.State,
		Wakeup:            l.Wakeup.Status,
		TokenMatches:      subtle.ConstantTimeCompare(l.TokenHash, HashToken(token)) == 1,
		GenerationCurrent: l.Run.Generation == l.Session.Generation,
		// Whoever cancels the wakeup of a lost run has dealt with it.
		PersonActed:    l.Wakeup.Status == recovery.WakeupCancelled,
		StopRequested:  l.stopRequested(),
		LeaseRemaining: l.leaseRemaining(),
	}
}

func (l Locked) leaseRemaining() time.Duration {
	if l.Run.LeaseExpiresAt.IsZero() {
		return 0
	}
	return l.Run.LeaseExpiresAt.Sub(l.Now)
}
