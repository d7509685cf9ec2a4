package evidence

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 gives the characters of the bytes 0x80 to 0x9f; 0 is unassigned.
// The other high bytes equal their Latin-1 code points.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// decode returns text as valid UTF-8. A text that is mostly UTF-8 with some
// stray bytes (a rune that was cut) keeps its runes; only one that is not
// UTF-8 at all is read in another code page.
func decode(text string) string {
	if wide, ok := decodeUTF16(text); ok {
		return wide
	}
	if utf8.ValidString(text) {
		return text
	}
	runes, strays := 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			strays++
		} else if size > 1 {
			runes++
		}
		i += size
	}
	if runes > 0 && strays <= 3+runes/4 {
		return strings.ToValidUTF8(text, "")
	}
	return decodeSingleByte(text)
}

// decodeSingleByte reads each invalid byte as windows-1252. Another code page
// gives wrong letters but keeps every ASCII word, number and code, which is
// what rules match.
func decodeSingleByte(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c < utf8.RuneSelf:
			b.WriteByte(c)
		case c < 0xa0:
			if r := windows1252[c-0x80]; r != 0 {
				b.WriteRune(r)
			}
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// decodeUTF16 reads text that PowerShell and other Windows tools print: with a
// byte-order mark, or with a NUL in nearly every second byte.
func decodeUTF16(text string) (string, bool) {
	little := strings.HasPrefix(text, "\xff\xfe")
	big := strings.HasPrefix(text, "\xfe\xff")
	if !little && !big {
		little, big = nulPattern(text)
	}
	if !little && !big || len(text) < 2 {
		return "", false
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		low, high := text[i], text[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(low)|uint16(high)<<8)
	}
	return string(utf16.Decode(units)), true
}

// nulPattern looks at the head of text for ASCII in UTF-16.
func nulPattern(text string) (little, big bool) {
	n := min(len(text), 256) &^ 1
	if n < 8 {
		return false, false
	}
	even, odd := 0, 0
	for i := 0; i < n; i += 2 {
		if text[i] == 0 {
			even++
		}
		if text[i+1] == 0 {
			odd++
		}
	}
	pairs := n / 2
	return odd*10 >= pairs*8 && even == 0, even*10 >= pairs*8 && odd == 0
}
