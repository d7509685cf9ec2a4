package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
)

// selfVariable makes the test's own binary play agentctl, for the agent of the
// demonstration.
const selfVariable = "COMMAND_TEST_SELF"

func TestMain(m *testing.M) {
	if os.Getenv(selfVariable) != "" {
		os.Exit(command.Main(context.Background(), cli.FromProcess("test"), os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// still is a clock that stands, and on which waits pass at once.
type still struct{ supervisor.System }

func (still) Now() time.Time { return noon }

// call is one call of agentctl inside the test.
type call struct {
	inv      *cli.Invocation
	out, err bytes.Buffer
	code     int
}

func newCall(t *testing.T, stdin string, env ...string) *call {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	c := &call{}
	c.inv = &cli.Invocation{
		In: strings.NewReader(stdin), Out: &c.out, Err: &c.err, Dir: dir, Clock: still{}, Settings: recovery.Defaults(),
		Environ: append([]string{"PATH=/usr/bin:/bin", "HOME=" + dir, "RECOURSE_DATA=" + filepath.Join(dir, "data"), selfVariable + "=1"}, env...),
		NewID:   cli.NewID, Jitter: func() float64 { return 0 }, HostZone: "Europe/Berlin", Self: self, Version: "1.2.3",
		Listen: func() (<-chan syscall.Signal, func()) { return nil, func() {} },
	}
	return c
}

func (c *call) run(t *testing.T, args ...string) *call {
	t.Helper()
	c.code = command.Main(t.Context(), c.inv, args)
	return c
}

func run(t *testing.T, stdin string, args ...string) *call {
	t.Helper()
	return newCall(t, stdin).run(t, args...)
}

// object reads standard output as one JSON object; data is all that may be there.
func (c *call) object(t *testing.T) map[string]any {
	t.Helper()
	var out map[string]any
	require.NoError(t, json.Unmarshal(c.out.Bytes(), &out), "%s", c.out.String())
	return out
}

func (c *call) want(t *testing.T, code int) *call {
	t.Helper()
	require.Equal(t, code, c.code, "stdout:\n%s\nstderr:\n%s", c.out.String(), c.err.String())
	return c
}
