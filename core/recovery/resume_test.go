package recovery_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestNativeResumeIsUsedOnlyWhereItIsProven(t *testing.T) {
	t.Parallel()
	known := func(kind, version string) recovery.Agent {
		return recovery.Agent{Kind: kind, Version: version, SessionKnown: true}
	}
	missing := known("codex", "0.169.0")
	missing.SessionMissing = true
	cases := []struct {
		name  string
		agent recovery.Agent
		want  bool
	}{
		{"claude as proven", known("claude", "2.1.328"), true},
		{"as the CLI prints it", known("claude", "2.1.328 (Claude Code)"), true},
		{"a later patch", known("claude", "2.1.329"), true},
		{"a later minor", known("claude", "2.2.0"), true},
		{"an earlier patch", known("claude", "2.1.327"), false},
		{"an earlier minor", known("claude", "2.0.999"), false},
		{"another major", known("claude", "3.0.0"), false},
		{"a pre-release of the proven one", known("claude", "2.1.328-beta.1"), false},
		{"a pre-release of a later one", known("claude", "2.1.329-beta.1"), true},
		{"a build of the proven one", known("claude", "2.1.328+build.7"), true},
		{"no version", known("claude", ""), false},
		{"no number", known("claude", "latest"), false},
		{"too few numbers", known("claude", "2.2"), false},
		{"a number that overflows", known("claude", "2.2.99999999999999999999"), false},
		{"a fourth number", known("claude", "2.2.0.1"), false},
		{"session unknown", recovery.Agent{Kind: "claude", Version: "2.1.328"}, false},
		{"codex as proven", known("codex", "codex-cli 0.169.0"), true},
		{"codex without a rollout", missing, false},
		{"opencode is not proven", known("opencode", "99.0.0"), false},
		{"another agent", known("amp", "2.1.328"), false},
		{"no agent", known("", "2.1.328"), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := calm(recovery.ContextInteractive)
			f.Effects, f.Agent = toolSeen(), c.agent
			d := decide(f, failure(classification.ProviderOverloaded))
			assert.Equal(t, c.want, d.SendContinue)
			assert.Equal(t, c.want, d.Action == recovery.ActionRetry)
		})
	}
}

func TestGeminiSavesAFirstTurnOnlyAfterAReply(t *testing.T) {
	t.Parallel()
	f := calm(recovery.ContextInteractive)
	f.Agent = recovery.Agent{Kind: "gemini", Version: "0.61.0", SessionKnown: true}
	f.Effects = unknownEffects()
	boundary := func() recovery.Boundary {
		b, _ := recovery.Gate(f, failure(classification.ProviderOverloaded))
		return b
	}
	assert.Equal(t, recovery.BoundaryNone, boundary(), "an unknown reply is no reply")
	f.Agent.EarlierReply = true
	assert.Equal(t, recovery.BoundaryNativeResume, boundary())
	f.Agent.EarlierReply = false
	for _, rise := range []func(*evidence.Effects){
		func(e *evidence.Effects) { e.AssistantOutput = evidence.EffectSeen },
		func(e *evidence.Effects) { e.ToolActivity = evidence.EffectSeen },
	} {
		f.Effects = unknownEffects()
		rise(&f.Effects)
		assert.Equal(t, recovery.BoundaryNativeResume, boundary())
	}
	f.Effects = unknownEffects()
	f.Effects.PartialResult = evidence.EffectSeen
	assert.Equal(t, recovery.BoundaryNone, boundary())
}

func TestResumeTable(t *testing.T) {
	t.Parallel()
	proven := map[string]string{}
	for _, row := range recovery.ResumeTable() {
		assert.NotEmpty(t, row.Syntax)
		proven[row.AgentKind] = row.ProvenFrom
	}
	assert.Equal(t, map[string]string{"claude": "2.1.328", "codex": "0.169.0", "gemini": "0.61.0", "opencode": ""}, proven)
}

func TestVersionsNeverPanicAndNeverInventProof(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := withResume(calm(recovery.ContextInteractive))
		f.Effects = toolSeen()
		f.Agent.Version = rapid.OneOf(rapid.String(), rapid.StringMatching(`[v ]?[0-9.]{0,24}[-+ ]?[a-z0-9]{0,4}`)).Draw(t, "version")
		boundary, _ := recovery.Gate(f, failure(classification.ProviderOverloaded))
		if boundary == recovery.BoundaryNativeResume && !strings.Contains(f.Agent.Version, "2.") {
			t.Fatalf("%q is no version 2", f.Agent.Version)
		}
	})
}

func TestTheContinueInstructionIsShortAndFixed(t *testing.T) {
	t.Parallel()
	text := recovery.ContinueInstruction
	assert.Less(t, len(text), 500)
	for _, word := range []string{"cut off", "provider", "check", "repository", "Do not repeat", "finish the task"} {
		assert.Contains(t, text, word)
	}
	assert.NotContains(t, text, "%", "it takes no parameter, so it can carry no prompt")
	assert.NotContains(t, text, "\n", "it fits one command line argument")
}
