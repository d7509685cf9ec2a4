//go:build unix

package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/fault"
)

func TestLongPathGetsAShortSocketFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(newFolder(t), strings.Repeat("long-folder-name/", 9), "with, comma and \"quotes\"")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	warm(t, dir)
	srv := start(t, Config{DataDir: dir})
	run := srv.site.run
	if !run.ephemeral || len(filepath.Join(run.path, socketName)) > longestSocket || strings.HasPrefix(run.path, dir) {
		t.Errorf("socket folder %+v", run)
	}
	if info, err := os.Stat(run.path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("socket folder: %v %v", info, err)
	}
	query(t, srv.URL(), "SELECT 1")
	stop(t, srv)
	if _, err := os.Lstat(run.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket folder is left: %v", err)
	}
}

func TestForeignSocketFolderIsRefused(t *testing.T) {
	t.Parallel()
	id, err := runAs()
	if err != nil {
		t.Fatal(err)
	}
	base := newFolder(t)
	elsewhere := filepath.Join(base, "elsewhere")
	for name, plant := range map[string]func(path string) error{
		"link": func(path string) error { return errors.Join(os.Mkdir(elsewhere, 0o755), os.Symlink(elsewhere, path)) },
		"file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"other user's": func(path string) error {
			if !id.drop {
				return os.WriteFile(path, nil, 0o600) // only root can make one
			}
			return errors.Join(os.Mkdir(path, 0o700), os.Chown(path, 12345, 12345))
		},
	} {
		run := runDir{path: filepath.Join(base, name), ephemeral: true}
		if err := plant(run.path); err != nil {
			t.Fatal(err)
		}
		if err := run.make(id); !errors.Is(err, ErrForeignFolder) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Stat(elsewhere); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the link's target was changed: %v %v", info, err)
	}
}

// snapshot lists every file with its content, mode and time.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var data []byte
		if e.Type().IsRegular() {
			data, err = os.ReadFile(path)
		}
		b.WriteString(path + info.Mode().String() + info.ModTime().String() + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestClusterOfAnotherMajorIsUntouched(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	other := filepath.Join(dir, "pg99")
	if err := errors.Join(os.Mkdir(other, 0o700), os.WriteFile(filepath.Join(other, "PG_VERSION"), []byte("99\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, other)
	_, err := Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
	if !errors.Is(err, ErrOtherMajor) || !strings.Contains(err.Error(), "pg99") || !strings.Contains(err.Error(), PrefixVariable) {
		t.Errorf("the fault does not say what to do: %v", err)
	}
	if f := fault.From(err); f.Metadata["version"] != "99" {
		t.Errorf("metadata %v", f.Metadata)
	}
	if after := snapshot(t, other); after != before {
		t.Error("the folder was changed")
	}
	// With a cluster of its own beside it, a start is no longer ambiguous.
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Fatal(err)
	}
	warm(t, dir)
	query(t, start(t, Config{DataDir: dir}).URL(), "SELECT 1")
	if after := snapshot(t, other); after != before {
		t.Error("the folder was changed by a start beside it")
	}
}

func TestFolderThatIsNoClusterIsRefused(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	cluster := clusterIn(t, dir)
	for name, plant := range map[string]func() error{
		"wrong version": func() error { return os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("13\n"), 0o600) },
		"no version":    func() error { return os.Remove(filepath.Join(cluster, "PG_VERSION")) },
	} {
		if err := plant(); err != nil {
			t.Fatal(err)
		}
		if _, err := Start(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()}); !errors.Is(err, ErrForeignFolder) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(cluster, "global")); err != nil {
			t.Errorf("%s: the folder was changed: %v", name, err)
		}
	}
}

func TestLostPasswordIsReplaced(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	srv := start(t, Config{DataDir: dir})
	query(t, srv.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	stop(t, srv)
	for name, lose := range map[string]func(path string) error{
		"missing":  os.Remove,
		"truncate": func(path string) error { return os.Truncate(path, 0) },
		"edited":   func(path string) error { return os.WriteFile(path, []byte("it's me\n"), 0o600) },
	} {
		if err := lose(filepath.Join(dir, "password")); err != nil {
			t.Fatal(err)
		}
		again := start(t, Config{DataDir: dir})
		if got := query(t, again.URL(), "SELECT answer FROM kept"); got != "42" {
			t.Errorf("%s: answer %s", name, got)
		}
		if again.URL() == srv.URL() {
			t.Errorf("%s: the password is the old one", name)
		}
		stop(t, again)
	}
}

func TestUnfinishedClusterIsSweptAway(t *testing.T) {
	t.Parallel()
	dir := warmFolder(t)
	left := filepath.Join(dir, "pg15.new-123")
	if err := errors.Join(os.Mkdir(left, 0o700), os.WriteFile(filepath.Join(left, "PG_VERSION"), []byte("15\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := Initialize(t.Context(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
	query(t, start(t, Config{DataDir: dir}).URL(), "SELECT 1")
}

func TestDataFolderBehindAClosedOne(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(newFolder(t), "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{DataDir: filepath.Join(closed, "data"), Logger: quiet()})
	f := fault.From(err)
	if f.Kind != fault.FailedPrecondition || !strings.HasPrefix(f.Metadata["folder"], closed) {
		t.Errorf("the fault does not name %s: %v", closed, err)
	}
	if os.Getuid() != 0 {
		return // an ordinary user cannot write there; the rest is about root's other user
	}
	if f.Metadata["folder"] != closed || f.Metadata["user"] == "" {
		t.Errorf("the fault does not say who cannot enter what: %v", f.Metadata)
	}
	// A data folder that is itself closed is opened for passing only.
	if err := errors.Join(os.RemoveAll(filepath.Join(closed, "data")), os.Chmod(closed, 0o700)); err != nil {
		t.Fatal(err)
	}
	warm(t, closed)
	srv := start(t, Config{DataDir: closed})
	if info, err := os.Stat(closed); err != nil || info.Mode().Perm() != 0o701 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	query(t, srv.URL(), "SELECT 1")
}
