package events

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// cursorVersion is the first byte of a cursor.
const cursorVersion = 1

// Cursor gives an event's position as an opaque text.
func Cursor(e work.Event) string { return cursorAt(e.Seq) }

func cursorAt(seq int64) string {
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint([]byte{cursorVersion}, uint64(seq)))
}

func readCursor(cursor string) (int64, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil && len(raw) > 1 && raw[0] == cursorVersion {
		seq, n := binary.Uvarint(raw[1:])
		if n == len(raw)-1 && seq <= 1<<62 {
			return int64(seq), nil
		}
	}
	return 0, fault.Invalid("cursor", "must be a cursor from an earlier answer")
}

// expired is the error of a cursor whose next events are gone, or that is not
// of this stream: the reader must list, then watch again.
func expired(head work.Head) error {
	return fault.New(fault.OutOfRange, fault.ReasonCursorExpired, "events after this cursor are gone: list, then watch again").
		With("oldest_cursor", cursorAt(head.OldestSeq-1))
}

// check says whether everything after seq is still there.
func check(seq int64, head work.Head) error {
	if seq+1 < head.OldestSeq || seq > head.LastSeq {
		return expired(head)
	}
	return nil
}
