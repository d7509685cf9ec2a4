package dialect

import "bytes"

// maxDocument is the largest pretty-printed JSON document that is gathered, in bytes.
const maxDocument = 4 << 20

// document gathers the lines of one pretty-printed JSON value, which begins
// with a brace or a bracket alone on its line and ends with one at the margin.
type document struct {
	text []byte
	end  byte // what closes it, 0 while none is open
}

// take reports whether line belongs to a document. When it completes one, or
// makes it too large, done gets the text; complete says which.
func (d *document) take(line []byte, done func(text []byte, complete bool)) bool {
	line = bytes.TrimRight(line, "\r \t")
	if d.end == 0 {
		opener := string(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		switch opener {
		case "{":
			d.end = '}'
		case "[":
			d.end = ']'
		default:
			return false
		}
		d.text = append(d.text[:0], opener...)
		return true
	}
	d.text = append(append(d.text, '\n'), line...)
	switch {
	case len(line) == 1 && line[0] == d.end:
		d.end = 0
		done(d.text, true)
	case len(d.text) > maxDocument:
		d.end = 0
		done(d.text, false)
	}
	return true
}

// rest gives what is gathered of a document that never ended.
func (d *document) rest(done func(text []byte, complete bool)) {
	if d.end == 0 {
		return
	}
	d.end = 0
	done(d.text, false)
}
