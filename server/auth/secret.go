package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"
)

// The kinds of secret, as their prefix. The kind is part of what is hashed, so
// that one can never be used as another.
const (
	KindToken     = "rcs" // an API token or a browser's session
	KindLoginCode = "rcl" // a login link's code
)

const (
	secretBytes   = 32 // 256 bits
	secretChars   = 52 // of base32 without padding
	maxWorkspace  = 63
	hashByteCount = sha256.Size
)

var secretEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewSecret makes a secret of 256 random bits, as "rcs_default_…". The
// workspace is readable in it because storage keys start with it.
func NewSecret(kind, workspaceID string) string {
	random := make([]byte, secretBytes)
	// crypto/rand never fails; it ends the process where the system has no randomness.
	_, _ = rand.Read(random)
	return kind + "_" + workspaceID + "_" + secretEncoding.EncodeToString(random)
}

// WorkspaceOf takes the workspace out of a secret of this kind. ok is false
// where the text cannot be one, so that no lookup is spent on it.
func WorkspaceOf(kind, secret string) (workspaceID string, ok bool) {
	rest, found := strings.CutPrefix(secret, kind+"_")
	if !found {
		return "", false
	}
	workspaceID, random, found := strings.Cut(rest, "_")
	if !found || len(random) != secretChars || !ValidWorkspaceID(workspaceID) {
		return "", false
	}
	if _, err := secretEncoding.DecodeString(random); err != nil {
		return "", false
	}
	return workspaceID, true
}

// ValidWorkspaceID reports whether id is a slug: lower-case letters, digits and
// inner hyphens, 1 to 63 bytes, a letter first.
func ValidWorkspaceID(id string) bool {
	if id == "" || len(id) > maxWorkspace || id[0] < 'a' || id[0] > 'z' || id[len(id)-1] == '-' {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// Hash is what storage keeps of a secret. A plain SHA-256 is enough: there is
// nothing to guess in 256 random bits.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// SameHash compares two hashes in constant time.
func SameHash(a, b []byte) bool {
	return len(a) == hashByteCount && subtle.ConstantTimeCompare(a, b) == 1
}
