// Command river measures how late River, with its default settings, starts jobs
// that are due at a steady rate. It prints one line of JSON, so that the
// benchmarks of this project can put their own lateness beside it, taken on the
// same PostgreSQL in the same run.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

type args struct {
	DueAt time.Time `json:"due_at"`
}

// Kind implements river.JobArgs.
func (args) Kind() string { return "due" }

type recorder struct {
	river.WorkerDefaults[args]
	mu   sync.Mutex
	late []time.Duration
	done chan struct{}
	left int
}

// Work implements river.Worker.
func (r *recorder) Work(_ context.Context, job *river.Job[args]) error {
	late := time.Since(job.Args.DueAt)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = append(r.late, late)
	if r.left--; r.left == 0 {
		close(r.done)
	}
	return nil
}

func main() {
	url := flag.String("url", "", "PostgreSQL to use; its schema gets River's tables")
	rate := flag.Int("rate", 200, "jobs due a second")
	span := flag.Duration("for", 10*time.Second, "how long jobs fall due")
	replicas := flag.Int("replicas", 3, "clients")
	flag.Parse()
	if err := measure(*url, *rate, *span, *replicas); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(url string, rate int, span time.Duration, replicas int) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	n := rate * int(span/time.Second)
	r := &recorder{left: n, done: make(chan struct{})}
	var clients []*river.Client[pgx.Tx]
	for range replicas {
		c, err := start(ctx, pool, r)
		if err != nil {
			return err
		}
		clients = append(clients, c)
	}
	if err := insert(ctx, clients[0], n, rate); err != nil {
		return err
	}
	<-r.done
	for _, c := range clients {
		if err := c.Stop(ctx); err != nil {
			return err
		}
	}
	return r.print()
}

func start(ctx context.Context, pool *pgxpool.Pool, r *recorder) (*river.Client[pgx.Tx], error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, r)
	c, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 100}}, Workers: workers,
	})
	if err != nil {
		return nil, err
	}
	return c, c.Start(ctx)
}

// insert makes the first job due in two seconds, when every client is running.
func insert(ctx context.Context, c *river.Client[pgx.Tx], n, rate int) error {
	begin := time.Now().Add(2 * time.Second)
	many := make([]river.InsertManyParams, n)
	for i := range many {
		due := begin.Add(time.Duration(i) * time.Second / time.Duration(rate))
		many[i] = river.InsertManyParams{Args: args{DueAt: due}, InsertOpts: &river.InsertOpts{ScheduledAt: due}}
	}
	_, err := c.InsertManyFast(ctx, many)
	return err
}

func (r *recorder) print() error {
	slices.Sort(r.late)
	at := func(q float64) float64 { return float64(r.late[int(q*float64(len(r.late)-1))].Microseconds()) / 1000 }
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"jobs": len(r.late), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1)})
}
