package metrics

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

const (
	// keepDepth is how old a count may be: many scrapers ask the database no
	// more often than one.
	keepDepth = 10 * time.Second
	// countTimeout bounds what one scrape may wait for the database.
	countTimeout = 2 * time.Second
)

// Store counts the open work.
type Store interface {
	QueueDepth(ctx context.Context) (work.QueueDepth, error)
}

// Queue shows how much work is open. Register it; nothing is asked before a scrape.
type Queue struct {
	store Store
	log   *slog.Logger
	now   func() time.Time

	open    *prometheus.Desc
	overdue *prometheus.Desc

	mu    sync.Mutex
	depth work.QueueDepth
	at    time.Time
}

// NewQueue makes the collector; now is the machine's clock.
func NewQueue(store Store, log *slog.Logger, now func() time.Time) *Queue {
	return &Queue{
		store: store, log: log, now: now,
		open:    prometheus.NewDesc("recourse_wakeups_open", "Wakeups that have not ended, by status, in all workspaces.", []string{"status"}, nil),
		overdue: prometheus.NewDesc("recourse_wakeups_overdue_seconds", "How long the first wakeup has been due that waits for a worker.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (q *Queue) Describe(out chan<- *prometheus.Desc) { out <- q.open; out <- q.overdue }

// Collect implements prometheus.Collector. While the database does not answer
// it shows nothing: an old count would look like a queue that stands still.
func (q *Queue) Collect(out chan<- prometheus.Metric) {
	depth, ok := q.read()
	if !ok {
		return
	}
	for _, status := range recovery.WakeupStatuses() {
		if !status.Ended() {
			out <- prometheus.MustNewConstMetric(q.open, prometheus.GaugeValue, float64(depth.Open[status]), string(status))
		}
	}
	out <- prometheus.MustNewConstMetric(q.overdue, prometheus.GaugeValue, depth.Overdue.Seconds())
}

func (q *Queue) read() (work.QueueDepth, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.at.IsZero() && q.now().Sub(q.at) < keepDepth {
		return q.depth, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	depth, err := q.store.QueueDepth(ctx)
	if err != nil {
		q.log.Warn("could not count the open wakeups", "error", err)
		return work.QueueDepth{}, false
	}
	q.depth, q.at = depth, q.now()
	return depth, true
}
