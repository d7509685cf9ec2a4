package hint_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification/hint"
)

// zones answers from the few zones that the tests name, so that they need no database.
func zones(name string) (*time.Location, error) {
	for _, z := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Europe/London"} {
		if strings.EqualFold(z, name) {
			return time.LoadLocation(z)
		}
	}
	return nil, errors.New("no such zone")
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// find gives the last stated time of a text, as a caller with a matcher would find it.
func find(text string, ctx hint.Context) (hint.Stated, bool) {
	var last hint.Stated
	best, ok := -1, false
	for _, a := range hint.Anchors() {
		for from := 0; ; {
			i := strings.Index(text[from:], a.Words)
			if i < 0 {
				break
			}
			from += i + len(a.Words)
			if s, found := hint.Text([]byte(text), from, a, ctx); found && from > best {
				last, best, ok = s, from, true
			}
		}
	}
	return last, ok
}

var now = at("2026-09-28T13:00:00Z") // a Monday

func TestTextDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"try again in 2 days 17 hours 14 minutes.":          65*time.Hour + 14*time.Minute,
		"try again in 5 days 22 hours 11\nminutes.":         142*time.Hour + 11*time.Minute,
		"please wait 621 hours 54 minutes before":           621*time.Hour + 54*time.Minute,
		"try again in ~4381 min.":                           4381 * time.Minute,
		"resets in 4hr 19min.":                              4*time.Hour + 19*time.Minute,
		"(resets in 3h 21min)...":                           3*time.Hour + 21*time.Minute,
		"resets in 164h27m24s.":                             164*time.Hour + 27*time.Minute + 24*time.Second,
		"your quota will reset after 1h43m56s":              time.Hour + 43*time.Minute + 56*time.Second,
		"reset in 5 days 10 hours":                          130 * time.Hour,
		"the limit resets in 7d, please":                    7 * 24 * time.Hour,
		"please retry in 44.097740004s.":                    44*time.Second + 97740004,
		"please retry in 900.2ms.":                          900*time.Millisecond + 200*time.Microsecond,
		"please try again in 23m58.56s. need more":          23*time.Minute + 58*time.Second + 560*time.Millisecond,
		"try again in 28ms":                                 28 * time.Millisecond,
		"try again in 6h0m":                                 6 * time.Hour,
		"please try again in 1m30.5s":                       90*time.Second + 500*time.Millisecond,
		"resets in: 3 hours":                                3 * time.Hour,
		"please retry after 2196 seconds":                   2196 * time.Second,
		"retry-after: 90":                                   90 * time.Second,
		"retry-after: 90 seconds":                           90 * time.Second,
		`"retry-after":"40"}`:                               40 * time.Second,
		"retry-after: wed, 30 sep 2026 13:00:00 gmt":        48 * time.Hour,
		"your rate limit resets in ~6s":                     6 * time.Second,
		"usage resets over a rolling 24-hour window":        24 * time.Hour,
		"please try again in a minute":                      time.Minute,
		"please retry in 5 minutes 3 hours ago we":          5 * time.Minute,
		"resets 10:40pm (utc). then try again in 3 minutes": 3 * time.Minute,
		"请在 30 秒后重试":                                        30 * time.Second,
	} {
		s, ok := find(text, hint.Context{Now: now})
		if !ok || s.Check(hint.MaxQuotaWait) != "" || (s.After-want).Abs() > time.Microsecond {
			t.Errorf("%q: got %v (%v, %v), want %v", text, s.After, ok, s.Check(hint.MaxQuotaWait), want)
		}
	}
}

func TestTextClocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, now, host, want string }{
		{"resets 5pm (europe/berlin)", "2026-07-01T10:00:00Z", "", "2026-07-01T15:00:00Z"},
		{"resets 5:40pm (europe/berlin)", "2026-12-01T17:00:00Z", "", "2026-12-02T16:40:00Z"},
		{"resets 5:30am (asia/kolkata)", "2026-07-10T22:00:00Z", "", "2026-07-11T00:00:00Z"},
		{"resets 2am (europe/london)", "2026-03-28T23:00:00Z", "", "2026-03-29T01:00:00Z"}, // first instant of summer time
		{"resets 3:30am (europe/berlin)", "2026-10-24T23:00:00Z", "", "2026-10-25T02:30:00Z"},
		{"resets monday 9am (america/new_york)", "2026-09-28T15:00:00Z", "", "2026-10-05T13:00:00Z"},
		{"resets jan 2 at 6am (utc)", "2026-12-30T10:00:00Z", "", "2027-01-02T06:00:00Z"},
		{"resets feb 7, 11am (america/new_york)", "2026-02-04T03:00:00Z", "", "2026-02-07T16:00:00Z"},
		{"will reset at 12am (utc)", "2026-03-18T13:00:00Z", "", "2026-03-19T00:00:00Z"},
		{"resets 12pm (utc)", "2026-03-18T13:00:00Z", "", "2026-03-19T12:00:00Z"},
		{"resets 23:30 (utc)", "2026-05-13T20:00:00Z", "", "2026-05-13T23:30:00Z"},
		{"resets at midnight utc", "2026-05-13T20:00:00Z", "", "2026-05-14T00:00:00Z"},
		{"limit reached|1750708800", "2025-06-23T16:00:00Z", "", "2025-06-23T20:00:00Z"},
		{"try again at 12:04 am pdt.", "2026-04-15T20:00:00Z", "", "2026-04-16T07:04:00Z"},
		{"will reset at 2026-07-30 16:11:46 +0800 cst.", "2026-07-30T06:00:00Z", "", "2026-07-30T08:11:46Z"},
		{"regain access on 2025-12-01 at 00:00 utc.", "2025-11-30T00:00:00Z", "", "2025-12-01T00:00:00Z"},
		{"rate-limited until 2026-04-16t00:04:00z", "2026-04-15T23:50:00Z", "", "2026-04-16T00:04:00Z"},
		{"try again at sep 18th, 2026 12:04 am.", "2026-09-17T12:00:00Z", "America/New_York", "2026-09-18T04:04:00Z"},
		{"try again at 1:00 am.", "2024-01-01T00:00:00Z", "UTC", "2024-01-01T01:00:00Z"},
		{"try again at 12:00 am.", "2024-01-01T00:00:20Z", "UTC", "2024-01-01T00:01:00Z"}, // the running minute
		{"resets oct 9 at 5am", "2026-10-05T00:00:00Z", "UTC", "2026-10-09T05:00:00Z"},
	} {
		s, ok := find(c.text, hint.Context{Now: at(c.now), HostZone: c.host, Zones: zones})
		if !ok || s.Check(hint.MaxWait) != "" || !s.At.Equal(at(c.want)) {
			t.Errorf("%q: got %v (%v, %q), want %v", c.text, s.At, ok, s.Check(hint.MaxWait), c.want)
		}
	}
}

func TestTextRefusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]hint.Reason{
		"resets 2am":                               hint.NoZone,
		"resets 4pm (mars/olympus)":                hint.NoZone,
		"resets at 4 a.m. (asia/<...>)":            hint.NoZone,
		"resets 4pm cst":                           hint.NoZone,
		"will reset at 2026-10-06 22:19:54":        hint.NoZone,
		"您的限额将在 2026-12-09 18:08:11 重置":            hint.NoZone,
		"cycle ends on 11/17/2026":                 hint.DayOnly,
		"resets friday":                            hint.DayOnly,
		"resets on the 1st.":                       hint.DayOnly,
		"resets next month":                        hint.DayOnly,
		"please try again tomorrow":                hint.DayOnly,
		"resets soon":                              hint.Inexact,
		"will reset in ~1 week":                    hint.Inexact,
		"retrying in 35 seconds... (attempt 8/10)": hint.OwnTimer,
		"x\nretry in 0.1 seconds.":                 hint.OwnTimer,
		"try again at 2020-01-01t00:00:00z":        hint.Past,
		"retry after 0 seconds":                    hint.Past,
		"try again in 9 days":                      hint.TooFar,
		"limit reached|1950708800":                 hint.TooFar,
	} {
		s, ok := find(text, hint.Context{Now: now, Zones: zones})
		if !ok || s.Check(hint.MaxWait) != want {
			t.Errorf("%q: got %q (%v), want %q", text, s.Check(hint.MaxWait), ok, want)
		}
	}
}

func TestNoStatedTime(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"limits reset every 5h and every week.", "try again later", "please wait a moment",
		"presets in 5 minutes", "the model resets the counter", "api retry 9/10 after 38000ms", "timed out after 180000ms",
	} {
		if s, ok := find(text, hint.Context{Now: now, HostZone: "UTC", Zones: zones}); ok {
			t.Errorf("%q: got %+v", text, s)
		}
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		want        time.Duration
		reason      hint.Reason
	}{
		{"retryafter", "7", 7 * time.Second, ""},
		{"retryafter", "Mon, 28 Sep 2026 13:01:00 GMT", time.Minute, ""},
		{"retryafter", "not-a-number", 0, hint.Unparsable},
		{"retryafter", "-5", -5 * time.Second, hint.Negative},
		{"retryafterms", "1500", 1500 * time.Millisecond, ""},
		{"retrydelay", "45.123s", 45*time.Second + 123*time.Millisecond, ""},
		{"quotaresetdelay", "539.477544ms", 539477544, ""},
		{"quotaresettimestamp", "2026-09-28T14:00:00Z", time.Hour, ""},
		{"resetsinseconds", "8464", 8464 * time.Second, ""},
		{"resetsat", "1790600460", time.Minute, ""},
		{"resetsat", "1790600460.5", time.Minute, ""},
		{"resetsat", "1.7906004605e9", time.Minute, ""},
		{"resetsat", "1e300", 0, hint.Unparsable},
		{"xratelimitreset", "1790600460000", time.Minute, ""},
		{"xratelimitresettokens", "6m0s", 6 * time.Minute, ""},
		{"xratelimitresetrequests", "120ms", 120 * time.Millisecond, ""},
		{"anthropicratelimittokensreset", "2026-09-28T13:00:17Z", 17 * time.Second, ""},
		{"resettime", "3h49m51s", 3*time.Hour + 49*time.Minute + 51*time.Second, ""},
		{"resetsat", "1577836800", 0, hint.Past},
		{"retryafter", "1e300", 0, hint.Unparsable},
	} {
		s, ok := hint.Field(c.name, c.value, hint.Context{Now: now})
		got := s.Check(hint.MaxWait)
		if !ok || got != c.reason || c.reason == "" && s.After != c.want {
			t.Errorf("%s=%s: got %v %q (%v)", c.name, c.value, s.After, got, ok)
		}
	}
	if _, ok := hint.Field("message", "5", hint.Context{Now: now}); ok {
		t.Error("a field that is no hint gave one")
	}
}

// Whatever stands behind an anchor: an accepted time is after now, within the
// cap, and a later observer never waits for an earlier instant.
func TestAcceptedTimesAreSound(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"in ", "at ", "on ", "am", "pm", " (utc)", " (europe/berlin)", "days ", "h", "m", "s", "ms", "mon ", "feb ", "2026-", ":", ",", " ", "\n", "+02:00", "|", "-"}),
		rapid.StringMatching(`[0-9]{1,13}`), rapid.StringMatching(`[a-z]{1,4}`),
	)
	anchor := rapid.SampledFrom(hint.Anchors())
	rapid.Check(t, func(t *rapid.T) {
		a := anchor.Draw(t, "anchor")
		text := a.Words + " " + strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "rest"), "")
		first := at("2026-01-01T00:00:00Z").Add(time.Duration(rapid.Int64Range(0, 365*86400).Draw(t, "now")) * time.Second)
		later := first.Add(time.Duration(rapid.Int64Range(0, 86400).Draw(t, "later")) * time.Second)
		s1, ok1 := hint.Text([]byte(text), len(a.Words), a, hint.Context{Now: first, HostZone: "Europe/Berlin", Zones: zones})
		s2, ok2 := hint.Text([]byte(text), len(a.Words), a, hint.Context{Now: later, HostZone: "Europe/Berlin", Zones: zones})
		if ok1 != ok2 {
			t.Fatalf("%q is a time at one moment only", text)
		}
		for _, s := range []hint.Stated{s1, s2} {
			if ok1 && s.Check(hint.MaxWait) == "" && (s.After <= 0 || s.After > hint.MaxWait) {
				t.Fatalf("%q: accepted a wait of %v", text, s.After)
			}
		}
		if ok1 && s1.Check(hint.MaxQuotaWait) == "" && s2.Check(hint.MaxQuotaWait) == "" && s2.At.Before(s1.At) {
			t.Fatalf("%q: %v, seen later %v", text, s1.At, s2.At)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("resets sep 18th, 2026 12:04 am (europe/berlin)", int64(1790000000))
	f.Add("try again in 1m30.5s", int64(1))
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		ctx := hint.Context{Now: time.Unix(unix%4102444800, 0).UTC(), HostZone: "Asia/Kolkata", Zones: zones}
		if s, ok := find(text, ctx); ok && s.Check(hint.MaxQuotaWait) == "" {
			if s.After <= 0 || s.After > hint.MaxQuotaWait || s.At.Sub(ctx.Now) != s.After {
				t.Fatalf("%q: %+v", text, s)
			}
		}
		for _, name := range []string{"retryafter", "resetsat", "retrydelay", "retryafterms"} {
			if s, ok := hint.Field(name, text, ctx); ok && s.Check(hint.MaxWait) == "" && (s.After <= 0 || s.After > hint.MaxWait) {
				t.Fatalf("%s=%q: %+v", name, text, s)
			}
		}
	})
}

func TestQuoteIsOneBoundedLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringN(0, 200, -1).Draw(t, "words")
		got := hint.Quote(words)
		if len(got) > hint.MaxSource || strings.ContainsAny(got, "\n\t") || utf8.ValidString(words) && !utf8.ValidString(got) {
			t.Fatalf("%q became %q", words, got)
		}
		if !strings.HasPrefix(strings.Join(strings.Fields(words), " "), got) {
			t.Fatalf("%q is not the head of %q", got, words)
		}
	})
}
