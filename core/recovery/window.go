package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// Zones finds a time zone by its IANA name.
type Zones func(name string) (*time.Location, error)

const minutesOfDay = 24 * 60

// RunWindow is the hours of the day in which runs may begin. The zero value
// sets no hours.
type RunWindow struct {
	Start int    `json:"start_minute"` // the first minute of the day, 0 to 1439
	End   int    `json:"end_minute"`   // the minute before which runs may begin; before Start it is the next day's
	Zone  string `json:"time_zone"`    // IANA name; "" is no window
}

// Set says that there is a window.
func (w RunWindow) Set() bool { return w != RunWindow{} }

// Validate checks the minutes and that zones knows the zone. The error is a
// *fault.Error of kind InvalidArgument that names the field.
func (w RunWindow) Validate(zones Zones) error {
	switch {
	case !w.Set():
		return nil
	case w.Start < 0 || w.Start >= minutesOfDay:
		return fault.Invalid("run_window.start_minute", "must be between 0 and %d", minutesOfDay-1)
	case w.End < 0 || w.End >= minutesOfDay:
		return fault.Invalid("run_window.end_minute", "must be between 0 and %d", minutesOfDay-1)
	case w.Start == w.End:
		return fault.Invalid("run_window.end_minute", "must not be the start: a window of no length never opens")
	}
	if _, err := w.location(zones); err != nil {
		return fault.Invalid("run_window.time_zone", "must be an IANA time zone, as Europe/London")
	}
	return nil
}

func (w RunWindow) location(zones Zones) (*time.Location, error) {
	if w.Zone == "" || zones == nil {
		return nil, fault.Invalid("run_window.time_zone", "no such zone")
	}
	return zones(w.Zone)
}

// open says whether a run may begin at an instant, given in the window's zone.
func (w RunWindow) open(local time.Time) bool {
	minute := local.Hour()*60 + local.Minute()
	if w.Start < w.End {
		return minute >= w.Start && minute < w.End
	}
	return minute >= w.Start || minute < w.End
}

// longestClosed is how far ahead an opening is looked for: a day whose clocks
// skip the whole window has none.
const longestClosed = 3 * day

// Opening is the first instant at or after t at which the window is open. It
// walks the minutes of the zone's own clock, so that an hour that is skipped or
// repeated needs no rule of its own: a minute that no clock shows opens
// nothing. The error is that of Validate; a window without hours is always open.
func (w RunWindow) Opening(t time.Time, zones Zones) (time.Time, error) {
	if !w.Set() {
		return t, nil
	}
	if err := w.Validate(zones); err != nil {
		return time.Time{}, err
	}
	loc, err := w.location(zones)
	if err != nil {
		return time.Time{}, err
	}
	local := t.In(loc)
	for until := t.Add(longestClosed); !local.After(until); local = nextMinute(local) {
		if w.open(local) {
			return local.UTC(), nil
		}
	}
	return time.Time{}, fault.Invalid("run_window", "does not open within %s", longestClosed)
}

// nextMinute is when the clock shows the next minute.
func nextMinute(local time.Time) time.Time {
	into := time.Duration(local.Second())*time.Second + time.Duration(local.Nanosecond())
	return local.Add(time.Minute - into)
}
