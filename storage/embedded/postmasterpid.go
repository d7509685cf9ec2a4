//go:build unix

package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long an orphaned postmaster gets to finish a fast shutdown (it writes a
// checkpoint), and then an immediate one.
const (
	orphanFastStop      = 30 * time.Second
	orphanImmediateStop = 10 * time.Second
	survivorStop        = 10 * time.Second // for the helpers of a dead postmaster
)

// pidFile is what postmaster.pid says; PostgreSQL fixes its lines.
type pidFile struct {
	pid       int
	socketDir string
	ready     bool // it accepts connections
}

func pidPath(cluster string) string { return filepath.Join(cluster, "postmaster.pid") }

// readPidFile reads postmaster.pid; ok is false when there is none, or none
// that names a process.
func readPidFile(cluster string) (f pidFile, ok bool) {
	data, err := os.ReadFile(pidPath(cluster))
	if err != nil {
		return pidFile{}, false
	}
	lines := strings.Split(string(data), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid == 0 {
		return pidFile{}, false
	}
	f.pid = max(pid, -pid) // single-user mode writes it negative
	if len(lines) > 4 {
		f.socketDir = lines[4]
	}
	if len(lines) > 7 {
		f.ready = strings.TrimSpace(lines[7]) == "ready"
	}
	return f, true
}

// evictOrphan makes sure that no postmaster runs on the cluster. The caller
// holds the folder's lock, so that one on our socket folder has lost its
// parent: it is stopping already, or, where a process outlives its parent,
// has to be told. One on another socket folder is somebody's own doing.
func evictOrphan(ctx context.Context, cluster string, run runDir, id identity) error {
	f, ok := readPidFile(cluster)
	if !ok {
		return removeRemnant(cluster)
	}
	if !runsCluster(f.pid, cluster) {
		return errors.Join(dismissSurvivors(ctx, cluster), disown(cluster, f, id))
	}
	pid := strconv.Itoa(f.pid)
	if f.socketDir != run.path {
		return refuse(ErrInUse, "a PostgreSQL that was started by hand (process %s) runs on %s; stop it", pid, cluster).
			With("pid", pid).With("folder", cluster)
	}
	for _, step := range []struct {
		signal syscall.Signal
		limit  time.Duration
	}{{syscall.SIGINT, orphanFastStop}, {syscall.SIGQUIT, orphanImmediateStop}} {
		_ = syscall.Kill(f.pid, step.signal)
		err := awaitGone(ctx, f.pid, cluster, step.limit)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
	return refuse(ErrInUse, "the PostgreSQL of an earlier server (process %s) on %s does not stop; end it", pid, cluster).
		With("pid", pid).With("folder", cluster)
}

func awaitGone(ctx context.Context, pid int, cluster string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return poll(ctx, 20*time.Millisecond, func() (bool, error) { return !runsCluster(pid, cluster), nil })
}

// dismissSurvivors ends the backends of a killed postmaster. Most notice and
// end by themselves, but one that is busy with a query does not look, and
// PostgreSQL refuses to start while it shares memory with one.
func dismissSurvivors(ctx context.Context, cluster string) error {
	ctx, cancel := context.WithTimeout(ctx, survivorStop)
	defer cancel()
	return poll(ctx, 20*time.Millisecond, func() (bool, error) {
		pids := clusterProcesses(cluster)
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGQUIT)
		}
		return len(pids) == 0, nil
	})
}

// removeRemnant removes a postmaster.pid without a process id: PostgreSQL
// refuses to start over one, and a crash or a full disk leaves it.
func removeRemnant(cluster string) error {
	path := pidPath(cluster)
	_, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if pids := clusterProcesses(cluster); err == nil && len(pids) > 0 {
		pid := strconv.Itoa(pids[0])
		return refuse(ErrInUse, "a PostgreSQL (process %s) runs on %s, whose postmaster.pid is broken; stop it", pid, cluster).
			With("pid", pid).With("folder", cluster)
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return refuse(err, "cannot clear %s, which an earlier PostgreSQL left; remove it", path).With("file", path)
	}
	return nil
}

// disown makes a stale postmaster.pid look stale to PostgreSQL too, which
// takes any living process of the same number for a postmaster. It writes our
// own id, which a child ignores as its parent's. Removing the file instead
// would lose the shared memory key by which PostgreSQL finds the surviving
// backends of a killed postmaster.
func disown(cluster string, f pidFile, id identity) error {
	if err := syscall.Kill(f.pid, 0); errors.Is(err, syscall.ESRCH) {
		return nil
	}
	data, err := os.ReadFile(pidPath(cluster))
	if err == nil {
		_, rest, _ := strings.Cut(string(data), "\n")
		err = writeOwned(pidPath(cluster), strconv.Itoa(os.Getpid())+"\n"+rest, id)
	}
	if err != nil {
		return broken(err, "cannot repair the stale %s", pidPath(cluster)).With("file", pidPath(cluster))
	}
	return nil
}

// writeOwned replaces a file in one step and gives it to the user PostgreSQL
// runs as; only that user may read it.
func writeOwned(path, content string, id identity) error {
	temporary := path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := os.WriteFile(temporary, []byte(content), 0o600)
	if err == nil {
		err = errors.Join(id.own(temporary), os.Rename(temporary, path))
	}
	return err
}
