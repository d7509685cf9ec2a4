//go:build unix

package embedded

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// loadPassword reads the role's password, or makes one. fresh says that it was
// made now, so that an existing cluster does not know it yet.
func loadPassword(dataDir string) (password string, fresh bool, err error) {
	path := filepath.Join(dataDir, "password")
	data, err := os.ReadFile(path)
	if password = strings.TrimSpace(string(data)); err == nil && isPassword(password) {
		// A restored backup may have lost the mode.
		if err := os.Chmod(path, 0o600); err != nil {
			return "", false, refuse(err, "cannot protect %s; the data folder must belong to the user that starts the server", path).With("file", path)
		}
		return password, false, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", false, refuse(err, "cannot read %s; the data folder must belong to the user that starts the server", path).With("file", path)
	}
	// Missing, or cut short by a crash: the cluster gets a new one.
	random := make([]byte, 24)
	_, _ = rand.Read(random) // never fails; it ends the process instead
	return hex.EncodeToString(random), true, nil
}

// isPassword accepts what savePassword writes and nothing that would need
// quoting in SQL or a URL.
func isPassword(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) >= 16
}

// savePassword stores the password once the cluster knows it.
func savePassword(dataDir, password string) error {
	path := filepath.Join(dataDir, "password")
	// It stays this process's file: PostgreSQL never reads it.
	if err := writeOwned(path, password+"\n", identity{}); err != nil {
		return broken(err, "cannot write %s", path).With("file", path)
	}
	return nil
}
