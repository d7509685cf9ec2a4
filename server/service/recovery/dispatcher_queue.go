package recovery

import (
	"context"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/work"
)

const (
	// dueSlack is how long a row may take from reading its instant to being
	// visible; the low-water mark stays that far behind.
	dueSlack = 2 * time.Second
	// lookAround is how often everything is looked at, whatever the mark says.
	lookAround = 5 * time.Second
	// ownGap and newsGap are the least time between two looks that a change of
	// this process, or of any, asks for.
	ownGap  = 2 * time.Millisecond
	newsGap = 25 * time.Millisecond
	// longestRetry bounds the wait after a look that found only what others hold.
	longestRetry = 250 * time.Millisecond
	lookTimeout  = 20 * time.Second
)

// dueQueue is one workspace with callers that wait.
type dueQueue struct {
	dispatcher  *dispatcher
	workspaceID string
	kick        chan struct{}

	// Under the dispatcher's lock.
	callers   []*dueCaller
	hosts     map[string]bool // of every caller since the loop began
	around    bool            // look at everything
	nextDueAt time.Time       // the first that is not due yet
	failed    error           // of the last look
	assisted  bool            // a second loop claims beside this one

	// The loop's own.
	after    time.Time // low-water mark, by the database's clock
	aroundAt time.Time // of the last look at everything
	dueAt    time.Time // when to claim without asking, by this process's clock
	busy     int       // looks in a row that got nothing of what is due
}

// run serves the callers until none is left.
func (q *dueQueue) run() {
	news, leave := q.dispatcher.service.stream.Changes(q.workspaceID)
	defer leave()
	for {
		l, err := q.begin()
		if l == nil {
			return
		}
		began, sleep := time.Now(), retryPause
		if err == nil {
			sleep, err = q.serve(l)
		}
		q.end(l, err)
		q.pause(began, sleep, news)
	}
}

// pause sleeps until something is due, or until there is news. News are looked
// at together: what this process did at once, what others did a little later.
func (q *dueQueue) pause(began time.Time, sleep time.Duration, news <-chan struct{}) {
	if sleep <= 0 {
		return
	}
	timer := time.NewTimer(max(sleep, leastSleep))
	defer timer.Stop()
	var look <-chan time.Time
	for {
		select {
		case <-timer.C:
			return
		case <-look:
			q.dueAt = time.Time{} // something else may come first
			return
		case <-q.kick:
			look = time.After(ownGap - time.Since(began))
		case <-news:
			if look == nil {
				look = time.After(newsGap - time.Since(began))
			}
		}
	}
}

// serve looks once, and says how long to sleep after it.
func (q *dueQueue) serve(l *look) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTimeout)
	defer cancel()
	if q.dueAt.IsZero() || time.Now().Before(q.dueAt) {
		sleep, err := q.ask(ctx, l)
		if sleep > 0 || err != nil {
			return sleep, err
		}
	}
	return q.take(ctx, l)
}

// ask finds out when the first is due; 0 is now.
func (q *dueQueue) ask(ctx context.Context, l *look) (time.Duration, error) {
	s := q.dispatcher.service
	next, err := s.store.NextDue(ctx, q.workspaceID, q.after, l.hosts)
	if err != nil {
		s.complain(ctx, "look for due work", err)
		return retryPause, err
	}
	if !next.DueAt.IsZero() && !next.DueAt.After(next.Now) {
		return 0, nil
	}
	l.all = true
	return q.until(next), nil
}

func (q *dueQueue) note(nextDueAt time.Time) {
	q.dispatcher.mu.Lock()
	q.nextDueAt = nextDueAt
	q.dispatcher.mu.Unlock()
}

// take claims what is due and hands it out.
func (q *dueQueue) take(ctx context.Context, l *look) (time.Duration, error) {
	got, err := q.claim(ctx, l, q.after)
	if err != nil {
		q.dueAt = time.Time{}
		return retryPause, err
	}
	full := got.Found == len(l.slots)
	q.advance(got, full)
	switch {
	case full && len(got.Claims) > 0:
		q.busy = 0
		q.crowded()
		return 0, nil // there may be more
	case got.Found > len(got.Claims):
		// A new prompt holds the session, or it was put off.
		q.dueAt = time.Time{}
		q.busy++
		return min(leastSleep<<min(q.busy, 10), longestRetry), nil
	}
	sleep := q.until(got.Next)
	if got.Found == 0 {
		// Somebody was faster; should he give it up, it is due again.
		sleep = min(sleep, longestRetry)
	}
	return sleep, nil
}

// until notes when the first is due that is not due yet, and how long that is.
func (q *dueQueue) until(next work.NextDue) time.Duration {
	q.note(next.DueAt)
	q.busy, q.dueAt = 0, time.Time{}
	if next.DueAt.IsZero() {
		return lookAround
	}
	left := next.DueAt.Sub(next.Now)
	q.dueAt = time.Now().Add(left)
	return max(min(left, lookAround), leastSleep)
}

// advance moves the low-water mark over what was claimed.
func (q *dueQueue) advance(got work.DueClaims, full bool) {
	if len(got.Claims) < got.Found || got.Found == 0 {
		return
	}
	mark := got.Now.Add(-dueSlack)
	if full && got.LastDueAt.Before(mark) {
		mark = got.LastDueAt.Add(-time.Microsecond) // others may be due at the same instant
	}
	if mark.After(q.after) {
		q.after = mark
	}
}

// handOut answers the callers that got something.
func (q *dueQueue) handOut(l *look, got work.DueClaims) {
	if len(got.Claims) == 0 {
		return
	}
	byCaller := map[*dueCaller][]work.Claim{}
	for _, c := range got.Claims {
		c.LeaseToken = l.tokens[c.Slot]
		byCaller[l.owner[c.Slot]] = append(byCaller[l.owner[c.Slot]], c.Claim)
	}
	d := q.dispatcher
	var nobodys []work.Claim
	d.mu.Lock()
	for c, claims := range byCaller {
		if c.gone {
			nobodys = append(nobodys, claims...)
			continue
		}
		c.answer <- dueAnswer{claims: work.Claims{Claims: claims}}
	}
	q.callers = slices.DeleteFunc(q.callers, func(c *dueCaller) bool { return byCaller[c] != nil })
	d.mu.Unlock()
	d.service.claimedDue(q.workspaceID, got)
	d.release(q.workspaceID, nobodys)
}
