package worker

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

const (
	// beatsPerLease leaves room for two that get lost.
	beatsPerLease = 3
	leastBeat     = 10 * time.Millisecond
	// beatSlack is how much longer than its wait a heartbeat may take.
	beatSlack = 5 * time.Second
)

// keepAlive renews the lease until ctx ends. Each heartbeat is held by the
// server, so that a request to stop arrives at once. An outage ends nothing:
// the child goes on until the server says that the run is not ours any more.
func (j *Job) keepAlive(ctx context.Context, cancel context.CancelCauseFunc) {
	every := max(j.lease/beatsPerLease, leastBeat)
	var pause backoff
	for ctx.Err() == nil {
		began := time.Now()
		answer, err := j.beat(ctx, every)
		switch {
		case err == nil && answer.GetStopRequested():
			cancel(ErrStopRequested)
			// It is still ours until it has ended.
			sleep(ctx, every)
		case err == nil:
			pause.reset()
			sleep(ctx, every-time.Since(began))
		case lost(err):
			cancel(ErrLeaseLost)
			return
		default:
			pause.wait(ctx, err)
		}
	}
}

func (j *Job) beat(ctx context.Context, wait time.Duration) (*recoursev1.HeartbeatRunResponse, error) {
	bounded, cancel := context.WithTimeout(ctx, wait+beatSlack)
	defer cancel()
	return j.pool.cfg.Client.Recovery.HeartbeatRun(bounded, &recoursev1.HeartbeatRunRequest{
		WorkspaceId: j.pool.cfg.Workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token, Wait: durationpb.New(min(wait, claimWait)),
	})
}

// lost says that the run is not this worker's any more, or is over.
func lost(err error) bool {
	switch fault.From(err).Reason {
	case fault.ReasonStaleLease, fault.ReasonRunAlreadySettled, fault.ReasonRunNotFound:
		return true
	}
	return false
}
