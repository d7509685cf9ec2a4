// Package worker takes prompts from a server and runs them: the loop around an
// agent that keeps leases alive, tells how each run goes, and reports how it
// ended. What an agent is and how it is started is the caller's.
//
// The prompts are those that were begun with delivery worker. Any number of
// workers may serve one workspace, on any number of hosts; each prompt runs on
// one of them at a time.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// The causes for which the context of a job ends; see context.Cause.
var (
	// ErrStopRequested says that a person, or a newer prompt, asked to end the run.
	ErrStopRequested = errors.New("somebody asked to stop the run")
	// ErrLeaseLost says that the run is no longer this worker's.
	ErrLeaseLost = errors.New("the lease of the run is lost")
	// ErrDraining says that the worker stops and the job took longer than the grace.
	ErrDraining = errors.New("the worker is stopping")
)

const (
	// claimWait is how long one claim waits for something to become due.
	claimWait = 30 * time.Second
	// maxClaims is what the server gives in one answer at most.
	maxClaims    = 100
	defaultGrace = 10 * time.Second
	// lastReport is how long a report may take after the worker has drained.
	lastReport = 10 * time.Second
)

// Config is what a worker needs.
type Config struct {
	Client *client.Client
	// Workspace is the id of the workspace; "" is the token's own.
	Workspace string
	// Concurrency is how many jobs run at a time; 1 if not positive.
	Concurrency int
	// Supervisor names this process and its host. The host matters: a prompt
	// that goes on in an agent's own session goes to the host that has it.
	Supervisor *recoursev1.Supervisor
	// Handle runs one job and says how it ended. It must return soon after its
	// context ends, with the child ended, and must not send anything to an
	// agent outside of Job.Send.
	Handle func(ctx context.Context, job *Job) Outcome
	// Grace is how long jobs may go on after the worker was told to stop; 10 s if 0.
	Grace time.Duration
	// Log gets what goes wrong; never a prompt. nil is silent.
	Log *slog.Logger
}

// Run takes and runs jobs until ctx ends, then lets those that run finish, and
// returns nil. It rides out outages of the server; it fails only with what no
// repetition can mend, as a token that is not accepted.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Client == nil || cfg.Handle == nil {
		return errors.New("worker: Client and Handle must be given")
	}
	w := &pool{cfg: cfg, free: max(cfg.Concurrency, 1), freed: make(chan struct{}, 1)}
	if w.cfg.Grace <= 0 {
		w.cfg.Grace = defaultGrace
	}
	if w.cfg.Log == nil {
		w.cfg.Log = slog.New(slog.DiscardHandler)
	}
	jobs, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	reports, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	err := w.claimAll(ctx, jobs, reports)
	w.drain(stop, giveUp)
	return err
}

// pool is the jobs of one Run.
type pool struct {
	cfg   Config
	jobs  sync.WaitGroup
	freed chan struct{} // a slot has become free

	mu   sync.Mutex
	free int
}

// claimAll claims as many jobs as there are slots, until ctx ends.
func (w *pool) claimAll(ctx, jobs, reports context.Context) error {
	var pause backoff
	for {
		slots := w.waitForSlots(ctx)
		if slots == 0 {
			return nil
		}
		claims, err := w.claim(ctx, slots)
		switch {
		case ctx.Err() != nil && err != nil:
			return nil
		case err != nil && !transient(err):
			return err
		case err != nil:
			w.cfg.Log.WarnContext(ctx, "could not claim", "error", err)
			pause.wait(ctx, err)
			continue
		}
		pause.reset()
		for _, c := range claims {
			w.start(jobs, reports, c)
		}
	}
}

// waitForSlots returns how many jobs may be claimed, 0 when ctx has ended.
func (w *pool) waitForSlots(ctx context.Context) int {
	for {
		w.mu.Lock()
		free := w.free
		w.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return 0
		case free > 0:
			return min(free, maxClaims)
		}
		select {
		case <-ctx.Done():
		case <-w.freed:
		}
	}
}

func (w *pool) claim(ctx context.Context, slots int) ([]*recoursev1.Claim, error) {
	answer, err := w.cfg.Client.Recovery.ClaimWakeups(ctx, &recoursev1.ClaimWakeupsRequest{
		WorkspaceId: w.cfg.Workspace, Supervisor: w.cfg.Supervisor, MaxClaims: int32(slots), Wait: durationpb.New(claimWait),
	})
	if err != nil {
		return nil, err
	}
	return answer.GetClaims(), nil
}

func (w *pool) start(jobs, reports context.Context, c *recoursev1.Claim) {
	w.take(-1)
	w.jobs.Go(func() {
		defer w.take(1)
		w.run(jobs, reports, c)
	})
}

func (w *pool) take(n int) {
	w.mu.Lock()
	w.free += n
	w.mu.Unlock()
	select {
	case w.freed <- struct{}{}:
	default:
	}
}

// drain waits for the jobs that run: for the grace, then with their contexts ended.
func (w *pool) drain(stop context.CancelCauseFunc, giveUp context.CancelFunc) {
	done := make(chan struct{})
	go func() { w.jobs.Wait(); close(done) }()
	timer := time.AfterFunc(w.cfg.Grace, func() { stop(ErrDraining) })
	defer timer.Stop()
	last := time.AfterFunc(w.cfg.Grace+lastReport, giveUp)
	defer last.Stop()
	<-done
}

// run is the life of one job.
func (w *pool) run(jobs, reports context.Context, c *recoursev1.Claim) {
	ctx, cancel := context.WithCancelCause(jobs)
	defer cancel(nil)
	job := newJob(w, c)
	beats, quiet := context.WithCancel(reports)
	var keeping sync.WaitGroup
	keeping.Go(func() { job.keepAlive(beats, cancel) })
	outcome := w.cfg.Handle(ctx, job)
	// The lease is kept until the report has arrived.
	err := job.report(reports, outcome)
	quiet()
	keeping.Wait()
	if err != nil {
		w.cfg.Log.WarnContext(ctx, "the outcome of a run was not taken", "run_id", job.Run.GetRunId(), "reason", fault.From(err).Reason, "error", err)
	}
}
