package evidence

import "strings"

// Terminal escape introducers, as byte and as C1 characters.
const (
	esc = 0x1b
	bel = 0x07
	csi = '\u009b'
	osc = '\u009d'
)

// maxEscapeBytes bounds one escape sequence: a longer one is no sequence, and
// only its introducer goes, so that a stray introducer cannot swallow a text.
const maxEscapeBytes = 4096

// stripEscapes removes ANSI escape sequences. The text of an OSC 8 hyperlink stays.
func stripEscapes(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		n := escapeLength(text[i:])
		if n == 0 {
			next := nextEscape(text[i+1:])
			b.WriteString(text[i : i+1+next])
			i += 1 + next
			continue
		}
		i += n
	}
	return b.String()
}

// nextEscape returns the offset of the next possible introducer, or the length of text.
func nextEscape(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == esc || text[i] == 0xc2 && i+1 < len(text) && (text[i+1] == 0x9b || text[i+1] == 0x9d) {
			return i
		}
	}
	return len(text)
}

// escapeLength returns the length of the escape sequence at the start of text, 0 if there is none.
func escapeLength(text string) int {
	switch {
	case strings.HasPrefix(text, "\u009b"):
		return 2 + controlLength(text[2:])
	case strings.HasPrefix(text, "\u009d"):
		return 2 + stringLength(text[2:])
	case text[0] != esc:
		return 0
	case len(text) == 1:
		return 1
	}
	switch c := text[1]; {
	case c == '[':
		return 2 + controlLength(text[2:])
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return 2 + stringLength(text[2:])
	case c >= 0x20 && c <= 0x2f && len(text) > 2: // charset selection, as ESC ( B
		return 3
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}

// controlLength is the length of a CSI sequence after its introducer:
// parameters, intermediates, one final byte. A broken one ends where it breaks.
func controlLength(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case i >= maxEscapeBytes:
			return 0
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return i
		}
	}
	return len(text) // the sequence was cut off with the text
}

// stringLength is the length of an OSC, DCS, SOS, PM or APC string after its
// introducer, with its terminator (BEL or ESC \). An unterminated one, or one
// that spans a line, is not a string: only its introducer goes.
func stringLength(text string) int {
	for i := 0; i < len(text) && i < maxEscapeBytes; i++ {
		switch c := text[i]; {
		case c == bel:
			return i + 1
		case c == esc:
			if i+1 < len(text) && text[i+1] == '\\' {
				return i + 2
			}
			return i
		case c == '\n':
			return 0
		}
	}
	return 0
}
