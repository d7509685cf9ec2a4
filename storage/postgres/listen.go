package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgxlisten"
)

// hintChannel is where SendHint sends.
const hintChannel = "recourse_hint"

// reconnectDelay keeps a dead database from being asked in a loop.
const reconnectDelay = time.Second

// Listener takes hints. A hint may be lost, doubled or wrong; the tables are
// the truth.
type Listener interface {
	// Hint says that workspaces have something new.
	Hint(workspaceIDs []string)
	// Resync says that hints may have been lost: the connection is new.
	Resync()
	// Failed says that the connection is gone; it will be made again.
	Failed(err error)
}

// Listen hands hints to to until ctx ends. It makes its connection again
// whenever that is lost.
func (s *Store) Listen(ctx context.Context, to Listener) {
	l := &pgxlisten.Listener{
		Connect:        func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, s.listen.Copy()) },
		LogError:       func(_ context.Context, err error) { to.Failed(err) },
		ReconnectDelay: reconnectDelay,
	}
	l.Handle(hintChannel, hints{to})
	_ = l.Listen(ctx) // it returns only when ctx has ended
}

type hints struct{ to Listener }

// HandleNotification implements pgxlisten.Handler.
func (h hints) HandleNotification(_ context.Context, n *pgconn.Notification, _ *pgx.Conn) error {
	h.to.Hint(strings.Split(n.Payload, ","))
	return nil
}

// HandleBacklog implements pgxlisten.BacklogHandler: LISTEN is active from now on.
func (h hints) HandleBacklog(context.Context, string, *pgx.Conn) error {
	h.to.Resync()
	return nil
}
