package recovery

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

func TestQuiet(t *testing.T) {
	t.Parallel()
	const lease = 30
	at := func(seconds int) time.Time { return time.Unix(1_000_000+int64(seconds), 0) }
	// read is the clock as it shows now, after so many seconds in this process.
	read := func(now, passed int) reading { return reading{now: at(now), asked: at(passed), heard: at(passed)} }
	type look struct {
		now, sign int
		allowed   bool
		set       int // by how much the clock that rules has been set so far
	}
	for name, looks := range map[string][]look{
		"nothing in the first lease":          {{0, -1, false, 0}, {29, 28, false, 0}, {30, 29, true, 0}},
		"allowed while others give signs":     {{0, 0, false, 0}, {30, 25, true, 0}, {60, 50, true, 0}, {100, 90, true, 0}},
		"a gap begins: one lease more":        {{0, 0, false, 0}, {30, 25, true, 0}, {60, 25, false, 0}, {89, 25, false, 0}, {90, 25, true, 0}},
		"a sign after a gap: one lease more":  {{0, 0, false, 0}, {30, 25, true, 0}, {60, 25, false, 0}, {95, 94, false, 0}, {124, 120, false, 0}, {125, 121, true, 0}},
		"a silence from the start is a gap":   {{0, -100, false, 0}, {29, -100, false, 0}, {30, -100, true, 0}},
		"a sign in the first lease adds none": {{0, -5, false, 0}, {10, 9, false, 0}, {30, 20, true, 0}},
		"the clock is set forward":            {{0, 0, false, 0}, {30, 25, true, 0}, {3640, 3639, false, 3600}, {3669, 3660, false, 3600}, {3670, 3665, true, 3600}},
		"the clock is set forward by little":  {{0, 0, false, 0}, {30, 25, true, 0}, {36, 35, false, 1}, {65, 60, false, 1}, {66, 60, true, 1}},
		"the clock is set back":               {{3600, 3600, false, 0}, {3630, 3625, true, 0}, {40, 39, false, -3600}, {69, 65, false, -3600}, {70, 65, true, -3600}},
	} {
		q := quiet{lease: lease * time.Second}
		for _, l := range looks {
			require.Equal(t, l.allowed, q.look(read(l.now, l.now-l.set), at(l.sign)), "%s at %d", name, l.now)
		}
		q.disturbed()
		last := looks[len(looks)-1]
		require.False(t, q.look(read(last.now+1, last.now+1-last.set), at(last.now)), "%s, then the database was away", name)
	}
}

// runs is a store of watched runs by their deadlines, whose calls are counted.
type runs struct {
	Store
	mu       sync.Mutex
	deadline map[string]time.Time
	sign     time.Time
	calls    int
	expired  []string
	broken   error
}

func (r *runs) Survey(context.Context) (work.Survey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	s := work.Survey{Watched: len(r.deadline), Now: time.Now(), LastHeartbeatAt: time.Now()}
	for _, at := range r.deadline {
		if s.NextDeadlineAt.IsZero() || at.Before(s.NextDeadlineAt) {
			s.NextDeadlineAt = at
		}
	}
	if !r.sign.IsZero() {
		s.LastHeartbeatAt = r.sign
	}
	return s, r.broken
}

func (r *runs) FindOverdue(context.Context, int) (refs []work.RunRef, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	for id, at := range r.deadline {
		if !at.After(time.Now()) {
			refs = append(refs, work.RunRef{RunID: id})
		}
	}
	return refs, r.broken
}

func (r *runs) ExpireRun(_ context.Context, ref work.RunRef, _ recovery.Settings) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	delete(r.deadline, ref.RunID)
	r.expired = append(r.expired, ref.RunID)
	return true, r.broken
}

func (r *runs) WorkspaceIDs(context.Context, string, int) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	return nil, r.broken
}

func (r *runs) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

func (r *runs) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls
}

func (r *runs) ended() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.expired)
}

type noStream struct{ Stream }

func (noStream) Kick(string) {}

// reconciling runs a reconciler in a bubble, whose time passes only in sleeps.
func reconciling(t *testing.T, test func(t *testing.T, r *runs, s *Service)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &runs{deadline: map[string]time.Time{}}
		s, err := New(Config{Store: r, Stream: noStream{}})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		go s.Reconcile(ctx)
		synctest.Wait()
		test(t, r, s)
		cancel()
		synctest.Wait()
	})
}

// pass lets the bubble's time pass, and the reconciler act on it.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestAnIdleReconcilerHardlyAsks(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, _ *Service) {
		before := r.count()
		pass(time.Hour)
		require.LessOrEqual(t, r.count()-before, 2*60+2, "twice a minute")
	})
}

func TestAReconcilerWaitsOneLeaseAfterItsStart(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, s *Service) {
		r.set(func() { r.deadline["overdue for long"] = time.Now().Add(-time.Hour) })
		s.nudge()
		pass(29 * time.Second)
		require.Zero(t, r.ended())
		pass(2 * time.Second)
		require.Equal(t, 1, r.ended())
	})
}

func TestAReconcilerIsThereWhenALeaseEnds(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, s *Service) {
		pass(time.Minute)
		due := time.Now().Add(17 * time.Second)
		r.set(func() { r.deadline["run"] = due })
		s.nudge() // as a claim does
		pass(17*time.Second - time.Millisecond)
		require.Zero(t, r.ended())
		pass(10 * time.Millisecond)
		require.Equal(t, 1, r.ended())
	})
}

func TestAReconcilerFindsWhatOtherReplicasClaimed(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, _ *Service) {
		pass(time.Minute)
		r.set(func() { r.deadline["run"] = time.Now().Add(30 * time.Second) }) // no nudge
		pass(61 * time.Second)
		require.Equal(t, 1, r.ended())
	})
}

func TestAnOutageIsNoProofThatOwnersAreGone(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, s *Service) {
		pass(time.Minute)
		r.set(func() {
			r.deadline["run"] = time.Now().Add(30 * time.Second)
			r.broken = errors.New("the database is away")
		})
		s.nudge()
		pass(5 * time.Minute)
		r.set(func() { r.broken = nil })
		pass(30 * time.Second)
		require.Zero(t, r.ended(), "owners get a lease to come back")
		pass(2 * time.Second)
		require.Equal(t, 1, r.ended())
	})
}

func TestSilenceOfAllOwnersIsWaitedOut(t *testing.T) {
	reconciling(t, func(t *testing.T, r *runs, s *Service) {
		pass(time.Minute)
		r.set(func() {
			r.sign = time.Now()
			r.deadline["a"], r.deadline["b"] = time.Now().Add(30*time.Second), time.Now().Add(30*time.Second)
		})
		s.nudge()
		pass(59 * time.Second)
		require.Zero(t, r.ended())
		pass(2 * time.Second)
		require.Equal(t, 2, r.ended())
	})
}
