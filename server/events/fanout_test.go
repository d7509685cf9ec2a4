package events_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

const writers = 32

// replica is one server's view of a shared database.
type replica struct {
	store  *postgres.Store
	stream *events.Stream
}

func startReplica(t *testing.T, url string) replica {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 6})
	require.NoError(t, err)
	// The fallback is far away: what arrives in time came by numbering and hints.
	r := replica{store: store, stream: events.New(events.Config{Store: store, Fallback: 10 * time.Second})}
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	loops.Go(func() { r.stream.Run(ctx) })
	loops.Go(func() { store.Listen(ctx, r.stream) })
	t.Cleanup(func() {
		cancel()
		loops.Wait()
		store.Close()
	})
	return r
}

func sharedDatabase(t *testing.T) (url string, pool *pgxpool.Pool) {
	t.Helper()
	url = pg.URL(t)
	cfg, err := pgxpool.ParseConfig(url)
	require.NoError(t, err)
	cfg.MaxConns = writers
	pool, err = pgxpool.NewWithConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return url, pool
}

func bootstrap(t *testing.T, store *postgres.Store) {
	t.Helper()
	_, err := store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{
		WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin,
	})
	require.NoError(t, err)
}

// write puts an event into a transaction that takes a random time to end, and
// sometimes fails. Ids are made before, so that they commit out of order.
func write(ctx context.Context, pool *pgxpool.Pool) (id string, committed bool, err error) {
	event := uuid.Must(uuid.NewV7())
	tx, err := pool.Begin(ctx)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err = tx.Exec(ctx, `INSERT INTO events (workspace_id, event_id, type, occurred_at, payload) VALUES ($1, $2, 'fan.out', clock_timestamp(), '{}')`, workspace, event); err != nil {
		return "", false, err
	}
	if _, err = tx.Exec(ctx, `SELECT pg_sleep(random() * 0.02)`); err != nil {
		return "", false, err
	}
	if rand.IntN(10) == 0 {
		return event.String(), false, nil
	}
	return event.String(), true, tx.Commit(ctx)
}

// subscriber collects events; a restless one breaks off at random and resumes
// from its cursor, on another replica.
type subscriber struct {
	replicas []replica
	restless bool
	want     int
	ids      []string
	seqs     []int64
}

var errBreakOff = errors.New("the reader breaks off")

func (s *subscriber) follow(ctx context.Context, started chan<- struct{}) error {
	cursor := events.Cursor(work.Event{})
	var once sync.Once
	for len(s.ids) < s.want || s.want == 0 {
		ctx, cancel := context.WithCancel(ctx)
		r := s.replicas[rand.IntN(len(s.replicas))]
		err := r.stream.Watch(ctx, work.WatchEvents{WorkspaceID: workspace, Cursor: cursor}, func(w work.Watched) error {
			once.Do(func() { started <- struct{}{} })
			cursor = w.Cursor
			if w.Event == nil {
				return nil
			}
			s.ids, s.seqs = append(s.ids, w.Event.ID), append(s.seqs, w.Event.Seq)
			if w.Event.Type == "end" || s.restless && rand.IntN(25) == 0 {
				if w.Event.Type == "end" {
					s.want = len(s.ids)
				}
				return errBreakOff
			}
			return nil
		})
		cancel()
		if !errors.Is(err, errBreakOff) {
			return err
		}
	}
	return nil
}

func TestNothingIsLostAndNothingComesTwice(t *testing.T) {
	t.Parallel()
	url, pool := sharedDatabase(t)
	replicas := []replica{startReplica(t, url), startReplica(t, url)}
	bootstrap(t, replicas[0].store)
	readers := []*subscriber{
		{replicas: replicas[:1]},
		{replicas: replicas[1:]},
		{replicas: replicas, restless: true},
		{replicas: replicas, restless: true},
	}
	started, ended := make(chan struct{}, len(readers)), make(chan error, len(readers))
	for _, r := range readers {
		go func() { ended <- r.follow(t.Context(), started) }()
	}
	for range readers {
		<-started
	}
	committed := writeAll(t, pool, replicas)
	finish(t, pool, replicas[0])
	for range readers {
		require.NoError(t, <-ended)
	}
	for i, r := range readers {
		require.Equal(t, upTo(1, int64(len(committed))+1), r.seqs, "reader %d: each number once, in order", i)
		require.ElementsMatch(t, committed, r.ids[:len(r.ids)-1], "reader %d: what was committed, and nothing else", i)
		require.Equal(t, readers[0].ids, r.ids, "everybody sees the same order")
	}
	gaps, err := replicas[0].store.FindViolations(t.Context(), workspace)
	require.NoError(t, err)
	require.Empty(t, gaps)
}

func writeAll(t *testing.T, pool *pgxpool.Pool, replicas []replica) (committed []string) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for range eventsPerWriter {
				id, ok, err := write(t.Context(), pool)
				if err != nil {
					t.Error(err)
					return
				}
				if ok {
					mu.Lock()
					committed = append(committed, id)
					mu.Unlock()
					replicas[w%len(replicas)].stream.Kick(workspace)
				}
			}
		})
	}
	wg.Wait()
	return committed
}

// finish writes the event that ends the readers, after all others.
func finish(t *testing.T, pool *pgxpool.Pool, r replica) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `INSERT INTO events (workspace_id, event_id, type, occurred_at, payload) VALUES ($1, $2, 'end', clock_timestamp(), '{}')`,
		workspace, uuid.Must(uuid.NewV7()))
	require.NoError(t, err)
	r.stream.Kick(workspace)
}

// A listener whose connection dies makes a new one, and looks at what it missed.
func TestALostListenerConnectionLosesNothing(t *testing.T) {
	t.Parallel()
	url, pool := sharedDatabase(t)
	here, there := startReplica(t, url), startReplica(t, url)
	bootstrap(t, here.store)
	c := collector{t: t}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- here.stream.Watch(ctx, work.WatchEvents{WorkspaceID: workspace}, c.send) }()
	eventually(t, func() bool { return c.beaten() == 1 })
	for round := range 3 {
		eventually(t, func() bool {
			var killed int
			err := pool.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen%'`).Scan(&killed)
			return err == nil && killed > 0
		})
		_, ok, err := write(t.Context(), pool)
		for !ok && err == nil {
			_, ok, err = write(t.Context(), pool)
		}
		require.NoError(t, err)
		there.stream.Kick(workspace)
		eventually(t, func() bool { return len(c.got()) == round+1 })
	}
	require.Equal(t, upTo(1, 3), c.got())
	cancel()
	<-ended
}

// eventually polls a condition until it holds or the test is overdue.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 30*time.Second, 5*time.Millisecond)
}
