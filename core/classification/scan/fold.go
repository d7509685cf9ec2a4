// Package scan reads failure texts the way rules need them: folded to one
// spelling, searched once for every literal of a catalogue, and opened wherever
// JSON hides in them. Everything here is linear in its input.
package scan

import (
	"unicode/utf8"
)

// markEvery is the distance, in folded bytes, between two remembered positions.
const markEvery = 64

// Folded is a text in the one spelling that literals are compared in: lower-case
// ASCII, one space for any run of blanks, one newline for any run that breaks the
// line, straight quotes, no terminal escapes, no JSON escapes and no box drawing.
type Folded struct {
	B     []byte
	marks []int32 // raw offset of folded byte i*markEvery
}

// Reset empties f and keeps its memory.
func (f *Folded) Reset() { f.B, f.marks = f.B[:0], f.marks[:0] }

// Raw gives the offset in the original text near folded offset i; it is never
// behind the true place by more than the raw length of markEvery folded bytes.
func (f *Folded) Raw(i int) int {
	if len(f.marks) == 0 {
		return 0
	}
	return int(f.marks[min(i/markEvery, len(f.marks)-1)])
}

// Fold replaces f's content with the folded form of text.
func (f *Folded) Fold(text string) {
	f.Reset()
	f.Append(text, 0)
}

// Append adds the folded form of text on a line of its own; base is added to the
// offsets that Raw gives for it.
func (f *Folded) Append(text string, base int) {
	if len(f.B) > 0 {
		f.blank('\n')
	}
	if need := len(f.B) + len(text); cap(f.B) < need {
		f.B = append(make([]byte, 0, need+need/8), f.B...)
	}
	for i := 0; i < len(text); {
		for len(f.B)/markEvery >= len(f.marks) {
			f.marks = append(f.marks, int32(base+i))
		}
		c := text[i]
		if plain[c] != 0 {
			f.B = append(f.B, plain[c])
			i++
			continue
		}
		i = f.special(text, i)
	}
}

// special folds what is not one plain byte and returns where to go on.
func (f *Folded) special(text string, i int) int {
	c := text[i]
	switch {
	case c == ' ' || c == '\t':
		f.blank(' ')
		return i + 1
	case c == '\n' || c == '\r' || c == '\v' || c == '\f':
		f.blank('\n')
		return i + 1
	case c == 0x1b:
		return skipEscape(text, i)
	case c == '\\':
		return f.backslash(text, i)
	case c < utf8.RuneSelf:
		return i + 1 // a control character
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	f.rune(r, n)
	return i + n
}

// blank adds white space, merging it with what stands before.
func (f *Folded) blank(c byte) {
	if n := len(f.B); n > 0 && (f.B[n-1] == ' ' || f.B[n-1] == '\n') {
		if c == '\n' {
			f.B[n-1] = '\n'
		}
		return
	}
	if len(f.B) > 0 {
		f.B = append(f.B, c)
	}
}

// backslash folds an escape of any depth: however many slashes there are, they
// stand for the one character that follows them.
func (f *Folded) backslash(text string, i int) int {
	j := i
	for j < len(text) && text[j] == '\\' {
		j++
	}
	if j == len(text) {
		return j
	}
	switch text[j] {
	case 'n', 'r':
		f.blank('\n')
		return j + 1
	case 't':
		f.blank(' ')
		return j + 1
	case 'u':
		if r, ok := hex4(text, j+1); ok {
			f.rune(r, 2)
			return j + 5
		}
	}
	return j
}

// rune adds one rune that is not plain ASCII; n is its length, 1 if it is invalid.
func (f *Folded) rune(r rune, n int) {
	switch {
	case r < utf8.RuneSelf:
		if p := plain[r]; p != 0 {
			f.B = append(f.B, p)
		} else {
			f.blank(' ')
		}
	case r == '\u2018' || r == '\u2019' || r == '\u201b' || r == '\u02bc' || r == '\u00b4':
		f.B = append(f.B, '\'')
	case r == '\u201c' || r == '\u201d' || r == '\u201e':
		f.B = append(f.B, '"')
	case r >= '\u2010' && r <= '\u2015':
		f.B = append(f.B, '-')
	case r == '\u2026':
		f.B = append(f.B, "..."...)
	case r == '\u2219' || r == '\u00b7' || r == '\u2022' || r == '\u30fb':
		f.B = append(f.B, "\u00b7"...)
	case r == '\u00a0' || r == '\u2007' || r == '\u202f' || r == '\u3000' || r >= 0x2500 && r <= 0x259f:
		f.blank(' ')
	case r >= '\u200b' && r <= '\u200f' || r == '\ufeff' || r == utf8.RuneError && n == 1:
	default:
		f.B = utf8.AppendRune(f.B, r)
	}
}

// skipEscape steps over one terminal escape sequence (CSI, OSC or a two-byte one).
func skipEscape(text string, i int) int {
	j := i + 1
	if j >= len(text) {
		return j
	}
	switch text[j] {
	case '[':
		for j++; j < len(text) && (text[j] < 0x40 || text[j] > 0x7e); j++ {
		}
		return min(j+1, len(text))
	case ']', 'P', '_', '^':
		return skipString(text, j+1)
	}
	return j + 1
}

// maxOSC bounds a control string, so that a lost terminator hides no message.
const maxOSC = 4096

func skipString(text string, j int) int {
	for k := j; k < len(text) && k < j+maxOSC; k++ {
		if text[k] == 0x07 {
			return k + 1
		}
		if text[k] == 0x1b && k+1 < len(text) && text[k+1] == '\\' {
			return k + 2
		}
		if text[k] == 0x1b {
			return j // another escape starts, so this one lost its end
		}
		if text[k] == '\n' {
			return k
		}
	}
	return j
}

func hex4(text string, i int) (rune, bool) {
	if i+4 > len(text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(text[i : i+4]) {
		d := unhex[c]
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

var (
	plain = plainTable()
	unhex = unhexTable()
)

func plainTable() (t [256]byte) {
	for c := byte(0x21); c < 0x7f; c++ {
		t[c] = c
	}
	for c := byte('A'); c <= 'Z'; c++ {
		t[c] = c | 0x20
	}
	t['\\'], t['`'] = 0, '\''
	return t
}

func unhexTable() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range int8(10) {
		t['0'+i] = i
	}
	for i := range int8(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}

// FoldString folds a literal as texts are folded.
func FoldString(s string) string {
	var f Folded
	f.Fold(s)
	return string(f.B)
}
