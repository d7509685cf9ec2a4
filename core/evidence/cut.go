package evidence

import "unicode/utf8"

// CutMark stands in a text where its middle was removed. It begins and ends
// with a newline, so that the two halves never form a sentence of their own.
const CutMark = "\n[...]\n"

// Cut shortens text to at most limit bytes, keeping its head and its tail on
// rune boundaries with CutMark between them. It returns the count of bytes
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
	return head + CutMark + tail, len(text) - len(head) - len(tail)
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
