package run

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/server/servertest"
)

// A resumed run that did nothing proves nothing about the run before it: the
// prompt stays unsent, in one process and over several.
func TestAResumedRunThatDidNothingIsResumedAgain(t *testing.T) {
	t.Parallel()
	acts := []act{
		{out: claudeUsedTool() + claudeOverloaded(), code: 1},
		{out: claudeOverloaded(), code: 1},
		{out: claudeOverloaded(), code: 1},
		{out: claudeAnswered("ok")},
	}
	check := func(t *testing.T, h *host) {
		t.Helper()
		attempts := h.attempts(t, "claude")
		if len(attempts) != len(acts) {
			t.Fatalf("attempts = %q", attempts)
		}
		for _, a := range attempts[1:] {
			if !strings.Contains(a, "--resume|"+session+"|-p|"+recovery.ContinueInstruction) || strings.Contains(a, "hello") {
				t.Errorf("after a tool had run the prompt was sent again: %s", a)
			}
		}
	}
	t.Run("in one process", func(t *testing.T) {
		t.Parallel()
		h := newHost(t, nil)
		claude := h.agent(t, "claude", acts...)
		h.run(t, "run", "--", claude, "-p", "hello").want(t, 0, "succeeded in run 4")
		check(t, h)
	})
	t.Run("in a process of its own each time", func(t *testing.T) {
		t.Parallel()
		h := newHost(t, nil)
		claude := h.agent(t, "claude", acts...)
		h.run(t, "run", "--no-wait", "--", claude, "-p", "hello").want(t, 75)
		h.run(t, "run", "--continue", "last").want(t, 0, "succeeded in run 4")
		check(t, h)
	})
}

// The bound of --wait holds for all parks together: each begins a new cycle of
// retries, and none a new bound.
func TestTheBoundOfWaitIsKeptAcrossParks(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	h.role = roleSwift
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1})
	r := h.run(t, "run", "--wait=10m", "--", claude, "-p", "hello")
	r.want(t, 1, "stopped: provider_overloaded", "longer than the policy waits")
	// 3 retries, a park of 2 minutes, 3 retries, a park of 5, 3 retries; 10 more are too many.
	if n := len(h.attempts(t, "claude")); n != 12 {
		t.Errorf("launched %d times, want 12", n)
	}
}

func TestAPolicyIsTriedAndTheSwitchIsMovedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 0)

	h.write(t, "strict.yaml", "transient: {on_exhausted: ON_EXHAUSTED_STOP}\nhard: {on_exhausted: ON_EXHAUSTED_STOP}\n")
	h.run(t, "simulate", "--preset", "interactive").prints(t, "provider_overloaded", "retry", "1 failures: 0 waited, 1 retried, 0 switched, 0 parked, 0 stopped; 0 changed")
	h.run(t, "simulate", "--policy", "strict.yaml", "--since", "7d", "--code", "provider_overloaded").prints(t, "stop: policy", "yes", "1 stopped; 1 changed")
	totals := h.run(t, "simulate", "--policy", "strict.yaml", "-o", "json").object(t)["totals"].(map[string]any)
	if totals["changed"] != 1.0 || totals["stopped"] != 1.0 {
		t.Errorf("totals = %v", totals)
	}
	h.write(t, "cases.jsonl", `{"id":"a","agent":"claude","phase":"pre_output","signals":[{"kind":"stderr","text":"API Error: 529 Overloaded"}]}`+"\n")
	h.run(t, "simulate", "--preset", "patient", "--cases", "cases.jsonl").prints(t, "case 1", "1 failures")

	h.write(t, "bad.yaml", "transient: {on_exhausted: ON_EXHAUSTED_STOP, retrry: {}}\nhard: {on_exhausted: ON_EXHAUSTED_STOP}\n")
	h.run(t, "simulate", "--policy", "bad.yaml").want(t, 2, "bad.yaml:1", "retrry")
	h.write(t, "odd.yaml", "transient: {on_exhausted: ON_EXHAUSTED_STOP, retry: {enabled: true, max_retries: 99, initial_interval: 5s}}\nhard: {on_exhausted: ON_EXHAUSTED_STOP}\n")
	h.run(t, "simulate", "--policy", "odd.yaml").want(t, 2, "classes.transient.retry.max_retries")
	h.run(t, "simulate", "--policy", "missing.yaml").want(t, 6)
	h.run(t, "simulate").want(t, 2, "--policy FILE or --preset NAME")

	h.run(t, "workspaces", "update", "--recovery-off").prints(t, "default", "policy", "true")
	h.run(t, "workspaces", "update", "--recovery-off=false", "--name", "Ours").prints(t, "Ours", "false")
	got := h.run(t, "workspaces", "get", "-o", "json").object(t)
	if got["displayName"] != "Ours" || got["recoveryMode"] != "RECOVERY_MODE_POLICY" {
		t.Errorf("workspace = %v", got)
	}
	h.run(t, "workspaces", "update").want(t, 2, "say what to change")
	h.run(t, "workspaces", "update", "--recovery-mode", "off").want(t, 2, "use policy or terminal")
}

// Whoever waits is told when recovery is switched off, and may go on later.
func TestTheOffSwitchEndsAWaitOnThisHost(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "it waits", func() bool { return strings.Contains(p.err.String(), "the same command again in") })
	h.run(t, "workspaces", "update", "--recovery-off").want(t, 0)
	p.wait(t).want(t, 1, "stopped: provider_overloaded", "recovery is switched off in this workspace", "next: agentctl run --continue "+h.wakeups(t)[0])
	h.run(t, "recoveries", "list", "--person").prints(t, "parked")
	h.run(t, "run", "--continue", "last").want(t, 0)
}
