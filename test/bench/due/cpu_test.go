package due

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cpu is what this process has used; PostgreSQL is another one.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
