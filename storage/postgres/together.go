package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// together runs queries of the transaction in one round trip. Each function
// asks exactly one query and is called twice: first to learn what it asks, with
// an error to return, then with the answer. Nothing that one asks may depend on
// the answer of another.
func (t *tx) together(ctx context.Context, asks ...func(q *dbsqlc.Queries) error) (err error) {
	var batch pgx.Batch
	for _, ask := range asks {
		if err := ask(dbsqlc.New(learning{&batch})); !errors.Is(err, errLearning) {
			return errors.Join(errors.New("a query was not asked"), err)
		}
	}
	answers := t.conn.SendBatch(ctx, &batch)
	defer func() { err = errors.Join(err, answers.Close()) }()
	for _, ask := range asks {
		if err := ask(dbsqlc.New(answering{answers})); err != nil {
			return err
		}
	}
	return nil
}

var errLearning = errors.New("the query has not run yet")

// learning keeps what is asked.
type learning struct{ batch *pgx.Batch }

// Exec implements dbsqlc.DBTX.
func (l learning) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	l.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, errLearning
}

// Query implements dbsqlc.DBTX.
func (l learning) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	l.batch.Queue(sql, args...)
	return nil, errLearning
}

// QueryRow implements dbsqlc.DBTX.
func (l learning) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	l.batch.Queue(sql, args...)
	return unknownRow{}
}

type unknownRow struct{}

func (unknownRow) Scan(...any) error { return errLearning }

// answering gives the answers in the order in which they were asked for.
type answering struct{ answers pgx.BatchResults }

// Exec implements dbsqlc.DBTX.
func (a answering) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return a.answers.Exec()
}

// Query implements dbsqlc.DBTX.
func (a answering) Query(context.Context, string, ...any) (pgx.Rows, error) { return a.answers.Query() }

// QueryRow implements dbsqlc.DBTX.
func (a answering) QueryRow(context.Context, string, ...any) pgx.Row { return a.answers.QueryRow() }
