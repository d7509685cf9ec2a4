package crash

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/storage/embedded"
)

// patience bounds every wait; a healthy machine needs a fraction of it.
const patience = 90 * time.Second

// machine is a host with a data folder, on which a server lives and dies.
type machine struct {
	t      *testing.T
	data   string
	listen string
	flags  []string

	cmd    *exec.Cmd
	exited chan struct{}
	log    *output
	client *client.Client
}

// output keeps what the server printed, for a test that fails.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// boot starts a server on a new data folder.
func boot(t *testing.T, flags ...string) *machine {
	t.Helper()
	data, err := os.MkdirTemp("", "recourse-crash-")
	require.NoError(t, err)
	// As root the database runs as another user, who must get in.
	require.NoError(t, os.Chmod(data, 0o755))
	port, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listen := port.Addr().String()
	require.NoError(t, port.Close())
	m := &machine{t: t, data: data, listen: listen, flags: flags, log: &output{}}
	t.Cleanup(func() {
		m.stop()
		_ = os.RemoveAll(data)
		if t.Failed() {
			t.Log(m.log.String())
		}
	})
	m.start()
	return m
}

func (m *machine) start() {
	m.t.Helper()
	args := append([]string{"serve", "--listen", m.listen, "--data", m.data}, m.flags...)
	m.cmd = exec.Command(binary, args...)
	m.cmd.Stdout, m.cmd.Stderr = m.log, m.log
	m.cmd.Env = environment()
	require.NoError(m.t, m.cmd.Start())
	exited := make(chan struct{})
	m.exited = exited
	go func() {
		_ = m.cmd.Wait() // it was killed: the error says nothing new
		close(exited)
	}()
	ended := false
	m.eventually("the server is ready", func() bool {
		select {
		case <-exited:
			ended = true
			return true
		default:
		}
		answer, err := http.Get("http://" + m.listen + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	require.False(m.t, ended, "the server ended by itself")
	token, err := os.ReadFile(filepath.Join(m.data, "admin-token"))
	require.NoError(m.t, err)
	m.client, err = client.New("http://"+m.listen, strings.TrimSpace(string(token)))
	require.NoError(m.t, err)
}

// environment keeps the settings of whoever runs the tests out of the server.
func environment() []string {
	var kept []string
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, embedded.PrefixVariable+"=") || !strings.HasPrefix(entry, "RECOURSE_") && !strings.HasPrefix(entry, "DATABASE_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// kill is SIGKILL: the server gets no chance to do anything.
func (m *machine) kill() {
	_ = m.cmd.Process.Signal(syscall.SIGKILL)
	<-m.exited
}

// crash kills the server and starts it again on the same data.
func (m *machine) crash() {
	m.t.Helper()
	m.kill()
	m.client.Close()
	m.start()
}

// stop ends the server, gently first so that its database stops too.
func (m *machine) stop() {
	_ = m.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(patience, func() { _ = m.cmd.Process.Kill() })
	defer late.Stop()
	<-m.exited
}

// eventually polls a condition until it holds or the test is overdue.
func (m *machine) eventually(what string, holds func() bool) {
	m.t.Helper()
	require.Eventually(m.t, holds, patience, 20*time.Millisecond, what)
}

func (m *machine) ctx() context.Context { return m.t.Context() }
