package run

import (
	"os"
	"path/filepath"
	"runtime"
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
	// It has been killed; when the system carries that out is the system's.
	deadline := time.Now().Add(10 * time.Second)
	for !over(pid) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d goes on", pid)
		}
		runtime.Gosched()
	}
}

// over says that a process has ended, whether or not somebody has asked how.
func over(pid int) bool {
	state, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || strings.Contains(string(state), ") Z ")
}
