package supervisor

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// The longest that a server may hold a heartbeat, less than a call may take,
// and the pause between two that were held.
const (
	beatWait  = 10 * time.Second
	beatPause = 100 * time.Millisecond
)

// Heartbeat renews the lease and lets the server hold the answer, so that a
// request to stop arrives at once. A server that does not hold it is asked
// again after a third of the lease.
func (r *Remote) Heartbeat(ctx context.Context, run Run) (Beat, error) {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	began := time.Now()
	answer, err := r.API.HeartbeatRun(ctx, &v1.HeartbeatRunRequest{
		WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token, Wait: durationpb.New(beatWait),
	})
	if err != nil {
		return Beat{}, err
	}
	beat := Beat{Next: max(answer.GetLease().AsDuration()/3, beatPause), Stop: answer.GetStopRequested()}
	if held := time.Since(began); held >= beat.Next/2 {
		beat.Next = beatPause
	}
	return beat, nil
}

// beat keeps the lease until ctx ends, or until it is lost.
func (k *keeper) beat(ctx context.Context, s *Supervisor, run Run, stop chan<- struct{}) error {
	next, told := firstBeat, false
	for {
		if err := (System{}).Sleep(ctx, next); err != nil {
			return nil
		}
		var beat Beat
		err := k.insist(ctx, s, func() (err error) {
			beat, err = s.Ledger.Heartbeat(ctx, run)
			return err
		})
		if beat.Stop && !told {
			told = true
			close(stop)
		}
		if next = beat.Next; err != nil || next <= 0 {
			return waitForEnd(ctx, err)
		}
	}
}

// firstBeat comes soon after the start: whoever stops a run that has just begun
// waits as little as any other.
const firstBeat = 100 * time.Millisecond
