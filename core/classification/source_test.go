package classification_test

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/evidence"
)

// A hint's source are the words as they were printed.
func TestHintSources(t *testing.T) {
	t.Parallel()
	c := compile(t, limit("a.one", 10, when{Text: words("hit your limit")}), limit("a.two", 5, when{Status: []classification.StatusRange{{From: 429, To: 429}}}))
	for _, x := range []struct {
		in   evidence.Signal
		want string
	}{
		{stderr("You've hit your limit · Resets 3:48PM (UTC)"), "Resets 3:48PM (UTC)"},
		{stderr("You've hit your limit. Try again in 2 Days 5 Hours. Thank you"), "Try again in 2 Days 5 Hours"},
		{stderr(strings.Repeat("Every line \u2502 is a Line\n", 50) + "You've hit your limit:\x1b[1m Try again\n in  5 Minutes!"), "Try again in 5 Minutes"},
		{stderr("You've hit your limit · resets at midnight [UTC]"), "resets at midnight [UTC]"},
		{stderr(`{"error":{"message":"You've hit your limit. Please retry after 7s"}}`), "retry after 7s"},
		{evidence.Signal{Kind: evidence.KindACPError, Text: "You've hit your limit", Data: `{"note":"Resets 3PM (UTC)"}`}, "Resets 3PM (UTC)"},
		{evidence.Signal{Kind: evidence.KindHTTP, Status: 429, Headers: map[string]string{"retry-after": "7"}}, "header retry-after 7"},
		{evidence.Signal{Kind: evidence.KindHTTP, Status: 429, Text: `{"error":{"resetsInSeconds":120}}`}, "resetsInSeconds 120"},
		{evidence.Signal{Kind: evidence.KindHTTP, Status: 429, Text: `{"details":[{"retryDelay":"45.1s"}]}`}, "retryDelay 45.1s"},
	} {
		r := c.Classify(envelope(x.in), classification.Options{})
		if r.HintSource != x.want {
			t.Errorf("%q: got %q (%+v), want %q", x.in.Text, r.HintSource, r.HintRejections, x.want)
		}
	}
	long := stderr("You've hit your limit. Resets 4PM (" + strings.Repeat("Aa/Bb", 60) + ")")
	r := c.Classify(envelope(long), classification.Options{})
	if len(r.HintRejections) == 0 || len(r.HintRejections[0].Text) > hint.MaxSource || !strings.HasPrefix(r.HintRejections[0].Text, "Resets 4PM (") {
		t.Errorf("%+v", r.HintRejections)
	}
}

// What stands around an excerpt says what in it is secret.
func TestExcerptsAreRedactedInTheirContext(t *testing.T) {
	t.Parallel()
	c := compile(t, limit("a.one", 10, when{Text: words("hit your limit")}))
	cause := "\nError: You've hit your limit"
	body := strings.Repeat("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n", 40)
	for name, x := range map[string]struct{ text, hidden string }{
		"a private key":       {"-----BEGIN " + "PRIVATE KEY-----\n" + body + "-----END " + "PRIVATE KEY-----" + cause, "zzzz"},
		"a cut private key":   {body + "-----END " + "PRIVATE KEY-----" + cause, "zzzz"},
		"a cookie":            {"Cookie: " + strings.Repeat("a=b; ", 60) + "c=hunter" + cause, "hunter"},
		"an address behind":   {`{"m":"You've hit your limit","u":"https://jane:` + strings.Repeat("p", 600) + `@h.test/"}`, "ppp"},
		"a quoted passphrase": {`{"passphrase":"` + strings.Repeat("correct horse ", 30) + `"}` + cause, "horse"},
	} {
		r := c.Classify(envelope(stderr(x.text)), classification.Options{})
		if strings.Contains(r.SafeExcerpt, x.hidden) || !strings.Contains(r.SafeExcerpt, "hit your limit") || !strings.Contains(r.SafeExcerpt, "[redacted:") {
			t.Errorf("%s: %q", name, r.SafeExcerpt)
		}
	}
}
