// Package hint reads stated deadlines: when a provider says that a limit ends or
// that a request may be repeated. One parser serves every format; it guesses
// nothing, and keeps a reason for each stated time that it does not take.
package hint

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Zones finds a time zone by its IANA name in any case. It must answer from one
// fixed zone database, so that every machine resolves a wall clock the same way.
type Zones func(name string) (*time.Location, error)

// Context is what stated times are resolved against.
type Context struct {
	Now      time.Time // when the statement was observed
	HostZone string    // IANA zone of the agent's host, "" if unknown
	Zones    Zones     // nil knows UTC only
}

// Reason says why a stated time is not taken.
type Reason string

// The reasons.
const (
	Past       Reason = "past"            // the instant is over, or the wait is zero
	Negative   Reason = "negative"        // a negative wait
	Unparsable Reason = "unparsable"      // a time stands there that cannot be read
	TooFar     Reason = "too_far"         // beyond the cap
	NoZone     Reason = "no_zone"         // a wall clock whose zone is unknown
	DayOnly    Reason = "day_only"        // a day without a time
	Inexact    Reason = "inexact"         // "soon", "about a week"
	OwnTimer   Reason = "own_retry_timer" // the agent's own retry, not the provider's word
)

// The caps on how far away a stated time may be.
const (
	MaxWait      = 8 * 24 * time.Hour
	MaxQuotaWait = 40 * 24 * time.Hour // a monthly allowance
)

// Stated is one stated time: an instant, and how long that is from Context.Now.
// Reason is "" if it may be taken, subject to Check.
type Stated struct {
	At     time.Time
	After  time.Duration
	Source string // the words or the field it was read from, as given to the reader
	// From and To bound the words in the folded text that Text was given; both
	// are 0 for a field.
	From, To int
	Reason   Reason
	// Relative says that a wait was stated, not an instant; At follows from it.
	Relative bool
	Coarse   bool // a clock without seconds: the true instant may be up to a minute later
}

// Check gives the reason to refuse s under a cap, or "".
func (s Stated) Check(limit time.Duration) Reason {
	switch {
	case s.Reason != "":
		return s.Reason
	case s.After < 0:
		return Past
	case s.After == 0:
		return Past
	case s.After > limit:
		return TooFar
	}
	return ""
}

// wait makes a Stated from a duration.
func (c Context) wait(d time.Duration, source string) Stated {
	s := Stated{After: d, At: c.Now.Add(d).UTC(), Source: source, Relative: true}
	if d < 0 {
		s.Reason = Negative
	}
	return s
}

// instant makes a Stated from a point in time.
func (c Context) instant(t time.Time, source string) Stated {
	return Stated{At: t.UTC(), After: t.Sub(c.Now), Source: source}
}

func refuse(why Reason, source string) Stated { return Stated{Reason: why, Source: source} }

// MaxSource is the size in bytes of what Quote gives.
const MaxSource = 80

// Quote makes the source of a stated time of words as they were printed: one
// line, at most MaxSource bytes, cut between two runes.
func Quote(words string) string {
	words = strings.Join(strings.Fields(words), " ")
	if len(words) <= MaxSource {
		return words
	}
	cut := MaxSource
	for cut > 0 && !utf8.RuneStart(words[cut]) {
		cut--
	}
	return strings.TrimSpace(words[:cut])
}

// epoch reads a Unix time in seconds, milliseconds, microseconds or nanoseconds
// by its size; no other unit gives a date of this century.
func epoch(n int64) (time.Time, bool) {
	switch {
	case n >= 1e9 && n < 1e11:
		return time.Unix(n, 0).UTC(), true
	case n >= 1e12 && n < 1e14:
		return time.UnixMilli(n).UTC(), true
	case n >= 1e15 && n < 1e17:
		return time.UnixMicro(n).UTC(), true
	case n >= 1e18:
		return time.Unix(0, n).UTC(), true
	}
	return time.Time{}, false
}
