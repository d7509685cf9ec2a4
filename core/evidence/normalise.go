package evidence

import (
	"strings"
	"unicode/utf8"
)

// maxInputBytes bounds the work on one text: more is cut to head and tail
// before anything looks at it.
const maxInputBytes = 1 << 20

// Normalise makes text fit for matching: valid UTF-8, "\n" as the only line
// end, without terminal escapes, control characters, byte-order marks and
// zero-width characters. Text that is not UTF-8 is read as UTF-16 if it looks
// like it, else as windows-1252. It is idempotent, linear, and returns text
// itself when nothing has to change. Input over 1 MiB loses its middle first.
func Normalise(text string) string {
	if len(text) > maxInputBytes {
		text, _ = Cut(text, maxInputBytes)
	}
	if plain(text) {
		return stripWritten(text)
	}
	text, _ = Cut(decode(text), maxInputBytes)
	if strings.IndexByte(text, esc) >= 0 || strings.ContainsRune(text, csi) || strings.ContainsRune(text, osc) {
		text = stripEscapes(text)
	}
	return stripWritten(stripControls(text))
}

// plain reports that text is printable ASCII with newlines and tabs: nothing to do.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// stripControls turns "\r\n" and lone "\r" into "\n", applies nothing to
// backspaces, and drops every other character that prints nothing.
func stripControls(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '\r':
				// A progress line that rewrites itself is as many lines.
				if i >= len(text) || text[i] != '\n' {
					b.WriteByte('\n')
				}
			case c >= 0x20 && c != 0x7f || c == '\n' || c == '\t':
				b.WriteByte(c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !invisible(r, size) {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// invisible reports characters that print nothing and could split a word in two.
func invisible(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		return true
	case r >= 0x80 && r < 0xa0: // C1 controls
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069:
		return true // zero-width and direction marks
	case r == 0xfeff || r == 0x00ad: // byte-order mark, soft hyphen
		return true
	}
	return false
}
