package routing

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/work"
)

// requestOf ties a request id to the method and all that the caller asked for.
// What an older configuration says is no part of a profile's stored form, and
// is taken in by itself. A call that stores nothing has no first answer.
func requestOf(workspaceID, id, method string, body any, dynamic *profile.Dynamic, validateOnly bool) (work.Request, error) {
	if id == "" || validateOnly {
		return work.Request{}, nil
	}
	asked := struct {
		Method string
		Body   any
		Legacy *profile.LegacyActions
	}{Method: method, Body: body}
	if dynamic != nil {
		asked.Legacy = dynamic.Legacy
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		return work.Request{}, err
	}
	sum := sha256.Sum256(raw)
	return work.Request{WorkspaceID: workspaceID, ID: id, BodyHash: sum[:]}, nil
}
