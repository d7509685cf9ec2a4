package catalogue_test

import (
	"fmt"
	"testing/fstest"
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

// A rule of one's own is proved together with the embedded ones.
func ExampleLoad() {
	own := fstest.MapFS{"own.yaml": {Data: []byte(`
rules:
  - id: own.house.limit
    about: the house gateway's words for a used-up month
    code: quota_limited
    priority: 720
    provenance: {source: "the gateway's manual", date: "2026-11-30"}
    when: {text: [{any: ["house allowance is gone"]}]}
    fixtures:
      match: [{signal: {stderr: "the house allowance is gone"}}]
      miss: [{signal: {stderr: "the house is gone"}, code: unclassified}]
`)}}
	c, err := catalogue.Load(catalogue.Files(), own)
	if err != nil {
		fmt.Println(err) // every problem, a line each
		return
	}
	r := c.Classifier.Classify(evidence.Envelope{
		AgentKind: "codex", Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: "ERROR: the house allowance is gone"}},
	}, classification.Options{})
	fmt.Println(r.Code, r.RuleID, r.CatalogueVersion)
	// Output: quota_limited own.house.limit 1.0.0+overlay
}
