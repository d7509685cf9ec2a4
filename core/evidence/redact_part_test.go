package evidence_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
)

// The parts of a text, each redacted in its context, hide what the redacted
// whole hides.
func TestPartsHideWhatTheWholeHides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(secrets).Draw(t, "secret")
		around := rapid.SampledFrom(harmless)
		text := around.Draw(t, "before") + "\n" + strings.Replace(s.text, "%s", s.value, 1) + "\n" + around.Draw(t, "after")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		whole, part := evidence.Redact(text), evidence.RedactPart(text, from, to)
		if !strings.Contains(whole, part) {
			t.Fatalf("%q is no part of %q", part, whole)
		}
		if got := evidence.RedactPart(text, 0, len(text)); got != whole {
			t.Fatalf("%q, and as a part %q", whole, got)
		}
	})
}

// A terminal breaks a credential wherever its line ends; the rest hides too.
func TestBrokenCredentials(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"key sk-" + "ant-api03-" + fill(30) + "\n" + fill(30) + "\nfailed":    "key [redacted:api_key]\nfailed",
		"key gh" + "p_" + fill(16) + `\n` + fill(20) + " failed":              "key [redacted:token] failed",
		"key AK" + "IA" + "IOSFODNN7E\nXAMPL2 x":                              "key [redacted:api_key]\nXAMPL2 x",
		"Authorization: Bearer " + fill(20) + "\n  " + fill(20) + "\nnext":    "Authorization: Bearer [redacted:token]\nnext",
		"key sk-" + "proj-" + fill(30) + "\nRateLimitError: slow down":        "key [redacted:api_key]\nRateLimitError: slow down",
		"key sk-" + "proj-" + fill(30) + "\n429 Too Many Requests":            "key [redacted:api_key]\n429 Too Many Requests",
		"key sk-" + "proj-" + fill(30) + "\nrequest failed":                   "key [redacted:api_key]\nrequest failed",
		rep("z", 30) + "\n-----END " + "PRIVATE KEY-----\nrest":               "[redacted:private_key]\nrest",
		"https://jane:" + "hunter2" + evidence.CutMark + "rest":               "https://[redacted:credentials]" + evidence.CutMark + "rest",
		"GenerateRequestsPerDayPerProjectPerModel-FreeTier claude-opus-4-5-1": "GenerateRequestsPerDayPerProjectPerModel-FreeTier claude-opus-4-5-1",
	} {
		if got := evidence.Redact(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
