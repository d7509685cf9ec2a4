package hint

import "strings"

// cursor reads a folded text from left to right.
type cursor struct {
	s string
	i int
}

func (c *cursor) rest() string { return c.s[c.i:] }

func (c *cursor) done() bool { return c.i >= len(c.s) }

func (c *cursor) peek() byte {
	if c.done() {
		return 0
	}
	return c.s[c.i]
}

// skip steps over any of the given bytes and reports whether there were some.
func (c *cursor) skip(set string) bool {
	from := c.i
	for !c.done() && strings.IndexByte(set, c.s[c.i]) >= 0 {
		c.i++
	}
	return c.i > from
}

// take steps over a word if it stands here as a whole.
func (c *cursor) take(word string) bool {
	if !strings.HasPrefix(c.rest(), word) {
		return false
	}
	end := c.i + len(word)
	if end < len(c.s) && isLetter(word[len(word)-1]) && isLetter(c.s[end]) {
		return false
	}
	c.i = end
	return true
}

// takeAny steps over the first of the words that stands here.
func (c *cursor) takeAny(words ...string) bool {
	for _, w := range words {
		if c.take(w) {
			return true
		}
	}
	return false
}

// word reads letters.
func (c *cursor) word() string {
	from := c.i
	for !c.done() && isLetter(c.s[c.i]) {
		c.i++
	}
	return c.s[from:c.i]
}

// digits reads at most limit digits; n is how many there were.
func (c *cursor) digits(limit int) (value int64, n int) {
	for n < limit && !c.done() && isDigit(c.s[c.i]) {
		value = value*10 + int64(c.s[c.i]-'0')
		c.i++
		n++
	}
	return value, n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' }
