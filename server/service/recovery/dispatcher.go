package recovery

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

const (
	// defaultClaimBatch is how many wakeups one transaction claims: more of them make
	// claims little cheaper, and each waits for all.
	defaultClaimBatch = 400
	// claimingAtOnce bounds the claiming transactions of this process over all
	// workspaces: claims of many connections at once are slower than of few.
	claimingAtOnce = 2
	releaseTimeout = 5 * time.Second
)

// dispatcher gives what is due to the workers that wait for it. However many
// wait in a workspace, one loop looks for them and claims in batches; it lives
// as long as somebody waits. All its state is a cache: the tables are the truth.
type dispatcher struct {
	service *Service
	turns   chan struct{}
	batch   int // wakeups of one transaction

	mu     sync.Mutex
	queues map[string]*dueQueue // by workspace
}

func newDispatcher(s *Service, batch int) *dispatcher {
	if batch == 0 {
		batch = defaultClaimBatch
	}
	return &dispatcher{service: s, batch: batch, turns: make(chan struct{}, claimingAtOnce), queues: map[string]*dueQueue{}}
}

// dueCaller is one call that waits. Its flags belong to the dispatcher's lock.
type dueCaller struct {
	supervisor work.Supervisor
	max        int
	once       bool           // answer after one look, whatever it finds
	gone       bool           // nobody takes the answer
	picked     bool           // a look under way has slots for it
	answer     chan dueAnswer // capacity 1
}

type dueAnswer struct {
	claims work.Claims
	err    error
}

// claim waits until something is due or wait has passed.
func (d *dispatcher) claim(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	c := &dueCaller{supervisor: in.Supervisor, max: in.MaxClaims, once: in.Wait <= 0, answer: make(chan dueAnswer, 1)}
	q := d.join(in.WorkspaceID, c)
	timer := time.NewTimer(max(in.Wait, 0))
	defer timer.Stop()
	over := timer.C
	if c.once {
		over = nil // its look is under way
	}
	for {
		select {
		case a := <-c.answer:
			return d.deliver(ctx, in.WorkspaceID, a)
		case <-over:
			if a, left := q.leave(c); left {
				return a.claims, a.err
			}
			over = nil // the look under way answers
		case <-ctx.Done():
			q.abandon(c)
			return work.Claims{}, gone(ctx)
		}
	}
}

// deliver gives claims to their caller, unless that went away meanwhile: a run
// that nobody knows of must not hold its session for a lease.
func (d *dispatcher) deliver(ctx context.Context, workspaceID string, a dueAnswer) (work.Claims, error) {
	if ctx.Err() != nil {
		d.release(workspaceID, a.claims.Claims)
		return work.Claims{}, gone(ctx)
	}
	return a.claims, a.err
}

func (d *dispatcher) join(workspaceID string, c *dueCaller) *dueQueue {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.queues[workspaceID]
	if q == nil {
		q = &dueQueue{dispatcher: d, workspaceID: workspaceID, kick: make(chan struct{}, 1), hosts: map[string]bool{}}
		d.queues[workspaceID] = q
		go q.run()
	}
	q.callers = append(q.callers, c)
	if !q.hosts[c.supervisor.HostID] {
		// What only this host can deliver may lie before the mark.
		q.hosts[c.supervisor.HostID], q.around = true, true
	}
	q.ring()
	return q
}

// changed says that something in a workspace may be due now.
func (d *dispatcher) changed(workspaceID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.queues[workspaceID]; q != nil {
		q.ring()
	}
}

// release gives runs back that nobody received. What fails here ends with its lease.
func (d *dispatcher) release(workspaceID string, claims []work.Claim) {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	s := d.service
	for _, c := range claims {
		lease := work.Lease{WorkspaceID: workspaceID, RunID: c.Run.ID, Token: c.LeaseToken}
		if _, err := s.store.ReleaseRun(ctx, lease, s.settings); err != nil {
			s.complain(ctx, "release a run that nobody received", err)
			continue
		}
		s.wake(workspaceID, c.Wakeup.ID)
	}
}

// ring sets off the loop, unless it is set off already.
func (q *dueQueue) ring() {
	select {
	case q.kick <- struct{}{}:
	default:
	}
}

// leave takes a caller out that waited long enough; it reports false while a
// look is under way, which then answers it.
func (q *dueQueue) leave(c *dueCaller) (dueAnswer, bool) {
	q.dispatcher.mu.Lock()
	defer q.dispatcher.mu.Unlock()
	if c.picked || len(c.answer) > 0 {
		c.once = true
		return dueAnswer{}, false
	}
	q.remove(c)
	return q.nothing(), true
}

// abandon takes a caller out that went away, and releases what it was given.
func (q *dueQueue) abandon(c *dueCaller) {
	q.dispatcher.mu.Lock()
	c.gone = true
	q.remove(c)
	var left []work.Claim
	if len(c.answer) > 0 {
		left = (<-c.answer).claims.Claims
	}
	q.dispatcher.mu.Unlock()
	q.dispatcher.release(q.workspaceID, left)
}

// remove is called under the lock. The loop ends when nobody waits any more.
func (q *dueQueue) remove(c *dueCaller) {
	if i := slices.Index(q.callers, c); i >= 0 {
		q.callers = slices.Delete(q.callers, i, i+1)
	}
	if len(q.callers) == 0 {
		q.ring()
	}
}

// nothing is the answer to a caller for whom nothing is due.
func (q *dueQueue) nothing() dueAnswer {
	if q.failed != nil {
		return dueAnswer{err: q.failed}
	}
	return dueAnswer{claims: work.Claims{NextDueAt: q.nextDueAt}}
}
