package recovery_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// replicas are services on one database, each with its own pool, stream and
// connection for hints, as servers are.
func replicas(t *testing.T, n int) []*bench {
	t.Helper()
	url := pg.URL(t)
	var out []*bench
	for range n {
		store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 8})
		require.NoError(t, err)
		t.Cleanup(store.Close)
		if len(out) == 0 {
			_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
			require.NoError(t, err)
		}
		stream := events.New(events.Config{Store: store})
		b := &bench{t: t, store: store, classify: &scripted{result: overloaded}}
		b.service, err = service.New(service.Config{Store: store, Classifier: b.classify, Stream: stream, Settings: quick(), Jitter: func() float64 { return 0 }})
		require.NoError(t, err)
		b.background(stream)
		out = append(out, b)
	}
	t.Cleanup(func() {
		violations, err := out[0].store.FindViolations(context.WithoutCancel(t.Context()), workspace)
		require.NoError(t, err)
		require.Empty(t, violations)
	})
	return out
}

// background numbers events and listens to hints, and returns once it does.
func (b *bench) background(stream *events.Stream) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.t.Context()))
	var loops sync.WaitGroup
	ready := &listening{Stream: stream, up: make(chan struct{})}
	loops.Go(func() { stream.Run(ctx) })
	loops.Go(func() { b.store.Listen(ctx, ready) })
	b.t.Cleanup(func() { cancel(); loops.Wait() })
	<-ready.up
}

type listening struct {
	*events.Stream
	once sync.Once
	up   chan struct{}
}

func (l *listening) Resync() {
	l.Stream.Resync()
	l.once.Do(func() { close(l.up) })
}

// eventually is far more than a hint takes, and less than a call that missed
// one would sleep.
const eventually = 5 * time.Second

// waitsOn begins a claim on a replica and returns once it sleeps.
func (b *bench) waitsOn(id string) <-chan answer {
	out := make(chan answer, 1)
	go func() {
		claims, err := b.service.ClaimWakeups(b.t.Context(), claimOf(30*time.Second, id))
		out <- answer{claims, err, time.Now()}
	}()
	return out
}

type answer struct {
	work.Claims
	err error
	at  time.Time
}

func TestAClaimHearsOfAnActionOnAnotherReplica(t *testing.T) {
	t.Parallel()
	r := replicas(t, 2)
	here, there := r[0], r[1]
	for name, act := range map[string]func(work.Wakeup) (time.Time, error){
		"retry": func(w work.Wakeup) (time.Time, error) {
			_, err := here.service.RetryNow(t.Context(), work.RetryNow{WorkspaceID: workspace, WakeupID: w.ID, By: "ann"})
			return time.Now(), err
		},
		"cancel": func(w work.Wakeup) (time.Time, error) {
			_, err := here.service.CancelWait(t.Context(), work.CancelWait{WorkspaceID: workspace, WakeupID: w.ID})
			return time.Now(), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				w := here.waiting(2) // due in an hour
				woken := there.waitsOn(w.ID)
				acted, err := act(w)
				require.NoError(t, err)
				a := <-woken
				late := a.at.Sub(acted)
				t.Logf("woken after %s", late)
				require.Less(t, late, eventually)
				if name == "retry" {
					require.NoError(t, a.err)
					require.Len(t, a.Claims.Claims, 1)
				} else {
					there.refused(a.err, fault.ReasonNotClaimable)
				}
			}
		})
	}
}

func TestAHeartbeatHearsOfAStopOnAnotherReplica(t *testing.T) {
	t.Parallel()
	r := replicas(t, 2)
	c := r[1].claim(r[0].begin().Wakeup.ID)
	r[1].deliver(c)
	type beat struct {
		work.Renewed
		err error
		at  time.Time
	}
	held := make(chan beat, 1)
	go func() {
		renewed, err := r[1].service.HeartbeatRun(t.Context(), work.HeartbeatRun{Lease: leaseOf(c), Wait: 30 * time.Second})
		held <- beat{renewed, err, time.Now()}
	}()
	stopped, err := r[0].service.StopRun(t.Context(), work.StopRun{WorkspaceID: workspace, RunID: c.Run.ID, By: "ann"})
	acted := time.Now()
	require.NoError(t, err)
	require.Equal(t, recovery.WakeupRunning, stopped.Wakeup.Status)
	b := <-held
	require.NoError(t, b.err)
	require.True(t, b.StopRequested)
	require.Less(t, b.at.Sub(acted), time.Second, "the contract's second")
	settled := r[1].fail(c)
	require.Equal(t, recovery.WakeupCancelled, settled.Wakeup.Status)
	_, err = r[0].service.HeartbeatRun(t.Context(), work.HeartbeatRun{Lease: leaseOf(c), Wait: 30 * time.Second})
	r[0].refused(err, fault.ReasonRunAlreadySettled)
}

func TestAHeldHeartbeatAnswersBeforeTheNextIsDue(t *testing.T) {
	t.Parallel()
	settings := quick()
	settings.Lease, settings.Heartbeat, settings.SendMargin = 3*time.Second, 100*time.Millisecond, time.Second
	b := setup(t, settings)
	c := b.claim(b.begin().Wakeup.ID)
	began := time.Now()
	renewed, err := b.service.HeartbeatRun(t.Context(), work.HeartbeatRun{Lease: leaseOf(c), Wait: 30 * time.Second})
	require.NoError(t, err)
	require.False(t, renewed.StopRequested)
	took := time.Since(began)
	require.GreaterOrEqual(t, took, time.Second, "a third of the lease")
	require.Less(t, renewed.Lease, 2500*time.Millisecond, "from now on, not from the renewal")
	require.Greater(t, renewed.Lease, time.Duration(0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.service.HeartbeatRun(ctx, work.HeartbeatRun{Lease: leaseOf(c), Wait: time.Second})
	require.Error(t, err)
}

// TestActionsRace: a timer, clicks and prompts of eight clients on two replicas
// meet on one due retry.
func TestActionsRace(t *testing.T) {
	t.Parallel()
	r := replicas(t, 2)
	for round := range 50 {
		w := r[0].waiting(1)
		require.Eventually(t, func() bool { return !time.Now().Before(w.DueAt.Add(20 * time.Millisecond)) }, eventually, time.Millisecond)
		results := make([]error, 8)
		start := make(chan struct{})
		var clients sync.WaitGroup
		for i := range results {
			s := r[i%2].service
			act := []func() error{
				func() error {
					_, err := s.RetryNow(t.Context(), work.RetryNow{WorkspaceID: workspace, WakeupID: w.ID, ExpectedVersion: w.Version, By: "ann"})
					return err
				},
				func() error {
					_, err := s.CancelWait(t.Context(), work.CancelWait{WorkspaceID: workspace, WakeupID: w.ID, ExpectedVersion: w.Version})
					return err
				},
				func() error {
					claims, err := s.ClaimWakeups(t.Context(), claimOf(0, w.ID))
					if err == nil && len(claims.Claims) == 0 {
						return errors.New("neither claimed nor refused")
					}
					if err == nil {
						_, err = s.BeginSend(t.Context(), leaseOf(claims.Claims[0]))
						require.NoError(t, err, "the claim's holder sends")
					}
					return err
				},
				func() error {
					_, err := s.BeginPrompt(t.Context(), work.BeginPrompt{WorkspaceID: workspace, SessionID: w.SessionID, Supervisor: me})
					return err
				},
			}[i/2]
			clients.Go(func() { <-start; results[i] = act() })
		}
		close(start)
		clients.Wait()
		judge(t, r[0], w, results, round)
	}
}

// judge: of those that saw the wait exactly one acted on it.
func judge(t *testing.T, b *bench, w work.Wakeup, results []error, round int) {
	t.Helper()
	won := func(i int) int {
		n := 0
		for _, err := range results[2*i : 2*i+2] {
			if err == nil {
				n++
			}
		}
		return n
	}
	retried, cancelled, claimed, begun := won(0), won(1), won(2), won(3)
	require.LessOrEqual(t, retried+cancelled, 1, "round %d: two clicks on one version", round)
	require.LessOrEqual(t, claimed+cancelled, 1, "round %d: timer and click", round)
	require.LessOrEqual(t, claimed, 1, "round %d", round)
	require.False(t, claimed > 0 && begun > 0, "round %d: a live run and a new prompt", round)
	require.Positive(t, cancelled+claimed+begun, "round %d: nobody won", round)
	last, err := b.service.GetWakeup(t.Context(), workspace, w.ID)
	require.NoError(t, err)
	want := recovery.WakeupCancelled
	if claimed > 0 {
		want = recovery.WakeupRunning
	}
	require.Equal(t, want, last.Status, "round %d", round)
	for _, err := range results {
		if err == nil {
			continue
		}
		f := fault.From(err)
		require.Contains(t, []fault.Reason{fault.ReasonStaleVersion, fault.ReasonNotClaimable, fault.ReasonStaleGeneration, fault.ReasonSessionBusy}, f.Reason, "%v", err)
		if f.Reason == fault.ReasonStaleVersion {
			require.NotEmpty(t, f.Metadata["status"], "the snapshot that is")
			require.NotEqual(t, "", f.Metadata["version"])
		}
	}
}
