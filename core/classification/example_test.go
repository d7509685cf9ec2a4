package classification_test

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// A rule is data: what it looks for, and what that means.
func ExampleCompile() {
	rules := []classification.Rule{{
		ID: "house.limit", Code: classification.QuotaLimited, Confidence: classification.High, Scope: classification.ScopeAccount, Priority: 10,
		When: classification.Condition{Text: [][]string{{"house limit reached"}}},
	}}
	c, err := classification.Compile("1.0.0", "example", rules, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Classify(evidence.Envelope{
		ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC),
		Signals:    []evidence.Signal{{Kind: evidence.KindStderr, Text: "ERROR: House limit reached. Try again in 3 hours."}},
	}, classification.Options{})
	fmt.Println(r.Code, r.Class, r.RuleID, r.RetryAfter)
	// Output: quota_limited hard house.limit 3h0m0s
}

// What a model says is never evidence, whatever it says.
func ExampleClassifier_Classify() {
	rules := []classification.Rule{{
		ID: "house.limit", Code: classification.QuotaLimited, Confidence: classification.High, Priority: 10,
		When: classification.Condition{Text: [][]string{{"house limit reached"}}},
	}}
	c, err := classification.Compile("1.0.0", "example", rules, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Classify(evidence.Envelope{
		Signals: []evidence.Signal{{Kind: evidence.KindACPUpdate, Text: "The log says: house limit reached.", Prose: true}},
	}, classification.Options{Explain: true})
	fmt.Println(r.Code, r.Explain.Candidates[0].Lost)
	// Output: unclassified what a tool or model said
}
