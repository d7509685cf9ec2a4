package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

const (
	maxAttempts  = 6
	firstBackoff = 2 * time.Millisecond
	// endTimeout bounds a rollback whose caller has gone.
	endTimeout = 2 * time.Second
)

var errNoRows = pgx.ErrNoRows

// tx is one attempt at a transaction.
type tx struct {
	*dbsqlc.Queries
	// later are the writes whose answer nobody waits for.
	later *dbsqlc.Queries
	store *Store
	conn  pgx.Tx
}

// write runs one use case in one transaction, again if the database asks for
// it. A connection that is lost in the middle is not tried again: what was
// asked may have been done, and the caller's request id finds out.
func (s *Store) write(ctx context.Context, do func(context.Context, *tx) error) error {
	return s.repeat(ctx, repeatable, func() error { return s.once(ctx, do) })
}

// read runs queries that change nothing, also again on another connection
// when one is lost.
func (s *Store) read(ctx context.Context, do func(context.Context, *dbsqlc.Queries) error) error {
	again := func(err error) bool { return repeatable(err) || lostConnection(err) }
	return s.repeat(ctx, again, func() error { return do(ctx, s.queries()) })
}

func (s *Store) repeat(ctx context.Context, again func(error) bool, try func() error) error {
	err := s.repeatRaw(ctx, again, try)
	if err != nil && s.closed.Load() {
		return fault.Wrap(err, fault.Unavailable, fault.ReasonShuttingDown, "the server is stopping")
	}
	if errors.Is(err, errNoRows) {
		return err // absent says what is missing
	}
	return asFault(err)
}

// repeatRaw tries a bounded number of times and returns the last error as it is.
func (s *Store) repeatRaw(ctx context.Context, again func(error) bool, try func() error) error {
	var err error
	backoff := firstBackoff
	for range maxAttempts {
		if err = try(); err == nil || !again(err) || ctx.Err() != nil {
			break
		}
		if wait(ctx, backoff+rand.N(backoff)) != nil {
			break
		}
		backoff *= 2
	}
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (s *Store) once(ctx context.Context, do func(context.Context, *tx) error) (err error) {
	t, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		_ = t.Rollback(ending)
	}()
	var q queue
	if err := do(ctx, &tx{Queries: dbsqlc.New(t), later: dbsqlc.New(&q), store: s, conn: t}); err != nil {
		return err
	}
	if err := q.flush(ctx, t); err != nil {
		return err
	}
	if err := t.Commit(ctx); err != nil {
		return &commitError{err}
	}
	return nil
}

// commitError is the error of a commit that was sent: unless the database says
// that it rolled back, nobody knows whether it is done. The driver takes the
// connection that it then closes for one on which nothing was sent.
type commitError struct{ cause error }

func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

func (e *commitError) Unwrap() error { return e.cause }

// clock reads the clock that rules leases. Call it after the row locks.
func (t *tx) clock(ctx context.Context) (time.Time, error) {
	now, err := t.ReadClock(ctx, t.store.at())
	return now.UTC(), err
}
