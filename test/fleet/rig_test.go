package fleet

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/server/cmd/recourse/serve"
	"github.com/recourse-dev/recourse/storage/embedded"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

const (
	replicaCount = 3
	workerCount  = 3
)

// rig is a PostgreSQL, replicas of the server on it, each behind a wire, and
// workers that reach them through a gate.
type rig struct {
	t       *testing.T
	watch   *watch
	servers []*process
	listens []string
	workers []*process
	gate    string
	token   string
	admin   *client.Client // through the gate
	ledger  ledger
	store   *postgres.Store // to look for violations
}

func setup(t *testing.T) *rig {
	t.Helper()
	folder := t.TempDir()
	r := &rig{t: t, watch: newWatch(), ledger: ledger(filepath.Join(folder, "ledger"))}
	require.NoError(t, os.Mkdir(string(r.ledger), 0o700))
	binary := filepath.Join(folder, "recourse")
	var built sync.WaitGroup
	built.Go(func() {
		said, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "github.com/recourse-dev/recourse/server/cmd/recourse").CombinedOutput()
		if err != nil {
			t.Errorf("build the server: %v\n%s", err, said)
		}
	})
	database := pg.Durable(t)
	built.Wait()
	var err error
	r.store, err = postgres.Open(t.Context(), postgres.Config{URL: database.URL(), MaxConns: 2})
	require.NoError(t, err)
	t.Cleanup(r.store.Close)
	log := &output{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(log.tail())
		}
	})
	r.startServers(binary, folder, database, log)
	token, err := os.ReadFile(filepath.Join(folder, "data", serve.AdminTokenFile))
	require.NoError(t, err)
	r.token = strings.TrimSpace(string(token))
	r.gate = startGate(t, r.listens)
	r.admin, err = client.New(r.gate, r.token)
	require.NoError(t, err)
	t.Cleanup(r.admin.Close)
	r.startWorkers(log)
	return r
}

func (r *rig) startServers(binary, folder string, database *embedded.Server, log *output) {
	r.t.Helper()
	address, err := url.Parse(database.URL())
	require.NoError(r.t, err)
	socket := filepath.Join(address.Query().Get("host"), ".s.PGSQL."+address.Query().Get("port"))
	for i := range replicaCount {
		behind := *address
		behind.Host, behind.RawQuery = startWire(r.t, i, socket, r.watch).listener.Addr().String(), "sslmode=disable"
		port, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(r.t, err)
		listen := port.Addr().String()
		require.NoError(r.t, port.Close())
		start := func() *exec.Cmd {
			cmd := exec.Command(binary, "serve", "--listen", listen, "--data", filepath.Join(folder, "data"), "--lease", lease.String(), "--lost-grace", "1s", "--log-level", "warn")
			cmd.Stdout, cmd.Stderr, cmd.Env = log, log, append(environment(), "DATABASE_URL="+behind.String())
			return cmd
		}
		p := &process{t: r.t, name: fmt.Sprint("server ", i), start: start, ready: func() bool { return ready(listen) }}
		r.t.Cleanup(p.end)
		r.servers, r.listens = append(r.servers, p), append(r.listens, listen)
		p.up() // the first makes the token
	}
}

func ready(listen string) bool {
	answer, err := http.Get("http://" + listen + "/readyz")
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// environment keeps the settings of whoever runs the tests out of the server.
func environment() (kept []string) {
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "RECOURSE_") && !strings.HasPrefix(entry, "DATABASE_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

func (r *rig) startWorkers(log *output) {
	r.t.Helper()
	self, err := os.Executable()
	require.NoError(r.t, err)
	for i := range workerCount {
		raw, err := json.Marshal(order{Server: r.gate, Token: r.token, Name: workerName(i), Ledger: r.ledger})
		require.NoError(r.t, err)
		p := &process{t: r.t, name: workerName(i), start: func() *exec.Cmd {
			cmd := exec.Command(self)
			cmd.Stdout, cmd.Stderr, cmd.Env = log, log, append(os.Environ(), workerVariable+"="+string(raw))
			return cmd
		}}
		r.t.Cleanup(p.end)
		r.workers = append(r.workers, p)
		p.up()
	}
}

func workerName(i int) string { return fmt.Sprint("worker-", i) }

// kill is what a strike does.
func (r *rig) kill(victim string) func(replica int, worker string) bool {
	return func(replica int, worker string) bool {
		if victim == aServer {
			return r.servers[replica].crash()
		}
		for _, p := range r.workers {
			if p.name == worker {
				return p.crash()
			}
		}
		return false
	}
}
