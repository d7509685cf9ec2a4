package run

import (
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/server/servertest"
)

// both runs a test on this host alone and against the real server.
func both(t *testing.T, test func(t *testing.T, h *host, s *servertest.Server), options ...servertest.Option) {
	t.Helper()
	t.Run("offline", func(t *testing.T) {
		t.Parallel()
		test(t, newHost(t, nil), nil)
	})
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		s := servertest.Start(t, options...)
		test(t, newHost(t, s), s)
	})
}

func TestPlainTextIsRepeatedOnlyWhenDeclaredRepeatable(t *testing.T) {
	t.Parallel()
	t.Run("declared, with the delays of production", func(t *testing.T) {
		t.Parallel()
		h := newHost(t, nil)
		h.role = roleReal
		claude := h.agent(t, "claude", act{out: overloadedText + "\n", code: 1}, act{out: overloadedText + "\n", code: 1}, act{out: "done\n"})
		began := time.Now()
		r := h.run(t, "run", "--replay-safe", "--", claude, "-p", "hello")
		r.want(t, 0, "no server is configured", "(1/5)", "(2/5)", "succeeded in run 3")
		if n := len(h.attempts(t, "claude")); n != 3 {
			t.Errorf("launched %d times, want 3", n)
		}
		if took := time.Since(began); took < 15*time.Second {
			t.Errorf("took %s: the first two delays are 5 and 10 s at least", took)
		}
	})
	// As prose, and as the provider's own body: neither shows what was done before.
	for name, text := range map[string]string{"prose": overloadedText, "body": overloadedBody} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, h *host, _ *servertest.Server) {
				claude := h.agent(t, "claude", act{out: text + "\n", code: 1}, act{out: "done\n"})
				r := h.run(t, "run", "--", claude, "-p", "hello")
				r.want(t, 1, "stopped: provider_overloaded", "effects_observed", "its output cannot show", "agentctl run --replay-safe --continue")
				if n := len(h.attempts(t, "claude")); n != 1 {
					t.Errorf("launched %d times, want once", n)
				}
				if !strings.Contains(r.out, text) {
					t.Errorf("the agent's text is gone: %q", r.out)
				}
			})
		})
	}
}

func TestEventsThatShowNoEffectsAreRetriedWithoutTheFlag(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("All done.")})
		r := h.start(t, "more input", "run", "--", claude, "-p", "hello").wait(t)
		r.want(t, 0, "the same command again", "succeeded in run 2")
		if r.out != "All done.\n" {
			t.Errorf("stdout = %q: only the answer belongs there", r.out)
		}
		attempts := h.attempts(t, "claude")
		if len(attempts) != 2 || attempts[0] == attempts[1] {
			t.Fatalf("attempts = %q, want two with sessions of their own", attempts)
		}
		for i, a := range attempts {
			if !strings.HasPrefix(a, "-p|hello|--output-format|stream-json|--verbose|--session-id|") {
				t.Errorf("attempt %d: %s", i+1, a)
			}
			if in := h.read(t, "claude.home", "stdin."+string(rune('1'+i))); in != "more input" {
				t.Errorf("attempt %d read %q from standard input", i+1, in)
			}
		}
	})
}

func TestAfterAToolTheAgentsOwnSessionIsResumed(t *testing.T) {
	t.Parallel()
	t.Run("claude", func(t *testing.T) {
		t.Parallel()
		both(t, func(t *testing.T, h *host, _ *servertest.Server) {
			claude := h.agent(t, "claude", act{out: claudeUsedTool() + claudeOverloaded(), code: 1}, act{out: claudeAnswered("The rest is done.")})
			r := h.start(t, "the prompt", "run", "--", claude, "--model", "opus", "-p", "hello").wait(t)
			r.want(t, 0, "resuming its own session", "resuming the agent's own session with the continue instruction")
			attempts := h.attempts(t, "claude")
			want := "--model|opus|--output-format|stream-json|--verbose|--resume|" + session + "|-p|" + recovery.ContinueInstruction + "|"
			if len(attempts) != 2 || attempts[1] != want {
				t.Errorf("attempts = %q, want the second %q", attempts, want)
			}
			if in := h.read(t, "claude.home", "stdin.2"); in != "" {
				t.Errorf("the prompt was sent again on standard input: %q", in)
			}
		})
	})
	t.Run("codex", func(t *testing.T) {
		t.Parallel()
		both(t, func(t *testing.T, h *host, _ *servertest.Server) {
			codex := h.agent(t, "codex", act{out: codexBegan() + codexRan() + codexFailed("Selected model is at capacity. Please try a different model."), code: 1}, act{out: codexAnswered("The rest is done.")})
			r := h.run(t, "run", "--", codex, "exec", "-s", "read-only", "hello")
			r.want(t, 0, "model_capacity", "resuming its own session")
			attempts := h.attempts(t, "codex")
			want := []string{"exec|--json|-s|read-only|hello|", "exec|--json|-s|read-only|resume|" + thread + "|" + recovery.ContinueInstruction + "|"}
			if strings.Join(attempts, "\n") != strings.Join(want, "\n") {
				t.Errorf("attempts = %q, want %q", attempts, want)
			}
			if r.out != "The rest is done.\n" {
				t.Errorf("stdout = %q", r.out)
			}
		})
	})
}

func TestAContinuedSessionIsNeverSentThePromptAgain(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		claude := h.agent(t, "claude",
			act{out: claudeUsedTool() + claudeOverloaded(), code: 1},
			act{out: claudeFailed("Invalid API key · Fix external API key", "authentication_failed", 401), code: 1},
			act{out: claudeAnswered("ok")})
		h.run(t, "run", "--", claude, "-p", "hello").want(t, 1, "stopped: auth_required")
		h.run(t, "run", "--continue", "last").want(t, 0)
		attempts := h.attempts(t, "claude")
		if len(attempts) != 3 {
			t.Fatalf("attempts = %q", attempts)
		}
		for _, a := range attempts[1:] {
			if !strings.Contains(a, "--resume|"+session+"|-p|"+recovery.ContinueInstruction) {
				t.Errorf("after a tool had run the prompt was sent again: %s", a)
			}
		}
	})
}

func TestEveryRetryIsUsedUpAndThenItStops(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1})
	r := h.run(t, "run", "--", claude, "-p", "hello")
	r.want(t, 1, "(5/5)", "stopped: provider_overloaded", "every retry is used up", "next: agentctl run --continue ")
	if n := len(h.attempts(t, "claude")); n != 6 {
		t.Errorf("launched %d times, want 6", n)
	}
}
