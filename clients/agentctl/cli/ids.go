package cli

import "github.com/google/uuid"

// NewID is a fresh UUID, ordered by time.
func NewID() string {
	id, err := uuid.NewV7()
	if err != nil {
		// Only a host without randomness comes here: no id is better than a
		// repeated one.
		panic(err)
	}
	return id.String()
}

// NewSession is a fresh random UUID, as agents take for their sessions.
func NewSession() string { return uuid.NewString() }
