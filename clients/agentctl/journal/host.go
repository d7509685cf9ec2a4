package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const hostFile = "host-id"

// HostID is the stable id of this host, made by newID at first use. Two
// processes that begin at once agree on it.
func (s *Store) HostID(newID func() string) (string, error) {
	path := filepath.Join(s.dir, hostFile)
	if id, err := readHostID(path); err == nil {
		return id, nil
	}
	// Written aside and linked: whoever links first wins, and nobody ever
	// reads a half-written file.
	aside, err := os.CreateTemp(s.dir, hostFile+"-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(aside.Name())
	_, err = aside.WriteString(newID() + "\n")
	if err = errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		return "", err
	}
	if err := os.Link(aside.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return readHostID(path)
}

func readHostID(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(text))
	if !idPattern.MatchString(id) {
		return "", errors.New("the host id file " + path + " is damaged; remove it to get a new id")
	}
	return id, nil
}
