package run

import (
	"os"
	"path/filepath"
	"testing"
)

const houseRule = `rules:
  - id: own.house.overloaded
    about: the house gateway says that it is overloaded
    code: provider_overloaded
    priority: 990
    provenance: {source: "the gateway's manual", date: "2026-11-30"}
    when: {text: [{any: ["house gateway is full"]}]}
    fixtures:
      match:
        - signal: {stderr: "the house gateway is full"}
      miss:
        - {signal: {stderr: "the house is full"}, code: unclassified}
`

// withRules puts rules of the user's own where agentctl looks for them.
func (h *host) withRules(t *testing.T, text string) {
	t.Helper()
	folder := filepath.Join(h.dir, ".config", "recourse", "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "house.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOfflineDecisionsFollowTheUsersOwnRules(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]bool{"with the rule": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, nil)
			claude := h.agent(t, "claude", act{err: "the house gateway is full\n", code: 1}, act{out: "done\n"})
			if !own {
				h.run(t, "run", "--replay-safe", "--", claude, "-p", "hello").want(t, 1, "stopped: unclassified")
				return
			}
			h.withRules(t, houseRule)
			h.run(t, "run", "--replay-safe", "--", claude, "-p", "hello").want(t, 0, "provider_overloaded", "succeeded in run 2")
		})
	}
}

func TestABadRuleOfTheUsersOwnStopsBeforeTheAgentStarts(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	h.withRules(t, "rules:\n  - id: own.bad\n")
	claude := h.agent(t, "claude", act{out: "done\n"})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 1, "house.yaml", "own.bad")
	if n := len(h.attempts(t, "claude")); n != 0 {
		t.Errorf("launched %d times", n)
	}
}
