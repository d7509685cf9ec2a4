package model

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// faultPercent of the calls of each store method fail.
const faultPercent = 5

// site is two replicas of the service whose stores fail, and an agent that
// keeps its own ledger of what was delivered to it.
type site struct {
	t        *testing.T
	store    *postgres.Store // without faults, to look at the end
	faulty   []*faulty
	services []*service.Service
	mu       sync.Mutex
	ledger   map[string][]string // wakeup → runs delivered, in their order
	answered map[string]string   // run → what its report was acknowledged as
	closed   map[string]int      // wakeup → deliveries when its cancellation was acknowledged
}

type everOverloaded struct{}

func (everOverloaded) Classify(evidence.Envelope, bool) classification.Result {
	return results["transient"]
}

func openSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, ledger: map[string][]string{}, answered: map[string]string{}, closed: map[string]int{}}
	url := pg.URL(t)
	set := recovery.Defaults()
	set.Lease, set.Heartbeat, set.SendMargin, set.LostGrace = 2*time.Second, 500*time.Millisecond, 200*time.Millisecond, time.Second
	set.InteractiveDelays = []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond}
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	t.Cleanup(func() { cancel(); loops.Wait(); s.store.Close() })
	for range 2 {
		store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 8})
		require.NoError(t, err)
		if s.store == nil {
			s.store = store
			_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
			require.NoError(t, err)
		} else {
			t.Cleanup(store.Close)
		}
		stream, f := events.New(events.Config{Store: store}), newFaulty(store, faultPercent)
		svc, err := service.New(service.Config{Store: f, Classifier: everOverloaded{}, Stream: stream, Settings: set, Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		for _, loop := range []func(context.Context){stream.Run, func(ctx context.Context) { store.Listen(ctx, stream) }, svc.Reconcile} {
			loops.Go(func() { loop(ctx) })
		}
		f.on.Store(true)
		s.faulty, s.services = append(s.faulty, f), append(s.services, svc)
	}
	return s
}

func (s *site) any() *service.Service { return s.services[rand.IntN(len(s.services))] }

// repeat asks until there is an answer; again says whether there was none before.
func repeat[T any](ctx context.Context, ask func() (T, error)) (answer T, again bool, err error) {
	for {
		answer, err = ask()
		f := fault.From(err)
		if err == nil || ctx.Err() != nil || f.Kind != fault.Unavailable && f.Kind != fault.DeadlineExceeded {
			return answer, again, err
		}
		again = true
	}
}

func (s *site) begin(ctx context.Context, n int) work.Begun {
	in := work.BeginPrompt{WorkspaceID: workspace, RequestID: fmt.Sprint("begin-", n), Supervisor: supervisors[0], Profile: work.Profile{AgentKind: "claude"}}
	if n%2 == 0 {
		in.Delivery, in.Prompt = work.DeliveryWorker, "do it"
	}
	begun, _, err := repeat(ctx, func() (work.Begun, error) { return s.any().BeginPrompt(ctx, in) })
	if err != nil {
		s.t.Errorf("begin: %v", err)
	}
	return begun
}

// work claims whatever there is and takes it to its end.
func (s *site) work(ctx context.Context, ids []string) {
	for ctx.Err() == nil {
		in := work.ClaimWakeups{WorkspaceID: workspace, Supervisor: supervisors[0], MaxClaims: 2, Wait: 50 * time.Millisecond}
		if rand.IntN(2) == 0 {
			in.WakeupIDs = []string{ids[rand.IntN(len(ids))]}
		}
		claims, err := s.any().ClaimWakeups(ctx, in)
		if err != nil {
			continue // refused, or nobody knows: a lease that nobody holds ends
		}
		for _, c := range claims.Claims {
			if c.Run.ClaimedAt.Before(c.DueAt) {
				s.t.Errorf("claimed at %s, due at %s", c.Run.ClaimedAt, c.DueAt)
			}
			s.run(ctx, c)
		}
	}
}

// dies says that a worker ends here, now and then.
func dies() bool { return rand.IntN(30) == 0 }

func (s *site) run(ctx context.Context, c work.Claim) {
	lease := work.Lease{WorkspaceID: workspace, RunID: c.Run.ID, Token: c.LeaseToken}
	if dies() {
		return
	}
	_, again, err := repeat(ctx, func() (work.Sending, error) { return s.any().BeginSend(ctx, lease) })
	if err != nil && (!again || fault.From(err).Reason != fault.ReasonStaleVersion) {
		return
	}
	s.mu.Lock()
	fails := len(s.ledger[c.Wakeup.ID]) < int(c.Wakeup.CreatedAt.UnixMicro()%4)
	s.ledger[c.Wakeup.ID] = append(s.ledger[c.Wakeup.ID], c.Run.ID)
	s.mu.Unlock()
	if dies() {
		return
	}
	_, _, _ = repeat(ctx, func() (work.Run, error) { return s.any().MarkDelivered(ctx, work.MarkDelivered{Lease: lease}) })
	_, _, _ = repeat(ctx, func() (work.Run, error) {
		return s.any().RecordProgress(ctx, work.RecordProgress{Lease: lease, Effects: evidence.NoEffects()})
	})
	_, _, _ = repeat(ctx, func() (work.Renewed, error) { return s.any().HeartbeatRun(ctx, work.HeartbeatRun{Lease: lease}) })
	if fails {
		_, _, err = repeat(ctx, func() (work.Settled, error) {
			return s.any().ReportFailure(ctx, work.ReportFailure{Lease: lease, RequestID: "fail-" + c.Run.ID, Envelope: evidence.Envelope{
				Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}},
			}})
		})
	} else {
		_, _, err = repeat(ctx, func() (work.Settled, error) {
			return s.any().ReportSuccess(ctx, work.ReportSuccess{Lease: lease, RequestID: "ok-" + c.Run.ID, Effects: evidence.NoEffects()})
		})
	}
	if err == nil {
		s.mu.Lock()
		s.answered[c.Run.ID] = map[bool]string{true: "failed", false: "succeeded"}[fails]
		s.mu.Unlock()
	}
}

// person does everything that a person can, to the first few wakeups.
func (s *site) person(ctx context.Context, all []work.Begun) {
	for n, b := range all {
		id, request := b.Wakeup.ID, fmt.Sprint("person-", n)
		w, _, _ := repeat(ctx, func() (work.Wakeup, error) { return s.any().GetWakeup(ctx, workspace, id) })
		_, _, _ = repeat(ctx, func() (work.WakeupPage, error) {
			return s.any().ListWakeups(ctx, work.ListWakeups{WorkspaceID: workspace})
		})
		_, _, _ = repeat(ctx, func() (work.SessionRecovery, error) { return s.any().GetSessionRecovery(ctx, workspace, b.Session.ID) })
		_, _, _ = repeat(ctx, func() (work.RecoveryPage, error) {
			return s.any().ListRecoveries(ctx, work.ListRecoveries{WorkspaceID: workspace})
		})
		_, _, _ = repeat(ctx, func() (work.Simulated, error) {
			return s.any().SimulatePolicy(ctx, work.SimulatePolicy{WorkspaceID: workspace, Choice: &work.PolicyChoice{Preset: work.PresetPatient}})
		})
		_, _, _ = repeat(ctx, func() (work.Wakeup, error) {
			return s.any().RetryNow(ctx, work.RetryNow{WorkspaceID: workspace, WakeupID: id, RequestID: request})
		})
		// The newest run may not be there yet: then both are refused.
		_, _, _ = repeat(ctx, func() (work.Run, error) { return s.any().GetRun(ctx, workspace, w.LastRunID) })
		if n%3 == 0 {
			_, _, _ = repeat(ctx, func() (work.Stopped, error) {
				return s.any().StopRun(ctx, work.StopRun{WorkspaceID: workspace, RunID: w.LastRunID, RequestID: request})
			})
		}
		for _, off := range []bool{true, false} {
			_, _, _ = repeat(ctx, func() (access.Workspace, error) {
				return s.any().UpdateWorkspace(ctx, work.UpdateWorkspace{WorkspaceID: workspace, RequestID: fmt.Sprint(request, off), Off: &off})
			})
		}
		_, _, err := repeat(ctx, func() (work.Wakeup, error) {
			return s.any().CancelWait(ctx, work.CancelWait{WorkspaceID: workspace, WakeupID: id, RequestID: request})
		})
		if err == nil {
			s.mu.Lock()
			s.closed[id] = len(s.ledger[id])
			s.mu.Unlock()
		}
		if n%4 == 0 {
			_, _, _ = repeat(ctx, func() (work.Begun, error) {
				return s.any().GoOn(ctx, work.GoOn{WorkspaceID: workspace, SessionID: b.Session.ID, RequestID: request, Fresh: true})
			})
		}
	}
}

// TestEveryStoreMethodMayFail: with one call in twenty of every method of the
// store failing, nothing is lost and nothing delivered twice.
func TestEveryStoreMethodMayFail(t *testing.T) {
	t.Parallel()
	s := openSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	var begun []work.Begun
	var ids []string
	for n := range faultRounds {
		b := s.begin(ctx, n)
		begun, ids = append(begun, b), append(ids, b.Wakeup.ID)
	}
	var done sync.WaitGroup
	for range 6 {
		done.Go(func() { s.work(ctx, ids) })
	}
	bothered := begun[:len(begun)/4]
	s.person(ctx, bothered)
	open := work.WakeupFilter{WorkspaceID: workspace, Statuses: []string{"queued", "running", "scheduled_retry", "parked"}, Limit: 1000}
	var left []work.Wakeup
	require.Eventually(t, func() (ended bool) {
		var err error
		left, err = s.store.ListWakeups(t.Context(), open)
		return err == nil && len(left) == 0
	}, 3*time.Minute+faultRounds*time.Second/2, 20*time.Millisecond, "the work does not end: %v", &left)
	cancel()
	done.Wait()
	s.requireKept(begun)
	s.requireEveryMethodCalled()
}
