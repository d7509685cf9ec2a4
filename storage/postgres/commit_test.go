package postgres

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
)

// unsent is an error on which the driver believes that nothing was sent.
type unsent struct{}

func (unsent) Error() string     { return "conn closed" }
func (unsent) SafeToRetry() bool { return true }

// A transaction is tried again only when it is known not to have happened: never
// when its commit was sent and not answered, whatever the driver believes.
func TestRepeatable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"nothing was sent":                       {unsent{}, true},
		"nothing was sent of a statement":        {fmt.Errorf("exec: %w", unsent{}), true},
		"another version":                        {errMoved, true},
		"serialization":                          {&pgconn.PgError{Code: "40001"}, true},
		"deadlock":                               {&pgconn.PgError{Code: "40P01"}, true},
		"serialization at the commit":            {&commitError{&pgconn.PgError{Code: "40001"}}, true},
		"the connection closed under the commit": {&commitError{unsent{}}, false},
		"the commit was cut":                     {&commitError{io.ErrUnexpectedEOF}, false},
		"a crash at the commit":                  {&commitError{&pgconn.PgError{Code: "57P02"}}, false},
		"cut in a statement":                     {io.ErrUnexpectedEOF, false},
		"anything else":                          {errors.New("?"), false},
	} {
		require.Equal(t, c.want, repeatable(c.err), name)
	}
	f := fault.From(asFault(&commitError{unsent{}}))
	require.Equal(t, fault.ReasonDatabaseUnavailable, f.Reason, "the caller is told to ask again")
}
