package recovery

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

// crowded lets a second loop claim beside the first when a look was full and
// more callers wait than it was for: while one batch is written, the next is
// read. It ends with the crowd.
func (q *dueQueue) crowded() {
	d := q.dispatcher
	d.mu.Lock()
	defer d.mu.Unlock()
	if q.assisted || q.unpicked() < q.dispatcher.batch {
		return
	}
	q.assisted = true
	go q.assist(q.after)
}

// unpicked counts the callers that no look is for. It is called under the lock.
func (q *dueQueue) unpicked() int {
	n := 0
	for _, c := range q.callers {
		if !c.picked {
			n++
		}
	}
	return n
}

// assist claims until a look is not full. The low-water mark is not its own:
// one that lies further back finds the same.
func (q *dueQueue) assist(after time.Time) {
	for full := true; full; {
		l, err := q.beginBeside()
		if l == nil {
			return
		}
		if err == nil {
			full, err = q.takeBeside(l, after)
		}
		q.end(l, err)
		full = full && err == nil
	}
	d := q.dispatcher
	d.mu.Lock()
	q.assisted = false
	d.mu.Unlock()
	q.ring() // whom it leaves is the first loop's
}

// beginBeside is begin for the second loop; nil when too few wait for it.
func (q *dueQueue) beginBeside() (*look, error) {
	d := q.dispatcher
	d.mu.Lock()
	defer d.mu.Unlock()
	if q.unpicked() < q.dispatcher.batch {
		q.assisted = false
		return nil, nil
	}
	l := q.pick()
	return l, l.makeSlots(d.service)
}

func (q *dueQueue) takeBeside(l *look, after time.Time) (full bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTimeout)
	defer cancel()
	got, err := q.claim(ctx, l, after)
	return err == nil && got.Found == len(l.slots) && len(got.Claims) > 0, err
}

// claim makes runs for the slots of a look, and hands them out.
func (q *dueQueue) claim(ctx context.Context, l *look, after time.Time) (work.DueClaims, error) {
	d := q.dispatcher
	d.turns <- struct{}{}
	got, err := d.service.store.ClaimDue(ctx, work.ClaimDue{WorkspaceID: q.workspaceID, After: after, Slots: l.slots})
	<-d.turns
	if err != nil {
		d.service.complain(ctx, "claim due work", err)
		return got, err
	}
	q.handOut(l, got)
	return got, nil
}
