package evidence

import "strings"

// stripWritten removes what prints nothing where JSON or a debug print spells it
// out, as `\u001b[31m`, `\\u0000` or `\x1b[0m`, so that a text reads the same
// inside JSON and outside of it.
func stripWritten(text string) string {
	out, copied := []byte(nil), 0
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '\\')
		if at < 0 {
			break
		}
		from := i + at
		i = from + runLength(text[from:], isBackslash)
		n := writtenLength(text[i:])
		if n == 0 {
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(text))
		}
		out = append(out, text[copied:i]...)
		copied = i
		// The slashes of literal backslashes before it are a multiple of twice its own.
		slashes := trailingSlashes(out)
		own := slashes & -slashes
		if slashes > maxSlashes {
			continue
		}
		kept := out[:len(out)-own]
		if own == slashes && unfinishedEscape(kept) || own < slashes && writtenLength(text[i+n:]) > 0 {
			continue
		}
		out = kept
		i += n
		copied = i
	}
	if out == nil {
		return text
	}
	return string(append(out, text[copied:]...))
}

func isBackslash(c byte) bool { return c == '\\' }

// trailingSlashes counts the backslashes that out ends in, up to one more than maxSlashes.
func trailingSlashes(out []byte) int {
	n := 0
	for n < len(out) && n <= maxSlashes && out[len(out)-1-n] == '\\' {
		n++
	}
	return n
}

// writtenLength is the length of what follows the backslashes of a spelled-out
// character that prints nothing, with the rest of its terminal escape; 0 if
// there is none.
func writtenLength(s string) int {
	size, r := 0, rune(0)
	switch {
	case len(s) >= 5 && s[0] == 'u' && allHex(s[1:5]):
		size, r = 5, hexRune(s[1:5])
	case len(s) >= 3 && s[0] == 'x' && allHex(s[1:3]):
		size, r = 3, hexRune(s[1:3])
		if r != esc {
			return 0
		}
	default:
		return 0
	}
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r != 0x7f && !invisible(r, size):
		return 0
	case r == csi, r == esc && len(s) > size && s[size] == '[':
		return size + writtenControl(s[size:])
	case r == esc && len(s) > size && s[size] == ']':
		return size + writtenString(s[size:])
	}
	return size
}

// writtenString is the length of an operating system command behind its escape,
// up to the bell that ends it; 0 if no bell is near.
func writtenString(s string) int {
	for i := 1; i < len(s) && i < 256 && s[i] != '\n'; i++ {
		if s[i] != '\\' {
			continue
		}
		for i < len(s) && s[i] == '\\' {
			i++
		}
		switch {
		case strings.HasPrefix(s[i:], "u0007"):
			return i + 5
		case strings.HasPrefix(s[i:], "x07"):
			return i + 3
		case !strings.HasPrefix(s[i:], "/") && !strings.HasPrefix(s[i:], "u"):
			return 0
		}
	}
	return 0
}

// writtenControl is the length of a control sequence behind its escape: the
// bracket, parameters and a final letter.
func writtenControl(s string) int {
	n := 0
	if n < len(s) && s[n] == '[' {
		n++
	}
	n += runLength(s[n:min(len(s), n+32)], func(c byte) bool { return c >= 0x30 && c <= 0x3f })
	if n < len(s) && (isUpper(s[n]) || isLower(s[n])) {
		n++
	}
	return n
}

// unfinishedEscape reports that a text ends inside an escape: what follows must
// stay, or the two halves would make a new one.
func unfinishedEscape(out []byte) bool {
	tail := string(out[max(0, len(out)-6):])
	slash := strings.LastIndexByte(tail, '\\')
	if slash < 0 {
		return false
	}
	after := tail[slash+1:]
	switch {
	case after == "":
		return true
	case after[0] == 'u':
		return len(after) < 5 && allHex(after[1:])
	case after[0] == 'x':
		return len(after) < 3 && allHex(after[1:])
	}
	return false
}

func hexRune(digits string) rune {
	r := rune(0)
	for _, c := range []byte(digits) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case isUpper(c):
			r = r<<4 | rune(c-'A'+10)
		default:
			r = r<<4 | rune(c-'a'+10)
		}
	}
	return r
}
