//go:build unix

package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	socketName = ".s.PGSQL.5432"
	// longestSocket is the length in bytes that every system accepts: macOS
	// takes 103, Linux 107.
	longestSocket = 103
)

// runDir is the private folder of the socket.
type runDir struct {
	path      string
	ephemeral bool // outside the data folder: removed at stop
}

// chooseRunDir prefers the data folder and leaves it when the socket's address
// would be too long, or when the path has a character that splits PostgreSQL's
// list of folders.
func chooseRunDir(dataDir string, id identity) (runDir, error) {
	if path := filepath.Join(dataDir, "run"); fitsSocket(path) {
		return runDir{path: path}, nil
	}
	sum := sha256.Sum256([]byte(dataDir))
	name := "recourse-" + strconv.Itoa(id.uid) + "-" + hex.EncodeToString(sum[:6])
	for _, base := range shortBases(id) {
		if path := filepath.Join(base, name); fitsSocket(path) {
			if info, err := os.Stat(base); err == nil && info.IsDir() {
				return runDir{path: path, ephemeral: true}, nil
			}
		}
	}
	return runDir{}, refuse(nil, "no folder is short enough for the socket of PostgreSQL; name a data folder of fewer than %d bytes",
		longestSocket-len("/run/"+socketName))
}

// shortBases are where a short folder may be made. Those of root's own session
// are closed to the user that root hands PostgreSQL to.
func shortBases(id identity) []string {
	if id.drop {
		return []string{"/tmp"}
	}
	var bases []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		bases = append(bases, dir)
	}
	return append(bases, os.TempDir(), "/tmp")
}

func fitsSocket(dir string) bool {
	return len(filepath.Join(dir, socketName)) <= longestSocket && !strings.ContainsAny(dir, "\", ")
}

// make creates the folder, or takes over the one of an earlier run. In a
// shared place anyone may have made a folder of that name first: one that is
// not ours is refused.
func (r runDir) make(id identity) error {
	err := os.Mkdir(r.path, 0o700)
	if err != nil && !errors.Is(err, os.ErrExist) {
		return refuse(err, "cannot make the socket folder %s", r.path).With("folder", r.path)
	}
	info, err := os.Lstat(r.path)
	if err != nil {
		return broken(err, "cannot read the socket folder %s", r.path).With("folder", r.path)
	}
	ours := owner(info) == id.uid || owner(info) == os.Geteuid() || !r.ephemeral
	if !info.IsDir() || !ours {
		return refuse(ErrForeignFolder, "the socket folder %s belongs to someone else; remove it", r.path).With("folder", r.path)
	}
	if err := errors.Join(os.Chmod(r.path, 0o700), id.own(r.path)); err != nil {
		return broken(err, "cannot protect the socket folder %s", r.path).With("folder", r.path)
	}
	return nil
}

// clear removes what a dead postmaster left. Its lock file names a process id
// that may be someone else's by now, and PostgreSQL would believe it.
func (r runDir) clear() {
	_ = os.Remove(filepath.Join(r.path, socketName))
	_ = os.Remove(filepath.Join(r.path, socketName+".lock"))
}

// remove takes an ephemeral folder away.
func (r runDir) remove() {
	if r.ephemeral {
		r.clear()
		_ = os.Remove(r.path)
	}
}
