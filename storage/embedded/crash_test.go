//go:build unix

package embedded

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestKilledParentTakesPostgreSQLWithIt(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	p := startProcess(t, dir)
	query(t, p.url, "CREATE TABLE kept AS SELECT 42 AS answer")
	cluster := clusterIn(t, dir)
	if !runsCluster(p.postmaster, cluster) {
		t.Fatal("the postmaster is not seen to run")
	}
	p.kill(t)
	eventually(t, "PostgreSQL outlives its parent", func() bool { return len(clusterProcesses(cluster)) == 0 })
	srv := start(t, Config{DataDir: dir})
	if got := query(t, srv.URL(), "SELECT answer FROM kept"); got != "42" {
		t.Errorf("answer %s", got)
	}
}

func TestStartRightAfterAKilledParentWaits(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	p := startProcess(t, dir)
	query(t, p.url, "CREATE TABLE kept AS SELECT 0 AS answer")
	for round := range 3 {
		query(t, p.url, "UPDATE kept SET answer = answer + 1")
		p.kill(t)
		next := startProcess(t, dir) // the old postmaster is still stopping
		if got := query(t, next.url, "SELECT answer FROM kept"); got != strconv.Itoa(round+1) {
			t.Fatalf("round %d: answer %s", round, got)
		}
		p = next
	}
}

func TestOrphanOfAnEarlierServerIsStopped(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	first := start(t, Config{DataDir: dir})
	cluster, orphan := clusterIn(t, dir), first.site
	stop(t, first)
	// A postmaster on our own socket folder without a server above it.
	cmd := orphan.id.command(0, cluster, orphan.bin.path("postgres"), append([]string{"-D", cluster}, settingArgs(orphan.cfg, orphan.run)...)...)
	postmaster, err := spawn(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { postmaster.signal(syscall.SIGKILL); <-postmaster.exited })
	eventually(t, "the orphan starts", func() bool { f, ok := readPidFile(cluster); return ok && f.ready })
	srv := start(t, Config{DataDir: dir})
	<-postmaster.exited
	query(t, srv.URL(), "SELECT 1")
}

func TestPostgreSQLStartedByHandIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	first := start(t, Config{DataDir: dir})
	cluster, s := clusterIn(t, dir), first.site
	stop(t, first)
	elsewhere := runDir{path: filepath.Join(newFolder(t), "s")}
	if err := elsewhere.make(s.id); err != nil {
		t.Fatal(err)
	}
	postmaster, err := spawn(s.id.command(syscall.SIGQUIT, cluster, s.bin.path("postgres"), append([]string{"-D", cluster}, settingArgs(s.cfg, elsewhere)...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { postmaster.signal(syscall.SIGQUIT); <-postmaster.exited })
	eventually(t, "it starts", func() bool { f, ok := readPidFile(cluster); return ok && f.ready })
	_, err = Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), strconv.Itoa(postmaster.pid())) {
		t.Errorf("start beside it: %v", err)
	}
	if !runsCluster(postmaster.pid(), cluster) {
		t.Error("it was stopped")
	}
}

func TestKilledPostmasterIsStartedAgain(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	srv := start(t, Config{DataDir: dir})
	query(t, srv.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	// A backend that is busy does not notice that its postmaster died.
	conn, err := pgx.Connect(t.Context(), srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	busy := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b")
		busy <- err
	}()
	eventually(t, "the query runs", func() bool {
		got, err := tryQuery(t.Context(), srv.URL(), "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%1000000%' AND pid <> pg_backend_pid()")
		return err == nil && got == "1"
	})
	killed := srv.PID()
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a new postmaster", func() bool { return srv.PID() != killed })
	if err := <-busy; err == nil {
		t.Error("the query of the killed server succeeded")
	}
	_ = conn.Close(t.Context())
	if got := query(t, srv.URL(), "SELECT answer FROM kept"); got != "42" {
		t.Errorf("answer %s", got)
	}
	stop(t, srv)
}

func TestPostmasterThatKeepsDyingIsGivenUp(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	srv := start(t, Config{DataDir: dir})
	for range restartLimit + 1 {
		killed := srv.PID()
		if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a new postmaster or none", func() bool {
			select {
			case <-srv.Done():
				return true
			default:
				return srv.PID() != killed
			}
		})
	}
	<-srv.Done()
	if err := srv.Err(); err == nil || !strings.Contains(err.Error(), "died") {
		t.Errorf("Err: %v", err)
	}
	if pids := clusterProcesses(clusterIn(t, dir)); len(pids) != 0 {
		t.Errorf("it left the processes %v", pids)
	}
	if err := srv.Stop(t.Context()); !errors.Is(err, srv.Err()) {
		t.Errorf("Stop hides why it is gone: %v", err)
	}
}

func TestBothKilledAtOnceIsRecovered(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	p := startProcess(t, dir)
	query(t, p.url, "CREATE TABLE kept AS SELECT 42 AS answer")
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it must not restart PostgreSQL
		t.Fatal(err)
	}
	if err := syscall.Kill(p.postmaster, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.kill(t)
	srv := start(t, Config{DataDir: dir})
	if got := query(t, srv.URL(), "SELECT answer FROM kept"); got != "42" {
		t.Errorf("answer %s", got)
	}
}

// sleeper is a living process of the user PostgreSQL runs as, so that
// PostgreSQL may signal it and takes it for a postmaster.
func sleeper(t *testing.T) int {
	t.Helper()
	id, err := runAs()
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	c, err := spawn(id.command(syscall.SIGKILL, "/", path, "600"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.signal(syscall.SIGKILL); <-c.exited })
	return c.pid()
}

func TestRemnantsOfACrashDoNotStopAStart(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	stop(t, start(t, Config{DataDir: dir}))
	cluster, run := clusterIn(t, dir), filepath.Join(dir, "run")
	living := strconv.Itoa(sleeper(t))
	rest := "\n" + cluster + "\n1700000000\n5432\n" + run + "\n\n  5432001         0\nready   \n"
	for name, content := range map[string]string{
		"dead process":             "4194303" + rest,
		"number of a living one":   living + rest,
		"single-user mode":         "-" + living + rest,
		"this very process":        strconv.Itoa(os.Getpid()) + rest,
		"only a number":            living,
		"empty":                    "",
		"cut short":                "\n",
		"garbage":                  "\x00\xff not a number\n\n",
		"number too big to be one": "99999999999999999999" + rest,
	} {
		if err := os.WriteFile(pidPath(cluster), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{socketName, socketName + ".lock"} {
			if err := os.WriteFile(filepath.Join(run, path), []byte(living+rest), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		// The files of a real crash belong to the user PostgreSQL runs as.
		if id, _ := runAs(); id.own(pidPath(cluster)) != nil {
			t.Fatal("cannot give the file away")
		}
		srv, err := Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		query(t, srv.URL(), "SELECT 1")
		stop(t, srv)
	}
}
