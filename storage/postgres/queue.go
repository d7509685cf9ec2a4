package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// queue keeps the writes of a transaction until its end and sends them in one
// round trip. Each of them is about rows that the transaction has locked or
// makes, so that one which touches no row found another version.
type queue struct {
	batch pgx.Batch
}

var errQueueReads = errors.New("only writes can be queued")

// Exec implements dbsqlc.DBTX. The tag is empty: nothing has happened yet.
func (q *queue) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	q.batch.Queue(sql, args...).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return errMoved
		}
		return nil
	})
	return pgconn.CommandTag{}, nil
}

// Query implements dbsqlc.DBTX.
func (q *queue) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errQueueReads }

// QueryRow implements dbsqlc.DBTX.
func (q *queue) QueryRow(context.Context, string, ...any) pgx.Row { return noRow{} }

type noRow struct{}

func (noRow) Scan(...any) error { return errQueueReads }

func (q *queue) flush(ctx context.Context, t pgx.Tx) error {
	if q.batch.Len() == 0 {
		return nil
	}
	return t.SendBatch(ctx, &q.batch).Close()
}
