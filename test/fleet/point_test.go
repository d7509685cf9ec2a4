package fleet

import (
	big "encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// step is what one statement of a transaction does, as far as it matters here.
type step struct {
	query          string
	run, wakeup    string
	state, outcome string
	worker         string
	retry          bool // the run is not the first of its wakeup
}

// stepOf reads the arguments of the queries of sql/queries by their places.
func stepOf(query string, values [][]byte) (step, bool) {
	switch {
	case query == "InsertRun" && len(values) > 9:
		return step{query: query, run: id(values[1]), wakeup: id(values[2]), worker: string(values[9]), retry: big.BigEndian.Uint32(values[5]) > 1}, true
	case query == "UpdateRun" && len(values) > 19:
		return step{query: query, state: string(values[0]), outcome: string(values[1]), run: id(values[19])}, true
	case query == "AdvanceEventHead":
		return step{query: query}, true
	}
	return step{}, false
}

func id(raw []byte) string {
	if u, err := uuid.FromBytes(raw); err == nil {
		return u.String()
	}
	return string(raw)
}

const (
	before = "before"
	after  = "after"
)

const (
	aServer = "server"
	aWorker = "worker"
)

// point is a named step of the dispatch of a retry.
type point struct {
	name    string
	instant string // before or after the commit is done
	is      func(step) bool
}

var points = []point{
	{"claim written, not committed", before, func(s step) bool { return s.query == "InsertRun" }},
	{"claim committed", after, func(s step) bool { return s.query == "InsertRun" }},
	{"sent", after, func(s step) bool { return s.state == "sending" }},
	{"answered", after, func(s step) bool { return s.state == "delivered" }},
	{"outcome written, not committed", before, isOutcome},
	{"outcome committed", after, isOutcome},
	{"event published", after, func(s step) bool { return s.query == "AdvanceEventHead" }},
}

func isOutcome(s step) bool {
	return s.state == "settled" && (s.outcome == "succeeded" || s.outcome == "failed")
}

// strike is one death to come.
type strike struct {
	point
	victim string
	spared int // the replica that lives on
	kill   func(replica int, worker string) bool

	replica int
	at      step
	time    time.Time
	missed  bool // the victim was not there any more
	sprung  chan struct{}
}

// hit kills, and returns once the victim is gone.
func (s *strike) hit() {
	s.time = time.Now()
	s.missed = !s.kill(s.replica, s.at.worker)
	close(s.sprung)
}

// watch sees all transactions and lets the strike that waits hit the first one
// that is at its point.
type watch struct {
	mu      sync.Mutex
	waiting *strike
	runs    map[string]step // those that were inserted
	told    *step           // the outcome of a retry that was committed last; nil until one is after the strike was armed
}

func newWatch() *watch { return &watch{runs: map[string]step{}} }

func (w *watch) arm(s *strike) {
	s.sprung = make(chan struct{})
	w.mu.Lock()
	w.waiting, w.told = s, nil
	w.mu.Unlock()
}

// spring takes the strike if a transaction that is about to be committed is at
// its point.
func (w *watch) spring(replica int, done []step) (s *strike, when string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, d := range done {
		if d.query == "InsertRun" {
			w.runs[d.run] = d
		} else if run, ok := w.runs[d.run]; ok {
			done[i].worker, done[i].wakeup, done[i].retry = run.worker, run.wakeup, run.retry
		}
	}
	s = w.waiting
	if s == nil || s.victim == aServer && s.spared == replica {
		return nil, ""
	}
	at := slices.IndexFunc(done, func(d step) bool { return s.is(d) && (d.retry || d.query == "AdvanceEventHead" && w.told != nil) })
	if at < 0 {
		return nil, ""
	}
	s.replica, s.at = replica, done[at]
	if done[at].query == "AdvanceEventHead" {
		s.at = *w.told
	}
	w.waiting = nil
	return s, s.instant
}

// done hears what is committed.
func (w *watch) done(steps []step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range steps {
		if d.retry && isOutcome(d) {
			w.told = &d
		}
	}
}
