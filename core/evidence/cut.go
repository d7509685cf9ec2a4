package evidence

import (
	"strings"
	"unicode/utf8"
)

// CutMark stands in a text where its middle was removed. It begins and ends
// with a newline, so that the two halves never form a sentence of their own.
const CutMark = "\n[...]\n"

// Cut shortens text to at most limit bytes, keeping its head and its tail on
// rune boundaries with CutMark between them. Where blanks are near, it cuts at
// them: half of a word, a key or an address tells nothing, and hides from
// redaction what it is half of. It returns the count of bytes
// that were removed, 0 if text fits. A limit too small for CutMark keeps the tail only.
func Cut(text string, limit int) (string, int) {
	if len(text) <= limit {
		return text, 0
	}
	room := limit - len(CutMark)
	if room <= 0 {
		tail := tailOf(text, max(limit, 0))
		return tail, len(text) - len(tail)
	}
	head := headOf(text, room/2)
	tail := tailOf(text, room-len(head))
	reach := room / 2
	if room >= leastAligned {
		reach = leastReach
	}
	head, tail = wholeWords(head, reach), wholeLines(tail, reach)
	return head + CutMark + tail, len(text) - len(head) - len(tail)
}

// A cut moves by at most leastReach bytes to keep words and lines whole, or by
// half of what is kept if that is less than leastAligned bytes.
const (
	leastReach   = 512
	leastAligned = 4096
)

// between are what a cut may be made at: no key, address or path holds them.
const between = " \n\t,"

// wholeWords drops the word that a head ends in, if it begins within reach.
func wholeWords(head string, reach int) string {
	from := max(0, len(head)-reach)
	if i := strings.LastIndexAny(head[from:], between); i >= 0 {
		return head[:from+i]
	}
	return head
}

// wholeLines drops the line that a tail begins in, or the word if the line is long.
func wholeLines(tail string, reach int) string {
	near := tail[:min(len(tail), reach)]
	if i := strings.IndexByte(near, '\n'); i >= 0 {
		return tail[i+1:]
	}
	if i := strings.IndexAny(near, between); i >= 0 {
		return tail[i+1:]
	}
	return tail[runLength(near, isInside):]
}

// isInside reports what may stand inside a key, an address or a path.
func isInside(c byte) bool {
	return c < utf8.RuneSelf && !strings.ContainsRune("\"'`\\{}[]()<>", rune(c))
}

// headOf returns at most n leading bytes of text, cut on a rune boundary.
func headOf(text string, n int) string {
	if n >= len(text) {
		return text
	}
	// A rune has at most utf8.UTFMax bytes: looking further back would only
	// eat a run of stray continuation bytes.
	for back := 0; back < utf8.UTFMax && n > 0 && !utf8.RuneStart(text[n]); back++ {
		n--
	}
	return text[:n]
}

// tailOf returns at most n trailing bytes of text, cut on a rune boundary.
func tailOf(text string, n int) string {
	if n >= len(text) {
		return text
	}
	start := len(text) - n
	for on := 0; on < utf8.UTFMax && start < len(text) && !utf8.RuneStart(text[start]); on++ {
		start++
	}
	return text[start:]
}
