package catalogue_test

import (
	"testing"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

// Every provider that agents are run with has failures of its own in the corpus,
// and each comes out as labelled.
func TestEveryProviderIsKnown(t *testing.T) {
	t.Parallel()
	right, ids := map[string]int{}, map[string]bool{}
	c := classifier(t)
	eachCase(t, func(k corpus.Case) {
		if ids[k.ID] {
			t.Errorf("two cases are called %s", k.ID)
		}
		ids[k.ID] = true
		r := c.Classify(k.Envelope(), classification.Options{})
		if string(r.Code) == k.ExpectedCode && r.Code != classification.Unclassified {
			right[k.Provider]++
		}
	})
	for _, provider := range []string{
		"anthropic", "openai", "chatgpt", "google", "ai-studio", "vertex", "code-assist", "bedrock", "azure", "openrouter", "xai",
		"mistral", "deepseek", "groq", "cerebras", "ollama", "zai", "moonshot", "github", "github-copilot", "litellm", "bifrost",
	} {
		if right[provider] == 0 {
			t.Errorf("no failure of %s is known", provider)
		}
	}
}
