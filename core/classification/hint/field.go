package hint

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// form is how the value of a field is read.
type form int

const (
	seconds form = iota + 1 // a number of seconds, a duration, or a date
	millis                  // a number of milliseconds
	point                   // an epoch, a date, a duration, or a small number of seconds
)

// fields by name, lower case and without punctuation. The rank orders them when
// one message has several: the exact instant first, then waits, then windows.
var fields = map[string]struct {
	form form
	rank int
}{
	"resetsat": {point, 9}, "resetsinseconds": {seconds, 8}, "resetinseconds": {seconds, 8},
	"retrydelay": {seconds, 7}, "quotaresetdelay": {seconds, 6}, "quotaresettimestamp": {point, 5},
	"resetat": {point, 5}, "resetseconds": {seconds, 5}, "resetafterseconds": {seconds, 5}, "resettime": {point, 4},
	"retryafterms": {millis, 4}, "xmsretryafterms": {millis, 4}, "retryafterseconds": {seconds, 4}, "retryafter": {seconds, 3},
	"anthropicratelimitunifiedreset": {point, 2}, "xcodexprimaryresetat": {point, 1}, "xcodexsecondaryresetat": {point, 1},
	"anthropicratelimitunified5hreset": {point, 1}, "anthropicratelimitunified7dreset": {point, 1},
	"anthropicratelimittokensreset": {point, 1}, "anthropicratelimitrequestsreset": {point, 1},
	"anthropicratelimitinputtokensreset": {point, 1}, "anthropicratelimitoutputtokensreset": {point, 1},
	"xratelimitreset": {point, 1}, "xratelimitresetrequests": {point, 1}, "xratelimitresettokens": {point, 1}, "ratelimitreset": {point, 1},
}

// Fields lists the names of the fields that state times.
func Fields() []string { return slices.Collect(maps.Keys(fields)) }

// Rank says how much a field's word counts against another field's; 0 means
// that the name is no hint. The name must be lower case without punctuation.
func Rank(name string) int { return fields[name].rank }

// Field reads a field's value. The name is as for Rank.
func Field(name, value string, ctx Context) (s Stated, ok bool) {
	f, known := fields[name]
	value = strings.TrimSpace(value)
	if !known || value == "" || value == "null" || value == "None" {
		return Stated{}, false
	}
	source := Quote(name + " " + value)
	switch f.form {
	case millis:
		s, ok = ctx.scaled(value, time.Millisecond)
	case seconds:
		s, ok = ctx.scaled(value, time.Second)
	default:
		s, ok = ctx.point(value)
	}
	if !ok {
		s = refuse(Unparsable, source)
	}
	s.Source = source
	return s, true
}

// scaled reads a number in a unit, a duration with units, or a date.
func (c Context) scaled(value string, unit time.Duration) (Stated, bool) {
	if v, err := strconv.ParseFloat(value, 64); err == nil {
		if v >= 1e9 {
			return c.point(value)
		}
		if !(v > -1e9) {
			return Stated{}, false
		}
		return c.wait(time.Duration(v*float64(unit)), ""), true
	}
	return c.point(value)
}

// point reads an epoch, an RFC 3339 or HTTP date, or a duration.
func (c Context) point(value string) (Stated, bool) {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		if t, ok := epoch(n); ok {
			return c.instant(t, ""), true
		}
		if n < 1e9 {
			return c.wait(time.Duration(n)*time.Second, ""), true
		}
		return Stated{}, false
	}
	// A fraction of a second says nothing more; a whole number was read above.
	if v, err := strconv.ParseFloat(value, 64); err == nil && v >= 1e9 && v < 1e15 {
		if t, ok := epoch(int64(v)); ok {
			return c.instant(t, ""), true
		}
		return Stated{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} {
		if t, err := time.Parse(layout, value); err == nil {
			return c.instant(t, ""), true
		}
	}
	k := &cursor{s: strings.ToLower(value)}
	negative := k.skip("-")
	if d, _, ok := k.duration(); ok && k.done() {
		if negative {
			d = -d
		}
		return c.wait(d, ""), true
	}
	if r, ok := k.clock(); ok && !negative {
		return k.resolve(r, c), true
	}
	return Stated{}, false
}
