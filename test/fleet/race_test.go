package fleet

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/work"
	service "github.com/recourse-dev/recourse/server/service/recovery"
)

// TestReplicasRaceForARetry: on each of N replicas workers wait, so that all
// of them look at the instant at which a retry is due. One gets it.
func TestReplicasRaceForARetry(t *testing.T) {
	t.Parallel()
	for _, n := range racing {
		t.Run(fmt.Sprint(n, " replicas"), func(t *testing.T) { race(t, n) })
	}
}

// apart keeps two retries from being due at once, so that each is a race of all.
const apart = 20 * time.Millisecond

// leastRacers keep up with what comes, however few the replicas are.
const leastRacers = 16

func race(t *testing.T, n int) {
	t.Helper()
	services, store := replicas(t, n)
	tr := &track{due: map[string]time.Time{}, accepted: map[string][]string{}, winners: map[int]int{}, done: make(chan struct{})}
	ctx, stop := context.WithTimeout(t.Context(), patience+raceRounds*apart)
	defer stop()
	var racers sync.WaitGroup
	for i, s := range services {
		for range max(1, leastRacers/n) {
			racers.Go(func() { tr.run(ctx, i, s) })
		}
	}
	tick := time.NewTicker(apart)
	defer tick.Stop()
	for range raceRounds {
		_, err := services[0].BeginPrompt(t.Context(), work.BeginPrompt{
			WorkspaceID: workspace, Delivery: work.DeliveryWorker, Prompt: "mend the build",
			Profile: work.Profile{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic"},
		})
		require.NoError(t, err)
		<-tick.C
	}
	select {
	case <-tr.done:
	case <-ctx.Done():
	}
	stop()
	racers.Wait()
	tr.require(t, n)
	violations, err := store.FindViolations(t.Context(), workspace)
	require.NoError(t, err)
	require.Empty(t, violations)
}

// track is what the racers did and were told.
type track struct {
	mu       sync.Mutex
	due      map[string]time.Time // wakeup → when its retry is due
	accepted map[string][]string  // wakeup → the runs of its retry that were sent
	late     []time.Duration
	winners  map[int]int // replica → retries that it got
	failed   []error
	done     chan struct{} // closed when every retry has been accepted
}

// run claims what comes, lets the first run of each prompt fail and the retry
// succeed.
func (tr *track) run(ctx context.Context, replica int, s *service.Service) {
	me := work.Supervisor{ID: fmt.Sprint("racer-", replica), HostID: "host"}
	for ctx.Err() == nil {
		got, err := s.ClaimWakeups(ctx, work.ClaimWakeups{WorkspaceID: workspace, MaxClaims: 1, Supervisor: me, Wait: 20 * time.Second})
		for _, c := range got.Claims {
			err = tr.dispatch(context.WithoutCancel(ctx), replica, s, c)
		}
		if err != nil && ctx.Err() == nil {
			tr.mu.Lock()
			tr.failed = append(tr.failed, err)
			tr.mu.Unlock()
		}
	}
}

func (tr *track) dispatch(ctx context.Context, replica int, s *service.Service, c work.Claim) error {
	lease := work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}
	if _, err := s.BeginSend(ctx, lease); err != nil {
		return err
	}
	if c.Run.Ordinal == 1 {
		settled, err := s.ReportFailure(ctx, work.ReportFailure{Lease: lease, Envelope: refused()})
		tr.mu.Lock()
		tr.due[c.Wakeup.ID] = settled.Wakeup.DueAt
		tr.mu.Unlock()
		return err
	}
	tr.accept(replica, c)
	_, err := s.ReportSuccess(ctx, work.ReportSuccess{Lease: lease})
	return err
}

// accept is the executor: it keeps what was sent to it, by whom, and how late.
func (tr *track) accept(replica int, c work.Claim) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	id := c.Wakeup.ID
	tr.accepted[id] = append(tr.accepted[id], c.Run.ID)
	tr.winners[replica]++
	tr.late = append(tr.late, c.Run.ClaimedAt.Sub(tr.due[id]))
	if len(tr.accepted) == raceRounds && len(tr.accepted[id]) == 1 {
		close(tr.done)
	}
}

func (tr *track) require(t *testing.T, n int) {
	t.Helper()
	require.Empty(t, tr.failed)
	require.Len(t, tr.accepted, raceRounds, "a retry is lost")
	for id, runs := range tr.accepted {
		require.Len(t, runs, 1, "the retry of %s was accepted more than once", id)
	}
	slices.Sort(tr.late)
	require.GreaterOrEqual(t, tr.late[0], time.Duration(0), "early")
	if raceRounds >= 1000 {
		require.Greater(t, len(tr.winners), n/2, "few got all of them: the others did not race")
	}
	t.Logf("%d replicas: %d rounds, one acceptance each; %d replicas won some; claimed late p50 %s, p99 %s, most %s", n, raceRounds, len(tr.winners),
		tr.late[len(tr.late)/2].Round(time.Microsecond), tr.late[len(tr.late)*99/100].Round(time.Microsecond), tr.late[len(tr.late)-1].Round(time.Microsecond))
}
