//go:build unix

package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

func clusterIn(t *testing.T, dir string) string {
	t.Helper()
	majors, err := clusterMajors(dir)
	if err != nil || len(majors) != 1 {
		t.Fatalf("clusters %v: %v", majors, err)
	}
	return filepath.Join(dir, "pg"+majors[0])
}

func TestColdStartServesAndWarmStartKeepsData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(newFolder(t), "data")
	began := time.Now()
	srv := start(t, Config{DataDir: dir, Settings: map[string]string{}})
	t.Logf("cold start %s", time.Since(began).Round(time.Millisecond))
	query(t, srv.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	began = time.Now()
	stop(t, srv)
	t.Logf("stop %s", time.Since(began).Round(time.Millisecond))
	if err := srv.Err(); err != nil {
		t.Errorf("Err after an orderly stop: %v", err)
	}
	began = time.Now()
	again := start(t, Config{DataDir: dir, Settings: map[string]string{}})
	t.Logf("warm start %s", time.Since(began).Round(time.Millisecond))
	if got := query(t, again.URL(), "SELECT answer FROM kept"); got != "42" {
		t.Errorf("answer %s", got)
	}
	if again.URL() != srv.URL() {
		t.Error("the URL changed between two starts on one folder")
	}
}

func TestServerIsDurableAndPrivate(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	srv := start(t, Config{DataDir: dir, Settings: map[string]string{"max_connections": "23"}})
	for setting, want := range map[string]string{
		"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "data_checksums": "on", "max_connections": "23",
		"listen_addresses": "", "unix_socket_permissions": "0700", "server_encoding": "UTF8", "TimeZone": "UTC",
	} {
		if got := query(t, srv.URL(), "SELECT current_setting('"+setting+"', true)"); got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	if got := query(t, srv.URL(), "SELECT datcollate FROM pg_database WHERE datname = current_database()"); got != "C" {
		t.Errorf("collation %q", got)
	}
	for _, folder := range []string{clusterIn(t, dir), filepath.Join(dir, "run")} {
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: mode %v, %v", folder, info.Mode(), err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "password")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("password file: %v", err)
	}
	password := srv.site.password
	_, err := tryQuery(t.Context(), strings.Replace(srv.URL(), password, strings.Repeat("0", len(password)), 1), "SELECT 1")
	if err == nil || !strings.Contains(err.Error(), "28P01") {
		t.Errorf("a wrong password: %v", err)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	first := start(t, Config{DataDir: dir})
	_, err := Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
	if !errors.Is(err, ErrInUse) || !fault.Is(err, fault.ReasonDatabaseUnavailable) {
		t.Fatalf("second start: %v", err)
	}
	if f := fault.From(err); f.Metadata["pid"] != strconv.Itoa(os.Getpid()) || f.Kind != fault.FailedPrecondition {
		t.Errorf("fault %+v does not name the holder", f)
	}
	if got := query(t, first.URL(), "SELECT 1"); got != "1" {
		t.Errorf("the first server answers %s", got)
	}
	stop(t, first)
	start(t, Config{DataDir: dir})
}

func TestOneOfManyStartersWins(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	type outcome struct {
		srv *Server
		err error
	}
	outcomes := make(chan outcome)
	for range 4 {
		go func() {
			srv, err := Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
			outcomes <- outcome{srv, err}
		}()
	}
	var winners []*Server
	for range 4 {
		o := <-outcomes
		if o.err == nil {
			winners = append(winners, o.srv)
			t.Cleanup(func() { _ = o.srv.Stop(context.Background()) })
		} else if !errors.Is(o.err, ErrInUse) {
			t.Errorf("a loser got %v", o.err)
		}
	}
	if len(winners) != 1 {
		t.Fatalf("%d starters won", len(winners))
	}
	query(t, winners[0].URL(), "SELECT 1")
}

func TestStopWithoutTimeLosesNothing(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	srv := start(t, Config{DataDir: dir})
	query(t, srv.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	// The postmaster may win the race and stop in good order; both are fine.
	if err := srv.Stop(ended); err != nil && fault.From(err).Kind != fault.DeadlineExceeded {
		t.Errorf("hurried stop: %v", err)
	}
	again := start(t, Config{DataDir: dir})
	if got := query(t, again.URL(), "SELECT answer FROM kept"); got != "42" {
		t.Errorf("answer %s", got)
	}
	stop(t, again)
	if err := again.Stop(t.Context()); err != nil {
		t.Errorf("second stop: %v", err)
	}
}

func TestCancelledStartLeavesNothingHalfDone(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	for _, after := range []time.Duration{0, 50 * time.Millisecond, 400 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		srv, err := Start(ctx, Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
		cancel()
		if err == nil { // a fast machine
			stop(t, srv)
			continue
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "pg*.new-*")); len(left) != 0 && after == 0 {
			t.Errorf("left %v", left)
		}
	}
	query(t, start(t, Config{DataDir: dir}).URL(), "SELECT 1")
	if left, _ := filepath.Glob(filepath.Join(dir, "pg*.new-*")); len(left) != 0 {
		t.Errorf("a start left %v", left)
	}
}

func TestStartThatTakesTooLongIsGivenUp(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	_, err := Start(t.Context(), Config{DataDir: dir, StartTimeout: time.Nanosecond, Logger: quiet()})
	if f := fault.From(err); f.Kind != fault.DeadlineExceeded || f.Metadata["limit"] != "1ns" {
		t.Errorf("start: %v", err)
	}
	if pids := clusterProcesses(clusterIn(t, dir)); len(pids) != 0 {
		t.Errorf("it left the processes %v", pids)
	}
	start(t, Config{DataDir: dir})
}

func TestInvalidConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]Config{
		"no folder":    {},
		"TCP listener": {DataDir: newFolder(t), Settings: map[string]string{"listen_addresses": "*"}},
		"other socket": {DataDir: newFolder(t), Settings: map[string]string{"unix_socket_directories": "/tmp"}},
	} {
		if _, err := Start(t.Context(), cfg); fault.From(err).Kind != fault.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Start(t.Context(), Config{DataDir: warmFolder(t), Settings: map[string]string{"no_such_setting": "1"}, Logger: quiet()})
	if err == nil || !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("the log of a failed start is missing: %v", err)
	}
}
