package hint

import (
	"math"
	"time"
)

const day = 24 * time.Hour

// units by their spellings; a plural s and a dot are dropped before the look-up.
var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond,
	"ms": time.Millisecond, "msec": time.Millisecond, "millisecond": time.Millisecond, "milli": time.Millisecond,
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": day, "day": day,
	"w": 7 * day, "wk": 7 * day, "week": 7 * day,
	"秒": time.Second, "秒钟": time.Second, "分": time.Minute, "分钟": time.Minute,
	"小时": time.Hour, "个小时": time.Hour, "天": day,
}

// maxDuration keeps sums far from overflow.
const maxDuration = 3650 * day

// duration reads `2 days 17 hours 14 minutes`, `1m30.5s`, `23h 59m`, `28ms` or
// `an hour`; unit is the largest one named. It leaves the cursor where it was if
// no duration stands there.
func (c *cursor) duration() (total, unit time.Duration, ok bool) {
	last := time.Duration(math.MaxInt64)
	for {
		mark := c.i
		if ok {
			c.skip(" \n,")
			c.take("and")
		}
		c.skip(" \n")
		n, u, found := c.term()
		if !found || u >= last {
			c.i = mark
			return total, unit, ok
		}
		if !ok {
			unit = u
		}
		last, ok = u, true
		if n > float64(maxDuration)/float64(u) {
			return maxDuration, unit, true
		}
		total += time.Duration(math.Round(n * float64(u)))
	}
}

// term reads one number with its unit.
func (c *cursor) term() (n float64, unit time.Duration, ok bool) {
	if c.takeAny("a few", "several") {
		return 0, 0, false
	}
	if c.takeAny("an", "a", "one") {
		n = 1
	} else if n, ok = c.decimal(); !ok {
		return 0, 0, false
	}
	c.skip(" \n-")
	unit, ok = c.unit()
	return n, unit, ok
}

func (c *cursor) unit() (time.Duration, bool) {
	from := c.i
	for !c.done() && (isLetter(c.s[c.i]) || c.s[c.i] >= 0x80) {
		c.i++
	}
	name := c.s[from:c.i]
	if u, ok := units[name]; ok {
		return u, true
	}
	if len(name) > 2 && name[len(name)-1] == 's' {
		if u, ok := units[name[:len(name)-1]]; ok {
			return u, true
		}
	}
	return c.longestUnit(from, name)
}

// longestUnit finds a unit glued to other words of a script without blanks.
func (c *cursor) longestUnit(from int, name string) (time.Duration, bool) {
	for end := min(len(name), 12); end > 0; end-- {
		if u, ok := units[name[:end]]; ok && name[0] >= 0x80 {
			c.i = from + end
			return u, true
		}
	}
	return 0, false
}

// decimal reads an unsigned number with an optional fraction.
func (c *cursor) decimal() (float64, bool) {
	whole, n := c.digits(12)
	if n == 0 {
		return 0, false
	}
	v := float64(whole)
	if c.peek() == '.' && c.i+1 < len(c.s) && isDigit(c.s[c.i+1]) {
		c.i++
		scale := 0.1
		for !c.done() && isDigit(c.s[c.i]) {
			v += scale * float64(c.s[c.i]-'0')
			scale /= 10
			c.i++
		}
	}
	return v, true
}
