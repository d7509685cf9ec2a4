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

// An explanation names every rule that was looked at, and why each lost.
func ExampleClassifier_Classify_explain() {
	c, err := classification.Compile("1.0.0", "example", []classification.Rule{
		{
			ID: "any.429", Code: classification.RateLimited, Confidence: classification.Medium, Priority: 100,
			When: classification.Condition{Status: []classification.StatusRange{{From: 429, To: 429}}},
		},
		{
			ID: "house.limit", Code: classification.QuotaLimited, Confidence: classification.High, Priority: 700,
			When: classification.Condition{Fields: []classification.Field{{Paths: []string{"error.type"}, Values: []string{"house_limit"}}}},
		},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Classify(evidence.Envelope{
		ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC),
		Signals: []evidence.Signal{{
			Kind: evidence.KindHTTP, Status: 429, Text: `{"error": {"type": "house_limit"}}`, Headers: map[string]string{"retry-after": "3600"},
		}},
	}, classification.Options{Explain: true})
	fmt.Println(r.Code, r.Confidence, r.RetryAfter)
	for _, k := range r.Explain.Candidates {
		if k.Won {
			fmt.Println(k.RuleID, "won:", k.Matched)
		} else {
			fmt.Println(k.RuleID, "lost:", k.Lost)
		}
	}
	// Unordered output:
	// quota_limited high 1h0m0s
	// house.limit won: field error.type
	// any.429 lost: outranked by house.limit
}

// The codes are a closed set, each with its class.
func ExampleCodes() {
	for _, info := range classification.Codes()[:3] {
		fmt.Println(info.Code, info.Class, info.Scope)
	}
	// Output:
	// network_unavailable transient provider
	// provider_overloaded transient provider
	// provider_unavailable transient provider
}
