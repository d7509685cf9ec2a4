package dialect

import (
	"bytes"
	"encoding/json"
)

// maxJSONLine is the longest line that is parsed, in bytes. A longer one counts
// as cut off at that length.
const maxJSONLine = 16 << 20

// maxValues bounds the JSON values that are looked for in one broken line.
const maxValues = 64

// sink receives what one line of output holds.
type sink struct {
	// event takes a whole JSON object. nested says that it was found inside
	// another broken one, so that only harmless types may be believed.
	event func(o object, nested bool)
	// broken takes an object that could not be read to its end, with the scalar
	// fields before the break.
	broken func(o object, raw []byte)
	// other takes text that is no JSON object.
	other func(text []byte)
}

// splitJSON takes a line apart: one object, several glued together, an array
// of objects, objects with text around them, an object cut short.
func splitJSON(line []byte, out sink) {
	line = trimLine(line)
	if len(line) > maxJSONLine {
		line = line[:maxJSONLine]
	}
	if len(line) == 0 {
		return
	}
	if o := parseObject(line); o != nil {
		out.event(o, false)
		return
	}
	if line[0] == '[' && splitArray(line, out) {
		return
	}
	splitBroken(line, out)
}

// trimLine drops white space, NULs and byte-order marks around a line.
func trimLine(line []byte) []byte {
	for {
		before := len(line)
		line = bytes.TrimSpace(bytes.Trim(line, "\x00"))
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		if len(line) == before {
			return line
		}
	}
}

func splitArray(line []byte, out sink) bool {
	var elements []json.RawMessage
	if json.Unmarshal(line, &elements) != nil || len(elements) == 0 {
		return false
	}
	objects := make([]object, len(elements))
	for i, element := range elements {
		if objects[i] = parseObject(element); objects[i] == nil {
			return false
		}
	}
	for _, o := range objects {
		out.event(o, false)
	}
	return true
}

// splitBroken walks from brace to brace. Each value is scanned once, so the
// cost stays linear but for the few tries inside a broken value.
func splitBroken(line []byte, out sink) {
	for tries := 0; len(line) > 0; tries++ {
		open := bytes.IndexByte(line, '{')
		if open < 0 {
			emitOther(line, out)
			return
		}
		if tries >= maxValues { // nobody reads on, so nothing about it is known
			out.broken(object{}, line)
			return
		}
		emitOther(line[:open], out)
		line = line[open:]
		end := objectEnd(line)
		if o := parseObject(line[:end]); o != nil {
			out.event(o, false)
			line = line[end:]
			continue
		}
		if bytes.HasPrefix(line, []byte(`{"`)) {
			out.broken(leadingScalars(line), line)
			nestedEvents(line[1:], out)
			return
		}
		emitOther(line, out)
		return
	}
}

func emitOther(text []byte, out sink) {
	if text = bytes.TrimSpace(text); len(text) > 0 {
		out.other(text)
	}
}

// nestedEvents finds events that were printed into the middle of another line.
func nestedEvents(line []byte, out sink) {
	for tries := 0; tries < 8; tries++ {
		at := bytes.Index(line, []byte(`{"type":"`))
		if at < 0 {
			return
		}
		line = line[at:]
		if o := parseObject(line[:objectEnd(line)]); o != nil {
			out.event(o, true)
		}
		line = line[1:]
	}
}

// objectEnd returns the offset after the brace that closes the object at the
// start of line, or the length of line if none does.
func objectEnd(line []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(line)
}

// leadingScalars reads the top-level fields of an object that breaks off.
func leadingScalars(line []byte) object {
	fields := object{}
	decoder := json.NewDecoder(bytes.NewReader(line[:min(len(line), 64<<10)]))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return fields
	}
	for {
		token, err := decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			break
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			fields[key] = nil
			break
		}
		fields[key] = value
	}
	return fields
}
