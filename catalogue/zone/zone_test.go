package zone_test

import (
	"testing"
	"time"

	"github.com/recourse-dev/recourse/catalogue/zone"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"europe/berlin": "2026-07-01T14:00:00+02:00", "America/Port_of_Spain": "2026-07-01T08:00:00-04:00",
		"ASIA/CALCUTTA": "2026-07-01T17:30:00+05:30", "utc": "2026-07-01T12:00:00Z",
	} {
		loc, err := zone.Find(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).In(loc).Format(time.RFC3339); got != want {
			t.Errorf("%s: noon is %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "europe", "Mars/Olympus", "../etc/passwd"} {
		if loc, err := zone.Find(name); err == nil {
			t.Errorf("%q is a zone: %v", name, loc)
		}
	}
}

// A new database changes results, so it must change the digest that is stored with them.
func TestDigest(t *testing.T) {
	t.Parallel()
	const known = "8f55634d05f8bca1f7bc7c69c5933428c69357e0bdf565e5ba224e3f88ff12e8"
	if got := zone.Digest(); got != known {
		t.Errorf("the database is %s; adjust Release and this test together", got)
	}
}
