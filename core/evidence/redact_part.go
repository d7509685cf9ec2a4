package evidence

import "strings"

// How much around a part of a text is read to know what in it is secret.
const (
	partLine  = 2048 // bytes before it, for the key or the header on its line
	partBlock = 8192 // bytes before it, for the beginning of a private key
	partAfter = 1024 // bytes behind it, for the end of what begins in it
)

// RedactPart returns text[from:to] redacted, where the text around it says what
// is secret: half of a private key, of a cookie or of an address shows nothing
// by itself. A placeholder that hides something in the part is kept whole.
func RedactPart(text string, from, to int) string {
	to = min(max(to, 0), len(text))
	from = min(max(from, 0), to)
	low := lineBefore(text, from)
	if from > 0 {
		before := text[max(0, from-partBlock):from]
		if begin := strings.LastIndex(before, "-----BEGIN "); begin > strings.LastIndex(before, "-----END ") {
			low = min(low, from-len(before)+begin)
		}
	}
	high := min(len(text), to+partAfter)
	r := redactor{text: text[low:high], partFrom: from - low, partTo: to - low}
	return r.run()
}

// lineBefore is the beginning of the line that from stands on, at most partLine before it.
func lineBefore(text string, from int) int {
	low := max(0, from-partLine)
	if i := strings.LastIndexByte(text[low:from], '\n'); i >= 0 {
		return low + i + 1
	}
	return low
}
