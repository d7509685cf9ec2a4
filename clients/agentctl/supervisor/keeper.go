package supervisor

import (
	"context"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
)

// keeper tells the ledger how a run goes and keeps its lease. A ledger that
// cannot be reached is asked again; a lease that somebody else holds ends it.
type keeper struct {
	lostLease chan struct{}
	stopAsked chan struct{} // closed once somebody asked to end the agent
	quit      context.CancelFunc
	done      chan struct{}
	delivered chan struct{} // closed once the ledger knows that the agent has the prompt
	news      chan progress
	err       error

	mu   sync.Mutex
	sent progress
}

type progress struct {
	effects evidence.Effects
	session string
}

// The pauses between calls that could not be made.
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 10 * time.Second
)

// deliveredPatience is how long the end of an agent waits for a ledger that does
// not know yet that it had begun.
const deliveredPatience = 3 * time.Second

// keep starts the keeper of a run that was just delivered.
func (s *Supervisor) keep(ctx context.Context, run Run) *keeper {
	ctx, quit := context.WithCancel(context.WithoutCancel(ctx))
	k := &keeper{lostLease: make(chan struct{}), stopAsked: make(chan struct{}), quit: quit, done: make(chan struct{}), delivered: make(chan struct{}), news: make(chan progress, 1)}
	lost, stop := k.lostLease, k.stopAsked
	go func() {
		defer close(k.done)
		if err := k.run(ctx, s, run, stop); err != nil && ctx.Err() == nil {
			k.err = err
			close(lost)
		}
	}()
	return k
}

// stop ends the keeper; calls in flight are given up, but for the first one:
// an agent that ends at once was delivered all the same.
func (k *keeper) stop() {
	timer := time.NewTimer(deliveredPatience)
	defer timer.Stop()
	select {
	case <-k.delivered:
	case <-k.done:
	case <-timer.C:
	}
	k.quit()
	<-k.done
}

// lost is why the lease is gone, nil while it is ours. Only after stop, or
// once lostLease is closed.
func (k *keeper) lost() error { return k.err }

// progress hands over what is known by now; only what is new is sent.
func (k *keeper) progress(effects evidence.Effects, session string) {
	next := progress{effects: effects, session: session}
	k.mu.Lock()
	defer k.mu.Unlock()
	if next == k.sent {
		return
	}
	k.sent = next
	select {
	case <-k.news: // replaced by the newer one
	default:
	}
	k.news <- next
}

func (k *keeper) run(ctx context.Context, s *Supervisor, run Run, stop chan<- struct{}) error {
	if err := k.insist(ctx, s, func() error { return s.Ledger.Delivered(ctx, run, "") }); err != nil {
		return err
	}
	close(k.delivered)
	ctx, end := context.WithCancel(ctx)
	beats := make(chan error, 1)
	go func() { beats <- k.beat(ctx, s, run, stop) }()
	for {
		select {
		case err := <-beats:
			end()
			return err
		case p := <-k.news:
			if err := k.insist(ctx, s, func() error { return s.Ledger.Progress(ctx, run, p.effects, p.session) }); err != nil {
				end()
				if lost := <-beats; lost != nil {
					return lost
				}
				return err
			}
		}
	}
}

// waitForEnd: a ledger without leases needs no keeper.
func waitForEnd(ctx context.Context, err error) error {
	if err == nil {
		<-ctx.Done()
	}
	return err
}

// insist makes a call until the ledger answers. Only an answer that says that
// the run is no longer ours is an error.
func (k *keeper) insist(ctx context.Context, s *Supervisor, call func() error) error {
	return s.insist(ctx, func() error {
		err := call()
		if err == nil || notOurs(err) || transient(err) || ctx.Err() != nil {
			return err
		}
		return nil // a report of progress that is refused is no reason to end the agent
	})
}

// insist makes a call until it is answered, and tells once for each outage that
// it cannot be.
func (s *Supervisor) insist(ctx context.Context, call func() error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := call()
		if err == nil || !transient(err) {
			if err == nil && s.unreachable.CompareAndSwap(true, false) {
				s.tell(Notice{Kind: NoticeReachable})
			}
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.unreachable.CompareAndSwap(false, true) {
			s.tell(Notice{Kind: NoticeUnreachable, Err: err})
		}
		if err := (System{}).Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// transient errors say nothing about the call: it is made again, with the
// same request id where it changes anything.
func transient(err error) bool {
	switch fault.From(err).Kind {
	case fault.Unavailable, fault.DeadlineExceeded, fault.ResourceExhausted:
		return true
	}
	return false
}

// notOurs errors say that somebody else owns the run.
func notOurs(err error) bool {
	for _, reason := range []fault.Reason{
		fault.ReasonStaleLease, fault.ReasonStaleGeneration, fault.ReasonRunAlreadySettled, fault.ReasonRunNotFound, fault.ReasonWakeupNotFound,
	} {
		if fault.Is(err, reason) {
			return true
		}
	}
	return false
}
