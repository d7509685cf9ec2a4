package scan

import "bytes"

// Printed gives the part of the original text that folds to B[from:to], or "" if
// it is not found where the marks say. text is the one that was appended with base.
func (f *Folded) Printed(text string, base, from, to int) string {
	if from < 0 || from >= to || to > len(f.B) || len(f.marks) == 0 {
		return ""
	}
	mark := max(0, min(from/markEvery, len(f.marks)-1)-1)
	i := max(0, int(f.marks[mark])-base)
	want := f.B[from:to]
	enough := from - mark*markEvery + len(want) + markEvery
	var again Folded
	var raw []int // offset in text of each byte of again.B
	for i < len(text) && len(again.B) < enough {
		next := i + 1
		if c := plain[text[i]]; c != 0 {
			again.B = append(again.B, c)
		} else {
			next = again.special(text, i)
		}
		for len(raw) < len(again.B) {
			raw = append(raw, i)
		}
		i = next
	}
	at := bytes.Index(again.B, want)
	if at < 0 {
		return ""
	}
	if end := at + len(want); end < len(raw) {
		i = raw[end]
	}
	return text[raw[at]:i]
}
