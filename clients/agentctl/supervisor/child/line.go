package child

import "bytes"

// maxLine is how long a line may get before it is seen in pieces: an agent's
// event may carry a whole file.
const maxLine = 8 << 20

// Lines is a writer that gives whole lines, without their newline, to a
// function. It is not safe for concurrent use.
type Lines struct {
	// Line takes one line; it must not keep it. torn says that the line ended
	// without a newline.
	Line func(line []byte, torn bool)
	rest []byte
}

// Write takes output as it comes.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			break
		}
		line := p[:i]
		if len(l.rest) > 0 {
			line = append(l.rest, line...)
			l.rest = l.rest[:0]
		}
		l.Line(line, false)
		p = p[i+1:]
	}
	l.rest = append(l.rest, p...)
	if len(l.rest) > maxLine {
		l.Flush()
	}
	return n, nil
}

// Flush gives what has come of a line without its newline.
func (l *Lines) Flush() {
	if len(l.rest) > 0 {
		l.Line(l.rest, true)
		l.rest = nil
	}
}
