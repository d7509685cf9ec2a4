package recovery

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// look is one round: the callers that it is for, and the slots of their runs.
type look struct {
	callers []*dueCaller
	owner   []*dueCaller // of each slot
	slots   []work.ClaimRequest
	tokens  []string
	hosts   []string
	all     bool // found that nothing is due for anybody
}

// begin picks the callers of the next look: the longest waiting first, one slot
// each before anybody has two. It returns nil when nobody waits: the queue is gone.
func (q *dueQueue) begin() (*look, error) {
	d := q.dispatcher
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(q.callers) == 0 {
		delete(d.queues, q.workspaceID)
		return nil, nil
	}
	l := q.pick()
	if q.around || time.Since(q.aroundAt) >= lookAround {
		q.around, q.after, q.aroundAt, q.dueAt = false, time.Time{}, time.Now(), time.Time{}
	}
	return l, l.makeSlots(d.service)
}

// pick is called under the lock. Whom another look is for is left to it.
func (q *dueQueue) pick() *look {
	l := &look{}
	for h := range q.hosts {
		l.hosts = append(l.hosts, h)
	}
	var waiting []*dueCaller
	for _, c := range q.callers {
		if !c.picked {
			waiting = append(waiting, c)
		}
	}
	for round := 0; len(l.owner) < q.dispatcher.batch; round++ {
		before := len(l.owner)
		for _, c := range waiting {
			if round < c.max && len(l.owner) < q.dispatcher.batch {
				l.owner = append(l.owner, c)
				if !c.picked {
					c.picked = true
					l.callers = append(l.callers, c)
				}
			}
		}
		if len(l.owner) == before {
			break
		}
	}
	return l
}

func (l *look) makeSlots(s *Service) error {
	for _, c := range l.owner {
		runID, err := newID()
		if err != nil {
			return err
		}
		token := newToken()
		l.tokens = append(l.tokens, token)
		l.slots = append(l.slots, work.ClaimRequest{Supervisor: c.supervisor, RunID: runID, TokenHash: work.HashToken(token), Settings: s.settings})
	}
	return nil
}

// end answers whoever waits no longer, and lets those whose turn brought
// nothing stand behind the others.
func (q *dueQueue) end(l *look, err error) {
	q.dispatcher.mu.Lock()
	defer q.dispatcher.mu.Unlock()
	q.failed = err
	for _, c := range l.callers {
		c.picked = false
	}
	ended := l.callers
	if l.all {
		ended = q.callers
	}
	answered := map[*dueCaller]bool{}
	for _, c := range ended {
		if c.once && !c.gone && len(c.answer) == 0 && slices.Contains(q.callers, c) {
			c.answer <- q.nothing()
			answered[c] = true
		}
	}
	q.callers = slices.DeleteFunc(q.callers, func(c *dueCaller) bool { return answered[c] })
	if n := len(l.callers); !l.all && n < len(q.callers) {
		q.rotate(l)
	}
}

// rotate moves the callers of a look to the end, in their order.
func (q *dueQueue) rotate(l *look) {
	were := map[*dueCaller]bool{}
	for _, c := range l.callers {
		were[c] = true
	}
	slices.SortStableFunc(q.callers, func(a, b *dueCaller) int {
		switch {
		case were[a] == were[b]:
			return 0
		case were[a]:
			return 1
		}
		return -1
	})
}
