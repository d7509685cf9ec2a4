package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// object is a JSON object whose fields are read tolerantly: a field of another
// type than expected counts as absent.
type object map[string]json.RawMessage

// parseObject reads raw as an object; nil if it is none.
func parseObject(raw []byte) object {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// str returns the string at key, "" if there is none.
func (o object) str(key string) string {
	raw := o[key]
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// num returns the number at key, 0 if there is none. A number in a string counts.
func (o object) num(key string) float64 {
	raw := bytes.Trim(o[key], `"`)
	var n float64
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

// whole returns the number at key as an int, 0 if there is none or it is none.
func (o object) whole(key string) int {
	n := o.num(key)
	if n < -1<<31 || n > 1<<31 {
		return 0
	}
	return int(n)
}

// truth reports that key holds true.
func (o object) truth(key string) bool { return string(o[key]) == "true" }

// has reports that key is there and not null.
func (o object) has(key string) bool {
	raw, ok := o[key]
	return ok && string(raw) != "null"
}

// obj returns the object at key; nil if there is none. Reading a nil object is fine.
func (o object) obj(key string) object { return parseObject(o[key]) }

// at follows a path of objects.
func (o object) at(path ...string) object {
	for _, key := range path {
		o = o.obj(key)
	}
	return o
}

// list returns the elements of the array at key.
func (o object) list(key string) []json.RawMessage {
	raw := o[key]
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return nil
	}
	return elements
}

// message returns the first text that key holds: a string, or the message of an object.
func (o object) message(key string) string {
	if s := o.str(key); s != "" {
		return s
	}
	inner := o.obj(key)
	for _, name := range [...]string{"message", "text", "detail", "error"} {
		if s := inner.str(name); s != "" {
			return s
		}
	}
	if data := inner.obj("data"); data != nil {
		return data.str("message")
	}
	return ""
}

// millis returns the duration in milliseconds at key.
func (o object) millis(key string) time.Duration {
	return boundedDuration(o.num(key) * float64(time.Millisecond))
}

// boundedDuration keeps an announced wait sane: nothing negative, a year at most.
func boundedDuration(nanoseconds float64) time.Duration {
	const year = 365 * 24 * time.Hour
	switch {
	case !(nanoseconds > 0):
		return 0
	case nanoseconds > float64(year):
		return year
	}
	return time.Duration(nanoseconds)
}

// data returns o as JSON without the named fields. Keys are sorted, so that
// the same event gives the same text.
func (o object) data(drop ...string) string {
	kept := make(object, len(o))
	for key, raw := range o {
		kept[key] = raw
	}
	for _, key := range drop {
		delete(kept, key)
	}
	if len(kept) == 0 {
		return ""
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // rules look for "<html>" too
	if encoder.Encode(kept) != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// contentText joins the text blocks of a message's content: a string, one
// block, or a list of blocks that may nest as ACP tool content does.
func contentText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		return object{"s": raw}.str("s")
	case '{':
		return blockText(parseObject(raw))
	case '[':
		var parts []string
		for _, element := range (object{"l": raw}).list("l") {
			if text := contentText(element); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, "\n")
	}
	return ""
}

// blockText returns the text of one content block.
func blockText(block object) string {
	if s := block.str("text"); s != "" {
		return s
	}
	inner := bytes.TrimSpace(block["content"])
	if len(inner) == 0 {
		return ""
	}
	return contentText(inner)
}

// present returns o as JSON without the fields that are absent or null.
func (o object) present() string {
	var drop []string
	for key := range o {
		if len(o[key]) == 0 || !o.has(key) {
			drop = append(drop, key)
		}
	}
	return o.data(drop...)
}
