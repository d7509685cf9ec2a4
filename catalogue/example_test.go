package catalogue_test

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

func ExampleEmbedded() {
	c, err := catalogue.Embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Classify(evidence.Envelope{
		AgentKind: "claude", Provider: "anthropic", ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC),
		Signals: []evidence.Signal{{Kind: evidence.KindStdout, Text: "You've hit your weekly limit · resets Jun 4 at 9am (Europe/Paris)"}},
	}, classification.Options{})
	fmt.Println(r.Code, r.Confidence, r.Throttle, r.ResetAt.Format(time.RFC3339))
	// Output: quota_limited high long 2026-06-04T07:00:00Z
}
