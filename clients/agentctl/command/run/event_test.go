package run

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
)

// What the command of --on-event started ends with it when its time is over.
func TestAnEventCommandIsEndedWithAllThatItStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var told strings.Builder
	s := newStatus(&cli.Invocation{Err: &told, Dir: dir, Environ: os.Environ()}, false, "sleep 600 & echo $! > child; wait")
	s.eventLimit = time.Second
	s.event(supervisor.Notice{Kind: supervisor.NoticeSucceeded, WakeupID: "w"})
	if !strings.Contains(told.String(), `the command of --on-event failed at "success"`) {
		t.Errorf("told %q", told.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if state, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")); err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("process %d goes on", pid)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
