package worker

import (
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// ErrNotSent says that Send did not let anything be sent: report the job with
// NotSent.
var ErrNotSent = errors.New("nothing may be sent any more")

// Job is one run to do. Its methods may be called from any goroutine.
type Job struct {
	Wakeup *recoursev1.Wakeup
	Run    *recoursev1.Run
	// Payload is what to send to the agent. Where Run.Send says continue, it goes
	// into the agent's own session Run.NativeSessionId.
	Payload string

	pool  *pool
	token string
	lease time.Duration
}

func newJob(w *pool, c *recoursev1.Claim) *Job {
	r := c.GetRun()
	return &Job{
		Wakeup: c.GetWakeup(), Run: r, Payload: c.GetPayload(), pool: w, token: c.GetLeaseToken(),
		lease: r.GetLeaseExpiresAt().AsTime().Sub(r.GetClaimedAt().AsTime()),
	}
}

// Send asks to send, then calls start, which must begin to send before its
// context's deadline: the server takes the run for lost after its lease, and
// the time is measured here from before the question was asked. It may be
// called once. When it fails without calling start, the error is ErrNotSent.
func (j *Job) Send(ctx context.Context, start func(ctx context.Context) error) error {
	deadline, err := j.beginSend(ctx)
	if err != nil {
		return errors.Join(ErrNotSent, err)
	}
	sending, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if sending.Err() != nil {
		return errors.Join(ErrNotSent, sending.Err())
	}
	return start(sending)
}

// beginSend repeats a question whose answer was lost. Only this process has the
// lease token, so that "already granted" then means to us.
func (j *Job) beginSend(ctx context.Context) (deadline time.Time, err error) {
	first, asked := time.Now(), false
	var pause backoff
	for {
		began := time.Now()
		answer, err := j.pool.cfg.Client.Recovery.BeginSend(ctx, &recoursev1.BeginSendRequest{
			WorkspaceId: j.pool.cfg.Workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token,
		})
		switch {
		case err == nil:
			return began.Add(answer.GetSendWithin().AsDuration()), nil
		case asked && fault.From(err).Reason == fault.ReasonStaleVersion:
			return first.Add(j.lease / 3), nil
		case !transient(err) || time.Since(first) > j.lease/3 || ctx.Err() != nil:
			return time.Time{}, err
		}
		asked = true
		pause.wait(ctx, err)
	}
}

// Delivered says that the agent has the payload. nativeSessionID is the agent's
// own name of the session, "" if not known.
func (j *Job) Delivered(ctx context.Context, nativeSessionID string) error {
	return j.persist(ctx, func(ctx context.Context) error {
		_, err := j.pool.cfg.Client.Recovery.MarkDelivered(ctx, &recoursev1.MarkDeliveredRequest{
			WorkspaceId: j.pool.cfg.Workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token, NativeSessionId: nativeSessionID,
		})
		return err
	})
}

// Progress says what the run is known to have done by now. Say it as soon as it
// is seen: after a crash it decides whether the prompt may be sent again.
func (j *Job) Progress(ctx context.Context, effects *recoursev1.Effects, nativeSessionID string) error {
	return j.persist(ctx, func(ctx context.Context) error {
		_, err := j.pool.cfg.Client.Recovery.RecordProgress(ctx, &recoursev1.RecordProgressRequest{
			WorkspaceId: j.pool.cfg.Workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token, Effects: effects, NativeSessionId: nativeSessionID,
		})
		return err
	})
}

// persist repeats a call through an outage until ctx ends.
func (j *Job) persist(ctx context.Context, call func(context.Context) error) error {
	var pause backoff
	for {
		err := call(ctx)
		if err == nil || !transient(err) || ctx.Err() != nil {
			return err
		}
		pause.wait(ctx, err)
	}
}
