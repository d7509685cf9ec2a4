package evidence

// maxWraps bounds the lines that one credential is broken into.
const maxWraps = 8

// leastWrapped is the size, in bytes, from which the rest of a credential on a
// line of its own is told from a word.
const leastWrapped = 8

// overWraps returns where a finding ends when its credential goes on behind the
// line breaks of a terminal.
func (r *redactor) overWraps(f finding) int {
	switch f.kind {
	case redactedEmail, redactedIP, redactedUser, redactedPrivateKey:
		return f.to
	}
	end := f.to
	for range maxWraps {
		next, ok := r.wrap(end, isBearerChar)
		if !ok {
			break
		}
		end = next
	}
	return end
}

// wrappedRun is the run of chars that begins at from, over line breaks of a
// terminal: where it ends, and how many of its bytes are no break.
func (r *redactor) wrappedRun(from int, chars func(byte) bool) (end, size int) {
	size = runLength(r.text[from:], chars)
	end = from + size
	for range maxWraps {
		gap := lineBreak(r.text[end:])
		next, ok := r.wrap(end, chars)
		if !ok || r.holdsToken(end, next) {
			break // that one will be found by itself, and be gone when this is read again
		}
		size += next - end - gap
		end = next
	}
	return end, size
}

// wrap returns the end of what goes on behind the line break at end; ok is
// false if there is no break, or if a word of prose follows it.
func (r *redactor) wrap(end int, chars func(byte) bool) (next int, ok bool) {
	gap := lineBreak(r.text[end:])
	if gap == 0 {
		return end, false
	}
	from := end + gap
	n := runLength(r.text[from:], chars)
	if n < leastWrapped || !mixes(r.text[from:from+n]) && !r.fillsLine(from, n) {
		return end, false
	}
	if to := from + n; to < len(r.text) && (r.text[to] == ':' || r.text[to] == '(') {
		return end, false // the name of something
	}
	return from + n, true
}

// fillsLine reports that a long run with capitals inside is all that stands on its line.
func (r *redactor) fillsLine(from, n int) bool {
	return n >= 12 && looksRandom(r.text[from:from+n]) && (from+n == len(r.text) || lineBreak(r.text[from+n:]) > 0)
}

// lineBreak is the length of a line break at the start of s, as it is or as it
// is escaped in JSON of any depth, with the blanks around it; 0 if there is none.
func lineBreak(s string) int {
	n := runLength(s[:min(len(s), 4)], isSpace)
	broken := false
	for n < len(s) && n < 160 {
		slashes := runLength(s[n:min(len(s), n+64)], func(c byte) bool { return c == '\\' })
		switch at := n + slashes; {
		case slashes == 0 && (s[n] == '\n' || s[n] == '\r'):
			n, broken = n+1, true
			continue
		case slashes > 0 && at < len(s) && (s[at] == 'n' || s[at] == 'r' || s[at] == 'b'):
			n, broken = at+1, true
			continue
		}
		break
	}
	if !broken {
		return 0
	}
	return n + runLength(s[n:min(len(s), n+4)], isSpace)
}

// mixes reports what no word and no number is made of: digits between letters
// of both cases, a long run of hexadecimal digits, or capitals as often as
// chance sets them.
func mixes(s string) bool {
	k := kindsOf(s)
	switch {
	case k.digit > 0 && k.upper > 0 && k.lower > 0:
		return true
	case k.digit > 0 && k.upper+k.lower > 0 && len(s) >= 16 && allHex(s):
		return true
	}
	return len(s) >= 12 && k.upper > 3 && k.lower > 3 && k.changes*12 >= len(s)*5
}

// leastOpaque is the size from which a run of letters and digits without sense
// is taken for a credential of an unknown shape, or for the rest of one.
const leastOpaque = 20

// opaque finds such a run that begins at i.
func (r *redactor) opaque(i int) finding {
	if i > 0 && r.text[i-1] == '-' {
		return finding{} // the middle of a name
	}
	if n := runLength(r.text[i:min(len(r.text), i+leastWrapped)], isKeyChar); n < leastWrapped {
		return finding{}
	}
	const enough = 512
	end := i + runLength(r.text[i:min(len(r.text), i+enough)], isKeyChar)
	size := end - i
	if size < leastOpaque {
		if lineBreak(r.text[end:]) == 0 || !mixes(r.text[i:end]) {
			return finding{}
		}
		end, size = r.wrappedRun(i, isKeyChar)
	}
	if size < leastOpaque || !opaqueText(r.text[i:end]) || r.holdsToken(i+1, end) {
		return finding{}
	}
	return finding{from: i, to: end + runLength(r.text[end:], isKeyChar), kind: redactedSecret}
}

// holdsToken reports that a credential of an unmistakable shape begins in a
// run: it will be found there, under its own name.
func (r *redactor) holdsToken(from, to int) bool {
	for i := from; i+1 < to; i++ {
		if exactPairs.has(r.text[i], r.text[i+1]) && r.embeddedToken(i).to > 0 {
			return true
		}
	}
	return false
}

// opaqueText reports text that changes between capitals, small letters and
// digits as often as chance does; names and words do not.
func opaqueText(s string) bool {
	k := kindsOf(s)
	return k.upper > 2 && k.lower > 2 && k.digit > 1 && k.changes*3 > len(s)
}

// charKinds counts the kinds of characters of a text, and the places where one
// kind follows another.
type charKinds struct{ upper, lower, digit, changes int }

func kindsOf(s string) (k charKinds) {
	var last *int
	for i := 0; i < len(s); i++ {
		var kind *int
		switch c := s[i]; {
		case isUpper(c):
			kind = &k.upper
		case isLower(c):
			kind = &k.lower
		case isDigit(c):
			kind = &k.digit
		default:
			last = nil
			continue
		}
		*kind++
		if last != nil && last != kind {
			k.changes++
		}
		last = kind
	}
	return k
}
