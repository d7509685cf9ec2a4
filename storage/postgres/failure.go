package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// retryLater is when a call may be repeated after the database did not answer.
const retryLater = time.Second

// constraintFaults says what a broken constraint means to a caller. One that
// is not listed is a fault of ours.
var constraintFaults = map[string]*fault.Error{
	"runs_one_live_per_session": fault.New(fault.FailedPrecondition, fault.ReasonSessionBusy, "the session has a live run"),
	"sessions_workspace":        fault.New(fault.NotFound, fault.ReasonWorkspaceNotFound, "no such workspace"),
	"api_tokens_workspace":      fault.New(fault.NotFound, fault.ReasonWorkspaceNotFound, "no such workspace"),
	"events_workspace":          fault.New(fault.NotFound, fault.ReasonWorkspaceNotFound, "no such workspace"),
	"event_heads_workspace":     fault.New(fault.NotFound, fault.ReasonWorkspaceNotFound, "no such workspace"),
	"profiles_workspace":        fault.New(fault.NotFound, fault.ReasonWorkspaceNotFound, "no such workspace"),
	"login_codes_token":         fault.New(fault.NotFound, fault.ReasonTokenNotFound, "no such token"),
}

// stateFaults says what an SQLSTATE means, where it alone decides.
var stateFaults = map[string]*fault.Error{
	"22021": fault.New(fault.InvalidArgument, fault.ReasonInvalidRequest, "a text holds a character that cannot be stored"),
	"22P05": fault.New(fault.InvalidArgument, fault.ReasonInvalidRequest, "a text holds a character that cannot be stored"),
	"40001": conflict, "40P01": conflict, "55P03": conflict,
	"57014": fault.New(fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the database took too long"),
	"25P03": fault.New(fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the database took too long"),
	"53300": unavailable, "57P01": unavailable, "57P02": unavailable, "57P03": unavailable,
}

var (
	conflict    = fault.New(fault.Aborted, fault.ReasonConflict, "concurrent changes kept colliding").After(retryLater / 10)
	unavailable = fault.New(fault.Unavailable, fault.ReasonDatabaseUnavailable, "the database does not answer").After(retryLater)
)

// asFault turns any error of this package into a fault; the cause is for the
// log only.
func asFault(err error) error {
	var f *fault.Error
	var early *work.NotDue
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &early):
		return early
	case errors.As(err, &f):
		return err
	case errors.As(err, &pg):
		return fromPostgres(pg, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, "the call took longer than its deadline")
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Canceled, fault.ReasonCanceled, "the caller went away")
	case lostConnection(err):
		return wrap(err, unavailable)
	}
	return fault.Wrap(err, fault.Internal, fault.ReasonInternal, "internal error")
}

func fromPostgres(pg *pgconn.PgError, err error) error {
	if like, ok := constraintFaults[pg.ConstraintName]; ok && pg.Code[:2] == "23" {
		return wrap(err, like)
	}
	if like, ok := stateFaults[pg.Code]; ok {
		return wrap(err, like)
	}
	if pg.Code[:2] == "08" {
		return wrap(err, unavailable)
	}
	return fault.Wrap(err, fault.Internal, fault.ReasonInternal, "internal error")
}

func wrap(err error, like *fault.Error) error {
	e := fault.Wrap(err, like.Kind, like.Reason, "%s", like.Message)
	e.RetryAfter = like.RetryAfter
	return e
}

// repeatable says that a whole transaction may be tried again: the database
// rolled it back, or nothing of it was ever sent.
func repeatable(err error) bool {
	var pg *pgconn.PgError
	var commit *commitError
	switch {
	case errors.As(err, &pg):
		return pg.Code == "40001" || pg.Code == "40P01"
	case errors.As(err, &commit):
		return false
	}
	return errors.Is(err, errMoved) || pgconn.SafeToRetry(err)
}

// lostConnection says that the database may or may not have done what was
// asked.
func lostConnection(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code[:2] == "08" || pg.Code == "57P01" || pg.Code == "57P02" || pg.Code == "57P03"
	}
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// errMoved is a compare-and-set that found another version. Under the row
// locks it cannot happen; should it, the transaction starts again.
var errMoved = errors.New("the row has another version")

// absent turns "no rows" into what is missing.
func absent(err error, reason fault.Reason, what, key, id string) error {
	if errors.Is(err, errNoRows) {
		return fault.New(fault.NotFound, reason, "no such %s", what).With(key, id)
	}
	return err
}
