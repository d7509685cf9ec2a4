package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

const survivor = "CLI_TEST_SURVIVOR"

// TestMain lets the test program play a supervisor whose reader goes away.
func TestMain(m *testing.M) {
	if os.Getenv(survivor) == "" {
		os.Exit(m.Run())
	}
	_, stop := cli.FromProcess("test").Listen()
	defer stop()
	_, _ = io.Copy(io.Discard, os.Stdin) // until the reader is gone
	_, err := os.Stdout.WriteString("to nobody")
	if err != nil {
		_, _ = os.Stderr.WriteString("alive: " + err.Error())
	}
}

func TestAClosedStandardOutputIsAnErrorAndNoEnd(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	var said bytes.Buffer
	child := exec.Command(self)
	child.Env = []string{survivor + "=1"}
	child.Stdout, child.Stderr = write, &said
	in, err := child.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	require.NoError(t, write.Close())
	require.NoError(t, read.Close())
	require.NoError(t, in.Close())
	require.NoError(t, child.Wait(), "it died of the signal")
	require.True(t, strings.HasPrefix(said.String(), "alive: "), said.String())
}
