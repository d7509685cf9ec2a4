package profile

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// credentialKinds are the findings of the redaction that no configuration has a
// reason to hold. A folder with a user's name in it is none.
var credentialKinds = []string{"api_key", "token", "jwt", "private_key", "password", "secret", "cookie", "credentials", "signature"}

// holdsCredential asks the redaction.
func holdsCredential(text string) bool {
	redacted := evidence.Redact(text)
	if redacted == text {
		return false
	}
	for _, kind := range credentialKinds {
		placeholder := "[redacted:" + kind + "]"
		if strings.Count(redacted, placeholder) > strings.Count(text, placeholder) {
			return true
		}
	}
	return false
}

// leastSecretWord is the length from which a word is also looked at as if it
// were the value of a key: no shorter credential is in use.
const leastSecretWord = 20

// looksSecret is for what only names a place: nothing that the redaction would
// hide belongs there, nor a word that it would hide behind a key.
func looksSecret(text string) bool {
	if evidence.Redact(text) != text {
		return true
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" /:=@,;\\", r) }) {
		if len(word) >= leastSecretWord && holdsCredential("api_key: "+word) {
			return true
		}
	}
	return false
}
