// Package journal remembers on this host what was run for each wakeup: enough
// to run it again, and to know after a crash what may have been sent. One
// folder per wakeup, readable by its owner only; every record is on the disk
// before what it announces happens.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/recourse-dev/recourse/core/fault"
)

const (
	promptFile = "prompt.json"
	logFile    = "log.jsonl"
	stdinFile  = "stdin"
	wholeFile  = "stdin.whole" // exists when stdin holds everything
	lockFile   = "lock"
)

// format is that of the files written now.
const format = 1

// Store is the journal of one user on one host.
type Store struct{ dir string }

// Open makes the folder if it is missing. Others must not be able to read it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(dir, "wakeups"), 0o700); err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, fmt.Errorf("the journal %s is open to others: %w", dir, err)
		}
	}
	return &Store{dir: dir}, nil
}

// Dir is the folder of the journal.
func (s *Store) Dir() string { return s.dir }

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func (s *Store) folder(id string) (string, error) {
	if !idPattern.MatchString(id) {
		return "", fault.Invalid("wakeup_id", "%q is not the id of a wakeup", id)
	}
	return filepath.Join(s.dir, "wakeups", id), nil
}

// Create begins the entry of a wakeup and takes it.
func (s *Store) Create(p Prompt) (*Entry, error) {
	folder, err := s.folder(p.WakeupID)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w", err)
	}
	p.Format = format
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := writeFile(filepath.Join(folder, promptFile), append(text, '\n')); err != nil {
		return nil, err
	}
	if err := syncDir(filepath.Dir(folder)); err != nil {
		return nil, err
	}
	return s.Take(p.WakeupID)
}

// Read gives the state of a wakeup without taking it.
func (s *Store) Read(id string) (State, error) {
	folder, err := s.folder(id)
	if err != nil {
		return State{}, err
	}
	return read(folder)
}

func read(folder string) (State, error) {
	state := State{Phase: PhaseQueued}
	text, err := os.ReadFile(filepath.Join(folder, promptFile))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, fault.New(fault.NotFound, fault.ReasonWakeupNotFound, "this host has no journal of wakeup %s", filepath.Base(folder))
	}
	if err != nil {
		return State{}, err
	}
	if err := json.Unmarshal(text, &state.Prompt); err != nil {
		return State{}, fmt.Errorf("the journal of %s is damaged: %w", filepath.Base(folder), err)
	}
	if state.Prompt.Format != format {
		return State{}, fmt.Errorf("the journal of %s was written by another version of agentctl", filepath.Base(folder))
	}
	state.UpdatedAt = state.Prompt.CreatedAt
	if err := replay(filepath.Join(folder, logFile), &state); err != nil {
		return State{}, err
	}
	if info, err := os.Stat(filepath.Join(folder, stdinFile)); err == nil {
		state.StdinBytes = info.Size()
	}
	_, err = os.Stat(filepath.Join(folder, wholeFile))
	state.StdinWhole = err == nil
	return state, nil
}

// replay applies the records of a log. A last line without its newline was
// never acknowledged: the process that wrote it died before it went on.
func replay(path string, state *State) error {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(whole(text)))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("the journal %s is damaged: %w", path, err)
		}
		state.apply(r)
	}
	return lines.Err()
}

// whole cuts a torn last line.
func whole(text []byte) []byte {
	return text[:bytes.LastIndexByte(text, '\n')+1]
}

// List gives every readable wakeup, newest first.
func (s *Store) List() ([]State, error) {
	folders, err := os.ReadDir(filepath.Join(s.dir, "wakeups"))
	if err != nil {
		return nil, err
	}
	var states []State
	for _, f := range folders {
		state, err := s.Read(f.Name())
		if err != nil {
			continue // half made, or of another version: it can be named, not listed
		}
		states = append(states, state)
	}
	slices.SortStableFunc(states, func(a, b State) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return states, nil
}
