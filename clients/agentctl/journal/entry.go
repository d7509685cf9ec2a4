package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/recourse-dev/recourse/core/fault"
)

// Entry is one wakeup of the journal, taken by this process. It may be used by
// several goroutines.
type Entry struct {
	folder string
	lock   *os.File
	log    *os.File

	mu    sync.Mutex
	state State
}

// Take opens the entry of a wakeup for writing. Only one process at a time has
// it; the lock ends with the process, however that ends.
func (s *Store) Take(id string) (*Entry, error) {
	folder, err := s.folder(id)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(folder); err != nil {
		return nil, fault.New(fault.NotFound, fault.ReasonWakeupNotFound, "this host has no journal of wakeup %s", id)
	}
	lock, err := os.OpenFile(filepath.Join(folder, lockFile), os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fault.New(fault.Aborted, fault.ReasonNotClaimable, "another agentctl on this host is running wakeup %s now", id)
		}
		return nil, err
	}
	entry := &Entry{folder: folder, lock: lock}
	if err := entry.open(); err != nil {
		entry.Close()
		return nil, err
	}
	return entry, nil
}

// open reads what is there and cuts a torn last line, so that the next record
// begins on a line of its own.
func (e *Entry) open() error {
	state, err := read(e.folder)
	if err != nil {
		return err
	}
	e.state = state
	path := filepath.Join(e.folder, logFile)
	if text, err := os.ReadFile(path); err == nil && len(whole(text)) < len(text) {
		if err := os.Truncate(path, int64(len(whole(text)))); err != nil {
			return err
		}
	}
	e.log, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	return syncDir(e.folder)
}

// Close gives the entry up.
func (e *Entry) Close() {
	if e.log != nil {
		e.log.Close()
	}
	e.lock.Close()
}

// State is what the records add up to.
func (e *Entry) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state
}

// Append puts a record on the disk before it returns.
func (e *Entry) Append(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.log.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	if err := e.log.Sync(); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	e.state.apply(r)
	return nil
}

// Stdin opens what was recorded of the caller's standard input for appending.
func (e *Entry) Stdin() (io.WriteCloser, error) {
	return os.OpenFile(filepath.Join(e.folder, stdinFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_CLOEXEC, 0o600)
}

// StdinWhole notes that everything of the standard input is recorded.
func (e *Entry) StdinWhole() error {
	if err := writeFile(filepath.Join(e.folder, wholeFile), nil); err != nil {
		return err
	}
	e.mu.Lock()
	e.state.StdinWhole = true
	e.mu.Unlock()
	return syncDir(e.folder)
}

// RecordedStdin reads what was recorded of the caller's standard input.
func (e *Entry) RecordedStdin() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(e.folder, stdinFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// writeFile makes a file of the owner's only, on the disk before it returns.
func writeFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
