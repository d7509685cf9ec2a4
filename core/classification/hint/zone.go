package hint

import (
	"strings"
	"time"
)

// ambiguous abbreviations stand for different offsets in different countries.
var ambiguous = map[string]bool{"cst": true, "ist": true, "bst": true, "ast": true, "sst": true, "wst": true}

// offsets of zone abbreviations that mean one offset wherever they are printed.
var offsets = map[string]int{
	"utc": 0, "gmt": 0, "z": 0,
	"pst": -8, "pdt": -7, "mst": -7, "mdt": -6, "cdt": -5, "est": -5, "edt": -4,
	"cet": 1, "cest": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}

// zone reads what names a zone behind a clock: `(Europe/Berlin)`, `UTC`, `+08:00`,
// `+0800 CST`, `PDT`. Named says that something stands there; a zone that is
// named and unknown gives nil.
func (c *cursor) zone(ctx Context) (loc *time.Location, named bool) {
	mark := c.i
	c.skip(" \n")
	open := c.skip("([")
	if loc, ok := c.offset(); ok {
		return loc, true
	}
	from := c.i
	for !c.done() && (isLetter(c.peek()) || isDigit(c.peek()) || strings.IndexByte("/_-+", c.peek()) >= 0) {
		c.i++
	}
	name := c.s[from:c.i]
	if h, ok := offsets[name]; ok {
		if loc, ok := c.offset(); ok {
			return loc, true
		}
		return time.FixedZone(strings.ToUpper(name), h*3600), true
	}
	if strings.Contains(name, "/") {
		return ctx.load(name), true
	}
	if ambiguous[name] || open && c.peek() == ')' {
		return ctx.load(name), true
	}
	c.i = mark
	return nil, false
}

// offset reads +0800, +08:00, -7 or z.
func (c *cursor) offset() (*time.Location, bool) {
	mark := c.i
	sign := 1
	switch c.peek() {
	case '-':
		sign = -1
	case '+':
	default:
		return nil, false
	}
	c.i++
	h, n := c.digits(2)
	var m int64
	if n == 2 {
		c.skip(":")
		m, _ = c.digits(2)
	}
	if n == 0 || h > 14 || m > 59 {
		c.i = mark
		return nil, false
	}
	return time.FixedZone("", sign*int(h*3600+m*60)), true
}

// load gives a named zone, or nil.
func (ctx Context) load(name string) *time.Location {
	if name == "utc" || name == "UTC" {
		return time.UTC
	}
	if ctx.Zones == nil || name == "" {
		return nil
	}
	loc, err := ctx.Zones(name)
	if err != nil {
		return nil
	}
	return loc
}
