package classification

import "bytes"

// maxLine bounds what is looked at of one line, in bytes.
const maxLine = 512

// silenced reports whether the line of a hit is about something else.
func (v *view) silenced(c *Classifier, h hit) bool {
	from, to := v.line(h)
	for _, i := range c.quiet {
		r := &c.rules[i]
		if r.off || r.channels != 0 && r.channels&v.channel == 0 {
			continue
		}
		for _, group := range r.text {
			if v.anyHit(group, from, to) {
				return true
			}
		}
		for _, re := range r.regexps {
			if v.budget -= int(to - from); v.budget >= 0 && re.Match(v.folded.B[from:to]) {
				return true
			}
		}
	}
	return false
}

// line gives the bounds of the line that a hit stands on, at most maxLine to each side.
func (v *view) line(h hit) (from, to int32) {
	b := v.folded.B
	low := max(0, int(h.start)-maxLine)
	from = int32(low + bytes.LastIndexByte(b[low:h.start], '\n') + 1)
	to = int32(min(len(b), int(h.end)+maxLine))
	if i := bytes.IndexByte(b[h.end:to], '\n'); i >= 0 {
		to = h.end + int32(i)
	}
	return from, to
}
