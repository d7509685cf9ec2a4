//go:build unix

package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// plant makes a folder with programs that only print a version.
func plant(t *testing.T, dir, version string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "initdb"), []byte("#!/bin/sh\n"), 0o755),
		os.WriteFile(filepath.Join(dir, "postgres"), []byte("#!/bin/sh\necho '"+version+"'\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLocateTakesTheFirstThatFits(t *testing.T) {
	t.Parallel()
	base := newFolder(t)
	id, err := runAs()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name, version string) string { return plant(t, filepath.Join(base, name), version) }
	pg18 := at("18", "postgres (PostgreSQL) 18.4")
	pg15 := at("15", "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)")
	beta := at("beta", "postgres (PostgreSQL) 19beta1")
	old := at("old", "postgres (PostgreSQL) 13.9")
	odd := at("odd", "postgresql 15")
	half := at("half", "postgres (PostgreSQL) 15.1")
	fails := at("fails", "x")
	if err := errors.Join(os.Remove(filepath.Join(half, "initdb")),
		os.WriteFile(filepath.Join(fails, "postgres"), []byte("#!/bin/sh\necho missing libssl >&2\nexit 127\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	absent := filepath.Join(base, "absent")
	for name, c := range map[string]struct {
		folders, majors []string
		want            string // folder, or a part of the error
		cause           error
	}{
		"first":                   {folders: []string{pg18, pg15}, want: pg18},
		"the one of the cluster":  {folders: []string{pg18, pg15}, majors: []string{"15"}, want: pg15},
		"any of two clusters":     {folders: []string{beta, pg18, pg15}, majors: []string{"15", "18"}, want: pg18},
		"beta":                    {folders: []string{beta}, want: beta},
		"unusable ones are left":  {folders: []string{absent, old, odd, half, fails, pg15}, want: pg15},
		"none fits the cluster":   {folders: []string{pg18, old}, majors: []string{"15"}, want: "PostgreSQL 15", cause: ErrOtherMajor},
		"nothing":                 {want: "apt-get install postgresql", cause: ErrNoBinaries},
		"says what it looked at":  {folders: []string{absent}, want: absent + ": no initdb", cause: ErrNoBinaries},
		"says what is too old":    {folders: []string{old}, want: "older than 14", cause: ErrNoBinaries},
		"says what does not run":  {folders: []string{fails}, want: "missing libssl", cause: ErrNoBinaries},
		"says what answers oddly": {folders: []string{odd}, want: `"postgresql 15"`, cause: ErrNoBinaries},
	} {
		got, err := locate(t.Context(), id, c.folders, c.majors, base)
		if c.cause == nil && (err != nil || got.Dir != c.want) {
			t.Errorf("%s: %q, %v; want %s", name, got.Dir, err, c.want)
		}
		if c.cause != nil && (!errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

func TestLocateStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Locate(ctx, Config{DataDir: newFolder(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
}

// It sets variables of the process, so that it cannot run in parallel.
func TestSearchOrder(t *testing.T) {
	base := newFolder(t)
	onPath := plant(t, filepath.Join(base, "path"), "x")
	t.Setenv("PATH", strings.Join([]string{"relative", filepath.Join(base, "nothing"), onPath, onPath}, string(os.PathListSeparator)))
	t.Setenv(PrefixVariable, "")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(base, "root")
	got := searchFolders(Config{ToolRoots: []string{root}})
	rank := -1
	for _, want := range []string{
		filepath.Join(filepath.Dir(exe), "pg", "bin"),
		onPath,
		npmFolder(filepath.Join(filepath.Dir(filepath.Dir(exe)), "tools", "pg", "node_modules")),
		npmFolder(filepath.Join(wd, "tools", "pg", "node_modules")),
		npmFolder(filepath.Join(wd, "clients", "web", "node_modules")),
		npmFolder(filepath.Join(root, "tools", "pg", "node_modules")),
	} {
		at := slices.Index(got, want)
		if at <= rank {
			t.Errorf("%s is at place %d, after %d, of %v", want, at, rank, got)
		}
		rank = at
	}
	if slices.Contains(got, "relative") || slices.Contains(got, filepath.Join(base, "nothing")) {
		t.Errorf("a useless folder of PATH is searched: %v", got)
	}
	t.Setenv(PrefixVariable, base)
	if got := searchFolders(Config{}); got[0] != filepath.Join(base, "bin") || slices.Contains(got, onPath) {
		t.Errorf("with a prefix: %v", got)
	}
	if got := searchFolders(Config{BinDir: onPath}); !slices.Equal(got, []string{onPath}) {
		t.Errorf("with a folder: %v", got)
	}
}

func TestNewestInstalledVersionComesFirst(t *testing.T) {
	t.Parallel()
	got := newestFirst([]string{
		"/usr/lib/postgresql/9.6/bin", "/usr/lib/postgresql/15/bin", "/usr/pgsql-18/bin", "/opt/homebrew/opt/postgresql@100/bin", "/opt/none/bin",
	})
	want := []string{
		"/opt/homebrew/opt/postgresql@100/bin", "/usr/pgsql-18/bin", "/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/9.6/bin", "/opt/none/bin",
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %v", got)
	}
	for _, pattern := range installedPatterns {
		if _, err := filepath.Match(pattern, "/"); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}
