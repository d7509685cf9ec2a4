package scan_test

import (
	"slices"
	"testing"

	"github.com/recourse-dev/recourse/core/classification/scan"
)

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []int
	}{
		{"api error: 529 overloaded", []int{529}},
		{"http 429: the usage limit", []int{429}},
		{"http/1.1 401 unauthorized", []int{401}},
		{"unexpected status 503 service unavailable: x", []int{503}},
		{"error code: 429 - {'error'", []int{429}},
		{`{"status":402,"x":1}`, []int{402}},
		{"failed (http 401).", []int{401}},
		{"402 you have no quota", []int{402}},
		{"[429] monthly usage limit", []int{429}},
		{"got 503 service unavailable", []int{503}},
		{"room 402 is available", nil},
		{"processed 402 records", nil},
		{"port 4290 and 1.429.0 and 429.5", nil},
		{"req_0429 x429 429x", nil},
		{"limit 500 per day", nil},
		{"connect 127.0.0.1:401", nil},
	} {
		var got []int
		scan.Statuses([]byte(c.text), func(s, _ int) { got = append(got, s) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
	}
}
