package fleet

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// entry is one line of the ledger: what a worker delivered, or was told.
type entry struct {
	Kind string `json:"kind"` // delivered, or the call that was acknowledged
	Run  string `json:"run"`
}

const delivered = "delivered"

// ledger is a folder outside of everything that is killed, with one file for
// each wakeup.
type ledger string

// write is one line, durable before it returns.
func (l ledger) write(wakeupID string, e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(string(l), wakeupID), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

// read returns the lines of a wakeup, in the order in which they were written.
func (l ledger) read(wakeupID string) (out []entry, err error) {
	raw, err := os.ReadFile(filepath.Join(string(l), wakeupID))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(raw) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func deliveries(entries []entry) (out []entry) {
	for _, e := range entries {
		if e.Kind == delivered {
			out = append(out, e)
		}
	}
	return out
}
