package hint

import (
	"strings"
	"time"
)

// Anchor is a phrase that a stated time follows.
type Anchor struct {
	Words   string
	Seconds bool // a bare number behind it is seconds
	Own     bool // what follows is the agent's own retry timer
}

// Anchors lists every phrase, folded, in a fixed order. A caller that searches a
// text for many literals searches for these in the same pass.
func Anchors() []Anchor { return anchors }

var anchors = []Anchor{
	{Words: "try again in"},
	{Words: "try again at"},
	{Words: "try again after"},
	{Words: "try again on"},
	{Words: "available again"},
	{Words: "retry in"},
	{Words: "retry at"},
	{Words: "retry after", Seconds: true},
	{Words: "retry-after", Seconds: true},
	{Words: "retry_after", Seconds: true},
	{Words: "available in"},
	{Words: "available at"},
	{Words: "resets"},
	{Words: "reset in"},
	{Words: "reset at"},
	{Words: "reset on"},
	{Words: "reset after"},
	{Words: "will reset"},
	{Words: "resetting in"},
	{Words: "resetting at"},
	{Words: "renews in"},
	{Words: "renews at"},
	{Words: "renews on"},
	{Words: "refreshes in"},
	{Words: "refreshes at"},
	{Words: "please wait"},
	{Words: "wait until"},
	{Words: "wait for"},
	{Words: "limited until"},
	{Words: "blocked until"},
	{Words: "unavailable until"},
	{Words: "regain access"},
	{Words: "limit reached|"},
	{Words: "over a rolling"},
	{Words: "将在"},
	{Words: "请在"},
	{Words: "cycle ends"},
	{Words: "try again tomorrow"},
	{Words: "return tomorrow"},
	{Words: "retrying in", Own: true},
	{Words: "retrying after", Own: true},
	{Words: "retrying the request in", Own: true},
	{Words: "reconnecting in", Own: true},
}

// reach is how far behind an anchor a time is looked for, in bytes.
const reach = 96

// lineStart are anchors that are an agent's own timer when they begin a line:
// `Retry in 0.1 seconds.` is a client counting down, `please retry in 44s` a provider.
const lineStart = "retry in"

// Text reads the time behind an anchor that ends at offset end of a folded text;
// ok is false if no time stands there at all.
func Text(folded []byte, end int, a Anchor, ctx Context) (s Stated, ok bool) {
	start := end - len(a.Words)
	window := string(folded[end:min(len(folded), end+reach)])
	if !boundary(folded, start, a) {
		return Stated{}, false
	}
	c := &cursor{s: window}
	s, ok = c.stated(a, ctx)
	if !ok {
		return Stated{}, false
	}
	c.closing()
	s.Source, s.From, s.To = Quote(a.Words+window[:c.i]), start, end+c.i
	if a.Own || a.Words == lineStart && (start == 0 || folded[start-1] == '\n') {
		s.Reason = OwnTimer
	}
	return s, true
}

// closing steps over the bracket that closes one which the words have opened.
func (c *cursor) closing() {
	read := c.s[:c.i]
	if c.peek() == ')' && strings.Count(read, "(") > strings.Count(read, ")") || c.peek() == ']' && strings.Count(read, "[") > strings.Count(read, "]") {
		c.i++
	}
}

// boundary reports whether the anchor stands as words of its own.
func boundary(folded []byte, start int, a Anchor) bool {
	if start < 0 {
		return false
	}
	first := a.Words[0]
	if isLetter(first) && start > 0 && (isLetter(folded[start-1]) || isDigit(folded[start-1])) {
		return false
	}
	return a.Words != "retry-after" || start == 0 || folded[start-1] != '-' // x-retry-after stays a field
}

func (c *cursor) stated(a Anchor, ctx Context) (Stated, bool) {
	if strings.HasSuffix(a.Words, "tomorrow") {
		return refuse(DayOnly, ""), true
	}
	if len(c.s) > 0 && isLetter(c.s[0]) && isLetter(a.Words[len(a.Words)-1]) {
		return Stated{}, false
	}
	approx := c.fillers()
	if s, ok := c.number(a, ctx); ok {
		return s, true
	}
	if d, unit, ok := c.duration(); ok {
		if approx && unit >= day {
			return refuse(Inexact, ""), true
		}
		return ctx.wait(d, ""), true
	}
	if k, ok := c.clock(); ok {
		return c.resolve(k, ctx), true
	}
	return c.vague(ctx)
}

// fillers steps over the words between an anchor and a time.
func (c *cursor) fillers() (approx bool) {
	for {
		c.skip(" \n:\"'=,")
		switch {
		case c.skip("~≈"), c.takeAny("about", "around", "approximately", "roughly"):
			approx = true
		case c.takeAny("at", "on", "in", "after", "again", "until", "for", "another", "date", "time", "up to", "access"):
		default:
			return approx
		}
	}
}

// number reads an epoch, or a bare number of seconds behind a header's name.
func (c *cursor) number(a Anchor, ctx Context) (Stated, bool) {
	mark := c.i
	negative := c.skip("-")
	n, count := c.digits(19)
	if count >= 10 && !isLetter(c.peek()) {
		if t, ok := epoch(n); ok {
			return ctx.instant(t, ""), true
		}
	}
	if count > 0 && count < 10 && a.Seconds && c.endsNumber() {
		if negative {
			n = -n
		}
		return ctx.wait(time.Duration(n)*time.Second, ""), true
	}
	c.i = mark
	return Stated{}, false
}

func (c *cursor) endsNumber() bool {
	if c.done() || strings.IndexByte("\n\"',;})]", c.peek()) >= 0 {
		return true
	}
	return c.peek() == ' ' && !c.unitAhead()
}

func (c *cursor) unitAhead() bool {
	d := &cursor{s: c.s, i: c.i}
	d.skip(" ")
	_, ok := d.unit()
	if ok {
		return true
	}
	d.i = c.i
	d.skip(" ")
	return nameIndex(months, d.word()) >= 0
}

// resolve makes an instant of a clock reading.
func (c *cursor) resolve(k clock, ctx Context) Stated {
	if !k.timed {
		return refuse(DayOnly, "")
	}
	loc, named := c.zone(ctx)
	switch {
	case named && loc == nil:
		return refuse(NoZone, "")
	case !named && (k.numeric || ctx.HostZone == ""):
		return refuse(NoZone, "")
	case !named:
		if loc = ctx.load(strings.ToLower(ctx.HostZone)); loc == nil {
			return refuse(NoZone, "")
		}
	}
	s := ctx.instant(k.next(ctx.Now, loc), "")
	s.Coarse = k.second == 0
	return s
}

// vague reads what names a time without fixing it.
func (c *cursor) vague(ctx Context) (Stated, bool) {
	switch {
	case c.takeAny("tomorrow", "next month", "next week", "next year", "the 1st", "the first"):
		return refuse(DayOnly, ""), true
	case c.takeAny("under a minute", "less than a minute"):
		return ctx.wait(time.Minute, ""), true
	case c.takeAny("soon", "under a", "less than", "later", "a few", "every"):
		return refuse(Inexact, ""), true
	}
	return Stated{}, false
}
