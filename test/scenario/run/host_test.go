package run

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/server/servertest"
)

// host is a machine of the test's own: a working folder, a journal, an
// environment, and perhaps a server to talk to.
type host struct {
	dir  string
	role string
	env  []string
}

func newHost(t *testing.T, s *servertest.Server) *host {
	t.Helper()
	h := &host{dir: t.TempDir(), role: roleFast}
	state := filepath.Join(h.dir, "state")
	h.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "XDG_STATE_HOME=" + state, "TZ=Europe/Berlin",
		"RECOURSE_DATA=" + filepath.Join(h.dir, "no-server"), "GORACE=halt_on_error=1",
	}
	if s != nil {
		h.env = append(h.env, "AGENTCTL_SERVER="+s.URL, "AGENTCTL_TOKEN="+s.AdminToken)
	}
	return h
}

// act is one attempt of a scripted agent.
type act struct {
	out   string // on standard output
	err   string // on standard error
	code  int
	sleep bool // goes on for ever after that, until a signal ends it
}

// agent writes a program that plays one act an attempt, the last one again and
// again. It notes its arguments and its standard input.
func (h *host) agent(t *testing.T, name string, acts ...act) string {
	t.Helper()
	home := filepath.Join(h.dir, name+".home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	fmt.Fprintf(&script, "#!/bin/sh\ncd '%s' || exit 99\n", home)
	script.WriteString("n=$(cat count 2>/dev/null || echo 0); n=$((n+1)); echo $n > count\n")
	script.WriteString("for a in \"$@\"; do printf '%s|' \"$a\" >> args; done; echo >> args\n")
	script.WriteString("cat > stdin.$n\nenv > env.$n\n")
	for i, a := range acts {
		for stream, text := range map[string]string{"out": a.out, "err": a.err} {
			if err := os.WriteFile(filepath.Join(home, fmt.Sprintf("%s.%d", stream, i+1)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		test := fmt.Sprintf("[ $n -eq %d ]", i+1)
		if i == len(acts)-1 {
			test = "true"
		}
		end := fmt.Sprintf("exit %d", a.code)
		if a.sleep {
			// Until it is ended, or its test has left and taken the folder along.
			end = "while [ -e count ]; do sleep 0.05; done"
		}
		fmt.Fprintf(&script, "if %s; then cat out.%d; cat err.%d >&2; %s; fi\n", test, i+1, i+1, end)
	}
	path := filepath.Join(h.dir, name)
	if err := child.WriteProgram(path, script.String()); err != nil {
		t.Fatal(err)
	}
	return "./" + name
}

// attempts are the command lines that the agent was given.
func (h *host) attempts(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.dir, name+".home", "args"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

func (h *host) read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{h.dir}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (h *host) write(t *testing.T, name, text string) {
	t.Helper()
	if err := child.WriteProgram(filepath.Join(h.dir, name), text); err != nil {
		t.Fatal(err)
	}
}

// process is a running agentctl.
type process struct {
	cmd      *exec.Cmd
	out, err lockedBuffer
	ended    chan struct{}
}

func (h *host) start(t *testing.T, stdin string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(self, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = h.dir, append([]string{roleVariable + "=" + h.role}, h.env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(stdin), &p.out, &p.err
	p.cmd.WaitDelay = 5 * time.Second
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	})
	return p
}

// result is how agentctl ended.
type result struct {
	out, err string
	code     int
}

// limit is how long anything in these tests may take.
const limit = 60 * time.Second

func (p *process) wait(t *testing.T) result {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(limit):
		t.Fatalf("agentctl has not ended; it said:\n%s", p.err.String())
	}
	return result{out: p.out.String(), err: p.err.String(), code: p.cmd.ProcessState.ExitCode()}
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func (h *host) run(t *testing.T, args ...string) result {
	t.Helper()
	return h.start(t, "", args...).wait(t)
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("this did not happen in time: %s", what)
		case <-tick.C:
		}
	}
}

// wakeups are the ids in the journal.
func (h *host) wakeups(t *testing.T) []string {
	t.Helper()
	folders, err := os.ReadDir(filepath.Join(h.dir, "state", "recourse", "agentctl", "wakeups"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range folders {
		ids = append(ids, f.Name())
	}
	return ids
}

func (h *host) journal(t *testing.T, id string) string {
	t.Helper()
	return h.read(t, "state", "recourse", "agentctl", "wakeups", id, "log.jsonl")
}

// want checks the exit code and what standard error must say.
func (r result) want(t *testing.T, code int, says ...string) {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d; stdout:\n%s\nstderr:\n%s", r.code, code, r.out, r.err)
	}
	for _, text := range says {
		if !strings.Contains(r.err, text) {
			t.Errorf("standard error does not say %q:\n%s", text, r.err)
		}
	}
}

// lockedBuffer may be written by a process and read by the test at once.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
