package model

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// database is PostgreSQL with two replicas on it, of which each may be
// restarted at any time; all go by one clock.
type database struct {
	t        *testing.T
	url      string
	now      *atomic.Int64
	replicas []*postgres.Store
}

func openDatabase(t *testing.T) *database {
	t.Helper()
	d := &database{t: t, url: pg.URL(t), now: newClock()}
	for range 2 {
		d.replicas = append(d.replicas, d.open(t.Context()))
	}
	t.Cleanup(func() {
		for _, s := range d.replicas {
			s.Close()
		}
	})
	_, err := d.replicas[0].Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	return d
}

func (d *database) open(ctx context.Context) *postgres.Store {
	s, err := postgres.Open(ctx, postgres.Config{URL: d.url, MaxConns: 3, Now: func() time.Time { return time.Unix(d.now.Load(), 0).UTC() }})
	require.NoError(d.t, err)
	return s
}

// TestPostgresDoesWhatTheContractSays walks over the real storage: two
// sessions whose profiles share short phases, claims and reconcilers on two
// replicas at once, and replicas that are restarted.
func TestPostgresDoesWhatTheContractSays(t *testing.T) {
	t.Parallel()
	d := openDatabase(t)
	count, rounds := &tally{taken: map[string]int{}}, 0
	for i := range (storeRounds + checks - 1) / checks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d.round(t, count)
				rounds++
			})
		})
	}
	t.Logf("%d rounds, %d steps", rounds, count.steps)
	require.GreaterOrEqual(t, rounds, storeRounds)
	if storeRounds < 300 {
		return // too few to have met everything
	}
	for _, what := range []string{"race", "restart", "transient: scheduled_retry prompt", "succeed", "go on"} {
		require.NotZero(t, count.taken[what], "the walks never met: %s", what)
	}
}

func (d *database) round(t *rapid.T, count *tally) {
	m := newMachine(t, d.now, 2, d.replicas[0], d.replicas[1])
	m.shared = true
	m.more = map[string]func(){"race": m.race, "race again": m.race, "reconcile": d.reconcile(m), "restart": func() { d.restart(m) }}
	defer count.add(m)
	m.walk(30, 3)
	violations, err := d.replicas[0].FindViolations(t.Context(), workspace)
	require.NoError(t, err)
	require.Empty(t, violations)
	m.finish()
}

// restart ends a replica and starts it again: it knows nothing but what is stored.
func (d *database) restart(m *machine) {
	if !m.often(3, "restart") {
		m.nothing("seldom")
	}
	i := rapid.IntRange(0, 1).Draw(m.t, "which")
	d.replicas[i].Close()
	d.replicas[i] = d.open(m.ctx())
	m.replicas[i] = d.replicas[i]
	m.taken["restart"]++
}

// race lets three workers claim one wakeup at once, on both replicas: one gets
// it, and only if it may be claimed.
func (m *machine) race() {
	s, w := m.someWakeup()
	m.follow(w)
	by := supervisors[0]
	may := s.mayClaim(w, by.ID, by.HostID, true, m.clock())
	runs, claims, errs := make([]*refRun, 3), make([]work.Claim, 3), make([]error, 3)
	var done sync.WaitGroup
	for i := range runs {
		runs[i] = &refRun{id: newID(), token: newID()}
		request, ctx := m.claimRequest(by, true, runs[i]), m.ctx()
		done.Go(func() { claims[i], errs[i] = m.replicas[i%2].ClaimWakeup(ctx, workspace, w.id, request) })
	}
	done.Wait()
	winners := 0
	for i := range runs {
		if errs[i] == nil {
			winners++
			m.claimed(s, w, runs[i], by, true, claims[i], nil)
		}
	}
	require.LessOrEqual(m.t, winners, 1, "one claim")
	if may && !w.shared {
		require.Equal(m.t, 1, winners, "%v", errs)
	}
	m.taken["race"]++
}

// reconcile runs both replicas' reconcilers at once, on whatever is overdue.
func (d *database) reconcile(m *machine) func() {
	return func() {
		refs, err := d.replicas[0].FindOverdue(m.ctx(), 100)
		require.NoError(m.t, err)
		ctx := m.ctx()
		var done sync.WaitGroup
		errs := make([]error, 2)
		for i := range errs {
			store := d.replicas[i]
			done.Go(func() {
				for _, ref := range refs {
					if _, err := store.ExpireRun(ctx, ref, m.set); err != nil {
						errs[i] = err
					}
				}
			})
		}
		done.Wait()
		require.Equal(m.t, []error{nil, nil}, errs)
		for _, s := range m.sessions {
			for _, w := range s.wakeups {
				for _, r := range w.runs {
					s.reference.expire(w, r, m.clock(), m.set.LostGrace)
				}
			}
		}
	}
}

// finish ends what a round leaves open, so that no round meets another's.
func (m *machine) finish() {
	for _, s := range m.sessions {
		if len(s.wakeups) == 0 {
			continue
		}
		if r := s.newest().last(); r.live() {
			_, err := m.replicas[0].StopRun(m.ctx(), work.Request{}, work.StopRun{WorkspaceID: workspace, RunID: r.id})
			require.NoError(m.t, err)
			if r.state != "claimed" {
				lease := m.leaseOf(r, true)
				_, err = m.replicas[0].FailRun(m.ctx(), work.Request{}, lease, m.failureOf(failure{kind: "unknown"}, lease.Token))
				require.NoError(m.t, err)
			}
		} else if w := s.newest(); w.status == "queued" || w.waiting() {
			_, err := m.replicas[0].CancelWait(m.ctx(), work.Request{}, work.CancelWait{WorkspaceID: workspace, WakeupID: w.id})
			require.NoError(m.t, err)
		}
	}
}
