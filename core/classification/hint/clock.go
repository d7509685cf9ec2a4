package hint

import (
	"strings"
	"time"
)

// clock is a wall-clock reading as printed.
type clock struct {
	year, month, day     int // 0 if not named
	weekday              int // 0 Sunday …, -1 if not named
	hour, minute, second int
	timed                bool // a time of day is named
	numeric              bool // an ISO-like date: printed by a server, never in a host's own zone
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// clock reads a date, a weekday, a time of day, or a date with a time.
func (c *cursor) clock() (k clock, ok bool) {
	k.weekday = -1
	mark := c.i
	switch {
	case c.isoDate(&k), c.usDate(&k), c.monthDate(&k), c.dayMonth(&k):
		ok = true
	case c.weekdayName(&k):
		ok = true
		if c.skip(" ,\n"); c.monthDate(&k) || c.dayMonth(&k) {
			k.weekday = -1
		}
	}
	before := c.i
	c.skip(" \n,")
	if ok && c.peek() == 't' && c.i+1 < len(c.s) && isDigit(c.s[c.i+1]) {
		c.i++
	}
	c.takeAny("at", "um", ",")
	c.skip(" \n")
	if c.timeOfDay(&k) {
		return k, true
	}
	c.i = before
	if !ok {
		c.i = mark
	}
	return k, ok
}

func (c *cursor) isoDate(k *clock) bool {
	mark := c.i
	y, n := c.digits(4)
	if n == 4 && (c.peek() == '-' || c.peek() == '/') {
		sep := c.s[c.i : c.i+1]
		c.i++
		m, mn := c.digits(2)
		if mn > 0 && c.skip(sep) {
			if d, dn := c.digits(2); dn > 0 && validDate(int(m), int(d)) {
				k.year, k.month, k.day, k.numeric = int(y), int(m), int(d), true
				return true
			}
		}
	}
	c.i = mark
	return false
}

// usDate reads 11/17/2025, month first.
func (c *cursor) usDate(k *clock) bool {
	mark := c.i
	m, mn := c.digits(2)
	if mn > 0 && c.peek() == '/' {
		c.i++
		d, dn := c.digits(2)
		if dn > 0 && c.peek() == '/' {
			c.i++
			if y, yn := c.digits(4); yn == 4 && validDate(int(m), int(d)) {
				k.year, k.month, k.day, k.numeric = int(y), int(m), int(d), true
				return true
			}
		}
	}
	c.i = mark
	return false
}

// monthDate reads `Sep 18th, 2026`, `Feb 7` or `October 9`.
func (c *cursor) monthDate(k *clock) bool {
	mark := c.i
	m := nameIndex(months, c.word())
	c.skip(" .\n")
	d, n := c.digits(2)
	if m < 0 || n == 0 || !validDate(m+1, int(d)) || c.peek() == ':' {
		c.i = mark
		return false
	}
	c.takeAny("st", "nd", "rd", "th")
	k.month, k.day = m+1, int(d)
	c.year(k)
	return true
}

// dayMonth reads `18 September 2026`.
func (c *cursor) dayMonth(k *clock) bool {
	mark := c.i
	d, n := c.digits(2)
	c.takeAny("st", "nd", "rd", "th")
	if n > 0 && c.skip(" ") {
		if m := nameIndex(months, c.word()); m >= 0 && validDate(m+1, int(d)) {
			k.month, k.day = m+1, int(d)
			c.year(k)
			return true
		}
	}
	c.i = mark
	return false
}

func (c *cursor) year(k *clock) {
	mark := c.i
	c.skip(" ,\n")
	if y, n := c.digits(4); n == 4 && y > 2000 && y < 2200 && c.peek() != ':' {
		k.year = int(y)
		return
	}
	c.i = mark
}

func (c *cursor) weekdayName(k *clock) bool {
	mark := c.i
	if d := nameIndex(weekdays, c.word()); d >= 0 {
		k.weekday = d
		return true
	}
	c.i = mark
	return false
}

// timeOfDay reads `4pm`, `4:05 PM`, `23:30`, `00:04:00.5`, `4 a.m.` or `midnight`.
func (c *cursor) timeOfDay(k *clock) bool {
	mark := c.i
	if c.take("midnight") {
		k.timed = true
		return true
	}
	if c.take("noon") {
		k.hour, k.timed = 12, true
		return true
	}
	h, n := c.digits(2)
	if n == 0 {
		c.i = mark
		return false
	}
	k.hour, k.timed = int(h), c.minutes(k)
	half := c.half()
	if half != 0 {
		k.timed = k.hour >= 1 && k.hour <= 12
		k.hour = k.hour%12 + half - 1
	}
	if !k.timed || k.hour > 23 || k.minute > 59 || k.second > 60 {
		*k = clock{year: k.year, month: k.month, day: k.day, weekday: k.weekday, numeric: k.numeric}
		c.i = mark
		return false
	}
	return true
}

func (c *cursor) minutes(k *clock) bool {
	if c.peek() != ':' {
		return false
	}
	mark := c.i
	c.i++
	m, n := c.digits(2)
	if n != 2 {
		c.i = mark
		return false
	}
	k.minute = int(m)
	if c.peek() == ':' {
		c.i++
		if s, sn := c.digits(2); sn == 2 {
			k.second = int(s)
		}
		if c.peek() == '.' && c.i+1 < len(c.s) && isDigit(c.s[c.i+1]) {
			c.i++
			c.digits(9)
		}
	}
	return true
}

// half reads am (1) or pm (13); 0 if neither stands there.
func (c *cursor) half() int {
	mark := c.i
	c.skip(" \n")
	switch {
	case c.takeAny("am", "a.m.", "a.m"):
		return 1
	case c.takeAny("pm", "p.m.", "p.m"):
		return 13
	}
	c.i = mark
	return 0
}

// nameIndex finds a name by its first three letters; the rest must be its continuation.
func nameIndex(names []string, word string) int {
	if len(word) < 3 {
		return -1
	}
	for i, n := range names {
		if strings.HasPrefix(word, n) && strings.HasPrefix(long[n], word) {
			return i
		}
	}
	return -1
}

var long = map[string]string{
	"jan": "january", "feb": "february", "mar": "march", "apr": "april", "may": "may", "jun": "june",
	"jul": "july", "aug": "august", "sep": "september", "oct": "october", "nov": "november", "dec": "december",
	"sun": "sunday", "mon": "monday", "tue": "tuesday", "wed": "wednesday", "thu": "thursday", "fri": "friday", "sat": "saturday",
}

func validDate(month, day int) bool { return month >= 1 && month <= 12 && day >= 1 && day <= 31 }

// next is the first instant after now that the clock shows in a zone. A reading
// of the running minute is its end: what prints clocks drops the seconds.
func (k clock) next(now time.Time, zone *time.Location) time.Time {
	local := now.In(zone)
	y, m, d := local.Date()
	if k.year != 0 {
		return time.Date(k.year, time.Month(k.month), k.day, k.hour, k.minute, k.second, 0, zone)
	}
	switch {
	case k.month != 0:
		t := time.Date(y, time.Month(k.month), k.day, k.hour, k.minute, k.second, 0, zone)
		if t.After(now) || k.running(t, now) {
			return k.roundUp(t, now)
		}
		return time.Date(y+1, time.Month(k.month), k.day, k.hour, k.minute, k.second, 0, zone)
	case k.weekday >= 0:
		d += (k.weekday - int(local.Weekday()) + 7) % 7
		t := time.Date(y, m, d, k.hour, k.minute, k.second, 0, zone)
		if !t.After(now) {
			t = time.Date(y, m, d+7, k.hour, k.minute, k.second, 0, zone)
		}
		return t
	}
	t := time.Date(y, m, d, k.hour, k.minute, k.second, 0, zone)
	if t.After(now) || k.running(t, now) {
		return k.roundUp(t, now)
	}
	return time.Date(y, m, d+1, k.hour, k.minute, k.second, 0, zone)
}

func (k clock) running(t, now time.Time) bool {
	return k.second == 0 && !t.After(now) && now.Sub(t) < time.Minute
}

func (k clock) roundUp(t, now time.Time) time.Time {
	if k.running(t, now) {
		return t.Add(time.Minute)
	}
	return t
}
