package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

func TestAsFault(t *testing.T) {
	t.Parallel()
	state := func(code, constraint string) error {
		return fmt.Errorf("exec: %w", &pgconn.PgError{Code: code, ConstraintName: constraint, Message: "secret detail", Detail: "Key (x)=(secret)"})
	}
	for name, c := range map[string]struct {
		err    error
		kind   fault.Kind
		reason fault.Reason
		retry  bool
	}{
		"a second live run":           {state("23505", "runs_one_live_per_session"), fault.FailedPrecondition, fault.ReasonSessionBusy, false},
		"a session without workspace": {state("23503", "sessions_workspace"), fault.NotFound, fault.ReasonWorkspaceNotFound, false},
		"a constraint nobody expects": {state("23514", "wakeups_wait_is_owned"), fault.Internal, fault.ReasonInternal, false},
		"a name, but another class":   {state("42P01", "sessions_workspace"), fault.Internal, fault.ReasonInternal, false},
		"serialization":               {state("40001", ""), fault.Aborted, fault.ReasonConflict, true},
		"deadlock":                    {state("40P01", ""), fault.Aborted, fault.ReasonConflict, true},
		"lock timeout":                {state("55P03", ""), fault.Aborted, fault.ReasonConflict, true},
		"statement timeout":           {state("57014", ""), fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, false},
		"a NUL byte":                  {state("22021", ""), fault.InvalidArgument, fault.ReasonInvalidRequest, false},
		"shutdown":                    {state("57P01", ""), fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"starting up":                 {state("57P03", ""), fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"too many connections":        {state("53300", ""), fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"connection failure":          {state("08006", ""), fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"refused":                     {&net.OpError{Op: "dial", Err: errors.New("refused")}, fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"cut in the middle":           {fmt.Errorf("receive: %w", io.ErrUnexpectedEOF), fault.Unavailable, fault.ReasonDatabaseUnavailable, true},
		"the caller's deadline":       {fmt.Errorf("timeout: %w", context.DeadlineExceeded), fault.DeadlineExceeded, fault.ReasonDeadlineExceeded, false},
		"the caller went away":        {context.Canceled, fault.Canceled, fault.ReasonCanceled, false},
		"anything else":               {errors.New("?"), fault.Internal, fault.ReasonInternal, false},
	} {
		f := fault.From(asFault(c.err))
		require.Equal(t, c.kind, f.Kind, name)
		require.Equal(t, c.reason, f.Reason, name)
		require.Equal(t, c.retry, f.RetryAfter > 0, name)
		require.NotContains(t, f.Message, "secret", name)
	}
	require.NoError(t, asFault(nil))
	own := fault.New(fault.NotFound, fault.ReasonRunNotFound, "no such run")
	require.Same(t, own, asFault(own))
	early := &work.NotDue{}
	require.Same(t, early, asFault(fmt.Errorf("claim: %w", early)))
}

func TestWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	lost := fmt.Errorf("receive: %w", io.ErrUnexpectedEOF)
	for name, c := range map[string]struct {
		err         error
		write, read bool
	}{
		"serialization":     {&pgconn.PgError{Code: "40001"}, true, true},
		"deadlock":          {&pgconn.PgError{Code: "40P01"}, true, true},
		"another version":   {errMoved, true, true},
		"a lost connection": {lost, false, true}, // a write may have been done
		"a shutdown":        {&pgconn.PgError{Code: "57P01"}, false, true},
		"a constraint":      {&pgconn.PgError{Code: "23505"}, false, false},
		"a refusal":         {fault.New(fault.Aborted, fault.ReasonStaleLease, "x"), false, false},
	} {
		count := func(again func(error) bool, failures int) int {
			tries := 0
			_ = (&Store{}).repeat(t.Context(), again, func() error {
				if tries++; tries <= failures {
					return c.err
				}
				return nil
			})
			return tries
		}
		reads := func(err error) bool { return repeatable(err) || lostConnection(err) }
		for _, side := range []struct {
			again func(error) bool
			want  bool
		}{{repeatable, c.write}, {reads, c.read}} {
			want := 1
			if side.want {
				want = 3
			}
			require.Equal(t, want, count(side.again, 2), name)
		}
		if c.write {
			require.Equal(t, maxAttempts, count(repeatable, 1000), "%s: bounded", name)
		}
	}
}

// An error that says to try again must not be forgotten when the tries end.
func TestTheLastErrorIsGiven(t *testing.T) {
	t.Parallel()
	err := (&Store{}).repeat(t.Context(), repeatable, func() error { return &pgconn.PgError{Code: "40001"} })
	require.Equal(t, fault.ReasonConflict, fault.From(err).Reason)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tries := 0
	err = (&Store{}).repeat(ctx, repeatable, func() error { tries++; return &pgconn.PgError{Code: "40001"} })
	require.Error(t, err)
	require.Equal(t, 1, tries, "nobody waits for it any more")
}
