package routing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// Fingerprint names the account behind a binding without telling anything of
// it: HMAC-SHA-256 of the canonical bytes with the installation's key, in
// lower-case hex. It is "" for a binding that is not known, whose circuits
// belong to the profile, and without a key, because then it could be guessed.
func Fingerprint(installationKey []byte, b Binding) string {
	if len(installationKey) == 0 || !b.Known() {
		return ""
	}
	mac := hmac.New(sha256.New, installationKey)
	mac.Write(b.Canonical())
	return hex.EncodeToString(mac.Sum(nil))
}
