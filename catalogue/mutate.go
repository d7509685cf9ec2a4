package catalogue

import (
	"slices"

	"github.com/recourse-dev/recourse/core/classification"
)

// Needed reports whether dropping a rule changes the answer to one of its own
// fixtures: the mutation that shows that the fixtures hold the rule in place.
func Needed(c *Catalogue, id string) bool {
	rest := c.Classifier.Without(id)
	for _, e := range c.entries {
		if e.compiled.ID != id {
			continue
		}
		for _, f := range slices.Concat(e.source.GetFixtures().GetMatch(), e.source.GetFixtures().GetMiss()) {
			env, err := envelope(f)
			if err != nil {
				return false
			}
			before := c.Classifier.Classify(env, classification.Options{})
			after := rest.Classify(env, classification.Options{})
			if before.RuleID != after.RuleID || before.AgentRetrying != after.AgentRetrying {
				return true
			}
		}
	}
	return false
}
