//go:build unix

package embedded

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lockGrace is how long a start waits for the lock: the kernel frees that of a
// killed process only when its last thread is gone.
const lockGrace = 2 * time.Second

// folderLock makes sure that one Server at most uses a data folder. The kernel
// drops it with the process, so that it is never stale.
type folderLock struct{ file *os.File }

func lockFolder(ctx context.Context, dir string) (*folderLock, error) {
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refuse(err, "cannot open %s; the data folder must belong to the user that starts the server", path).With("file", path)
	}
	ctx, cancel := context.WithTimeout(ctx, lockGrace)
	defer cancel()
	err = poll(ctx, 20*time.Millisecond, func() (bool, error) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
			return false, nil
		}
		return err == nil, err
	})
	if err == nil {
		// The id is for people; a lock without it still locks.
		_ = file.Truncate(0)
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		return &folderLock{file: file}, nil
	}
	holder, _ := io.ReadAll(file)
	_ = file.Close()
	if !errors.Is(err, context.DeadlineExceeded) {
		return nil, broken(err, "cannot lock %s", path).With("file", path)
	}
	pid := strings.TrimSpace(string(holder))
	return nil, refuse(ErrInUse, "the data folder %s is in use by the process %s; stop that server, or name another data folder", dir, pid).
		With("folder", dir).With("pid", pid)
}

func (l *folderLock) release() { _ = l.file.Close() }

// poll calls check at once and then each interval until it says true, fails,
// or ctx ends.
func poll(ctx context.Context, interval time.Duration, check func() (bool, error)) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if done, err := check(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
