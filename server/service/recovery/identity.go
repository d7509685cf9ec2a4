package recovery

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/work"
)

// newID makes an id that sorts by time.
func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}

// newToken makes a lease token of 256 random bits.
func newToken() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // it never fails; it ends the program instead
	return base64.RawURLEncoding.EncodeToString(secret[:])
}

// requestOf ties a request id to the method and all that the caller asked for.
func requestOf(workspaceID, id, method string, body any) (work.Request, error) {
	if id == "" {
		return work.Request{}, nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return work.Request{}, err
	}
	sum := sha256.Sum256(append([]byte(method+"\n"), raw...))
	return work.Request{WorkspaceID: workspaceID, ID: id, BodyHash: sum[:]}, nil
}
