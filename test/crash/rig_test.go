package crash

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/url"
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
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/storage/embedded"
)

// rig is a PostgreSQL, replicas of the server on it, and workers; each of them
// may be killed. Between them stand a wire and a gate.
type rig struct {
	t        *testing.T
	postgres *embedded.Server
	wire     *wire
	gate     *gate
	replicas []*replica
	admin    *client.Client // through the gate
	token    string
	ledger   string
	restarts sync.WaitGroup
}

// replica is one server process, and how to start it.
type replica struct {
	listen string
	start  func() (*exec.Cmd, error)
	mu     sync.Mutex
	cmd    *exec.Cmd
	gone   chan struct{}
}

// leaseOfRig is longer than a restart takes, and short enough to wait for.
const leaseOfRig = "4s"

func bootRig(t *testing.T, replicas int) *rig {
	t.Helper()
	// As root the database runs as another user, who must get in.
	folder, err := os.MkdirTemp("", "recourse-rig-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	require.NoError(t, os.Chmod(folder, 0o755))
	r := &rig{t: t, ledger: filepath.Join(folder, "ledger.jsonl")}
	r.postgres, err = embedded.Start(t.Context(), embedded.Config{DataDir: filepath.Join(folder, "pg"), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = r.postgres.Stop(now) // at once: its folder goes too
	})
	address, err := url.Parse(r.postgres.URL())
	require.NoError(t, err)
	r.wire = startWire(t, filepath.Join(address.Query().Get("host"), ".s.PGSQL."+address.Query().Get("port")))
	address.Host, address.RawQuery = r.wire.listener.Addr().String(), "sslmode=disable"
	log := &output{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(log.String())
		}
	})
	var listens []string
	for range replicas {
		p := r.replica(folder, address.String(), log)
		listens = append(listens, p.listen)
		r.replicas = append(r.replicas, p)
		r.up(p)
	}
	token, err := os.ReadFile(filepath.Join(folder, "data", "admin-token"))
	require.NoError(t, err)
	r.token = strings.TrimSpace(string(token))
	r.gate = startGate(t, listens)
	r.admin, err = client.New(r.gate.url, r.token)
	require.NoError(t, err)
	t.Cleanup(r.admin.Close)
	return r
}

func (r *rig) replica(folder, database string, log *output) *replica {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(r.t, err)
	p := &replica{listen: port.Addr().String()}
	require.NoError(r.t, port.Close())
	p.start = func() (*exec.Cmd, error) {
		cmd := exec.Command(binary, "serve", "--listen", p.listen, "--data", filepath.Join(folder, "data"), "--lease", leaseOfRig, "--lost-grace", "1s")
		cmd.Stdout, cmd.Stderr = log, log
		cmd.Env = append(environment(), "DATABASE_URL="+database)
		return cmd, cmd.Start()
	}
	r.t.Cleanup(func() {
		r.restarts.Wait()
		p.kill()
	})
	return p
}

// up starts a replica and waits until it is ready.
func (r *rig) up(p *replica) {
	cmd, err := p.start()
	if err != nil {
		r.t.Errorf("start a replica: %v", err)
		return
	}
	gone := make(chan struct{})
	go func() { _ = cmd.Wait(); close(gone) }()
	p.mu.Lock()
	p.cmd, p.gone = cmd, gone
	p.mu.Unlock()
	for ctx := r.t.Context(); ctx.Err() == nil; pause(ctx, waitStep) {
		answer, err := http.Get("http://" + p.listen + "/readyz")
		if err == nil {
			_ = answer.Body.Close()
		}
		if err == nil && answer.StatusCode == http.StatusOK {
			return
		}
		select {
		case <-gone:
			r.t.Error("a replica ended by itself")
			return
		default:
		}
	}
}

// kill is SIGKILL; it returns once the process is gone.
func (p *replica) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.gone
}

// crash kills a replica, and starts it again meanwhile.
func (r *rig) crash(p *replica) {
	p.kill()
	r.restarts.Go(func() { r.up(p) })
}

// begin makes a wakeup; a caller that heard nothing asks again.
func (r *rig) begin(id string) string {
	r.t.Helper()
	answer, _, err := call(r.t.Context(), func(ctx context.Context) (*recoursev1.BeginPromptResponse, error) {
		return r.admin.Recovery.BeginPrompt(ctx, beginRequest(id))
	})
	require.NoError(r.t, err)
	return answer.GetWakeup().GetWakeupId()
}

func (r *rig) order(wakeupID, supervisor string) workOrder {
	return workOrder{Server: r.gate.url, Token: r.token, Wakeup: wakeupID, Supervisor: supervisor, Ledger: r.ledger}
}

// process starts a worker as a process of its own.
func (r *rig) process(o workOrder) *exec.Cmd {
	r.t.Helper()
	raw, err := json.Marshal(o)
	require.NoError(r.t, err)
	self, err := os.Executable()
	require.NoError(r.t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), workerVariable+"="+string(raw))
	require.NoError(r.t, cmd.Start())
	return cmd
}

func (r *rig) wakeup(id string) *recoursev1.Wakeup {
	answer, _, err := call(r.t.Context(), func(ctx context.Context) (*recoursev1.GetWakeupResponse, error) {
		return r.admin.Recovery.GetWakeup(ctx, &recoursev1.GetWakeupRequest{WakeupId: id})
	})
	require.NoError(r.t, err)
	return answer.GetWakeup()
}

func (r *rig) runs(id string) []*recoursev1.Run {
	answer, _, err := call(r.t.Context(), func(ctx context.Context) (*recoursev1.ListRunsResponse, error) {
		return r.admin.Recovery.ListRuns(ctx, &recoursev1.ListRunsRequest{WakeupId: id, PageSize: 100})
	})
	require.NoError(r.t, err)
	return answer.GetRuns()
}

// finish works on wakeups until each has ended, or is a person's.
func (r *rig) finish(ids []string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience+time.Duration(len(ids))*time.Second/4)
	defer cancel()
	var done sync.WaitGroup
	for _, id := range ids {
		done.Go(func() {
			for ctx.Err() == nil && !ended(r.wakeup(id)) {
				if _, err := r.order(id, "finisher").work(ctx); err != nil && ctx.Err() == nil {
					r.t.Error(err)
				}
				pause(ctx, waitStep)
			}
		})
	}
	done.Wait()
	require.NoError(r.t, ctx.Err(), "the work does not end")
}

func ended(w *recoursev1.Wakeup) bool {
	switch w.GetStatus() {
	case recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED, recoursev1.WakeupStatus_WAKEUP_STATUS_FAILED, recoursev1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		return true
	}
	return false
}
