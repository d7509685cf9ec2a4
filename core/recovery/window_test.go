package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return parsed.UTC()
}

func TestOpenings(t *testing.T) {
	t.Parallel()
	night := recovery.RunWindow{Start: 22 * 60, End: 6 * 60, Zone: "Europe/Berlin"}
	office := recovery.RunWindow{Start: 9*60 + 30, End: 17 * 60, Zone: "America/New_York"}
	skipped := recovery.RunWindow{Start: 2*60 + 10, End: 2*60 + 50, Zone: "Europe/Berlin"}
	overlapsSkip := recovery.RunWindow{Start: 2*60 + 30, End: 3*60 + 30, Zone: "Europe/Berlin"}
	cases := []struct {
		name   string
		window recovery.RunWindow
		from   string
		want   string
	}{
		{"no window", recovery.RunWindow{}, "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"},
		{"open, to the nanosecond as asked", night, "2026-03-01T21:00:00.000000001Z", "2026-03-01T21:00:00.000000001Z"},
		{"one nanosecond early", night, "2026-03-01T20:59:59.999999999Z", "2026-03-01T21:00:00Z"},
		{"after midnight it is still open", night, "2026-03-02T04:59:59Z", "2026-03-02T04:59:59Z"},
		{"its end is closed", night, "2026-03-02T05:00:00Z", "2026-03-02T21:00:00Z"},
		{"the next day", office, "2026-03-02T22:00:00Z", "2026-03-03T14:30:00Z"},
		{"over the change to summer time", office, "2026-03-07T22:30:00Z", "2026-03-08T13:30:00Z"},
		{"over the change to winter time", office, "2026-10-31T21:30:00Z", "2026-11-01T14:30:00Z"},
		{"a window inside the skipped hour opens the day after", skipped, "2026-03-29T00:00:00Z", "2026-03-30T00:10:00Z"},
		{"one that begins in it opens where the hour ends", overlapsSkip, "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"},
		{"the repeated hour opens the first time", recovery.RunWindow{Start: 2*60 + 30, End: 2*60 + 40, Zone: "Europe/Berlin"}, "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"},
		{"and the second time it is open too", recovery.RunWindow{Start: 2*60 + 30, End: 2*60 + 40, Zone: "Europe/Berlin"}, "2026-10-25T00:41:00Z", "2026-10-25T01:30:00Z"},
		{"a zone of half hours", recovery.RunWindow{Start: 0, End: 1, Zone: "Australia/Lord_Howe"}, "2026-06-01T00:00:00Z", "2026-06-01T13:30:00Z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.window.Opening(at(t, c.from), time.LoadLocation)
			require.NoError(t, err)
			assert.Equal(t, at(t, c.want), got)
		})
	}
}

func TestAnOpeningIsInsideSoonAndNeverInThePast(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham", "Africa/Casablanca", "America/Santiago", "Asia/Beirut"}
	rapid.Check(t, func(t *rapid.T) {
		w := recovery.RunWindow{Start: rapid.IntRange(0, 1439).Draw(t, "start"), Zone: rapid.SampledFrom(zones).Draw(t, "zone")}
		w.End = (w.Start + rapid.IntRange(1, 1439).Draw(t, "minutes")) % 1440
		from := time.Unix(rapid.Int64Range(1_577_836_800, 2_208_988_800).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).UTC()
		got, err := w.Opening(from, time.LoadLocation)
		require.NoError(t, err)
		loc, err := time.LoadLocation(w.Zone)
		require.NoError(t, err)
		require.False(t, got.Before(from), "in the past")
		local := got.In(loc)
		minute, length := local.Hour()*60+local.Minute(), (w.End-w.Start+1440)%1440
		require.Less(t, (minute-w.Start+1440)%1440, length, "outside the window")
		limit := 25 * time.Hour
		if length <= 60 && skips(from, loc) {
			limit = 49 * time.Hour // the clocks skip the whole window on one day
		}
		require.LessOrEqual(t, got.Sub(from), limit)
		again, err := w.Opening(got, time.LoadLocation)
		require.NoError(t, err)
		require.Equal(t, got, again, "an opening is its own")
		if got.After(from) {
			before, err := w.Opening(got.Add(-time.Nanosecond), time.LoadLocation)
			require.NoError(t, err)
			require.Equal(t, got, before, "it is the first")
		}
	})
}

// skips says that the zone's clock jumps forward within two days.
func skips(from time.Time, loc *time.Location) bool {
	_, before := from.In(loc).Zone()
	for h := range 50 {
		_, after := from.Add(time.Duration(h) * time.Hour).In(loc).Zone()
		if after > before {
			return true
		}
		before = after
	}
	return false
}

func TestAWindowIsCheckedBeforeItIsTaken(t *testing.T) {
	t.Parallel()
	good := recovery.RunWindow{Start: 60, End: 120, Zone: "UTC"}
	require.NoError(t, good.Validate(time.LoadLocation))
	for field, spoil := range map[string]func(*recovery.RunWindow){
		"run_window.start_minute": func(w *recovery.RunWindow) { w.Start = 1440 },
		"run_window.end_minute":   func(w *recovery.RunWindow) { w.End = w.Start },
		"run_window.time_zone":    func(w *recovery.RunWindow) { w.Zone = "Mars/Olympus" },
	} {
		w := good
		spoil(&w)
		err := w.Validate(time.LoadLocation)
		require.Error(t, err)
		assert.Equal(t, fault.InvalidArgument, fault.From(err).Kind)
		require.Len(t, fault.From(err).Violations, 1)
		assert.Equal(t, field, fault.From(err).Violations[0].Field)
		_, err = w.Opening(noon, time.LoadLocation)
		require.Error(t, err)
	}
	_, err := good.Opening(noon, nil)
	require.Error(t, err, "without zones no window is known")
}
