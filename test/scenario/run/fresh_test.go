package run

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/server/servertest"
)

// An agent that lost its session leaves one way on, and the stop names it.
func TestALostSessionIsBegunFresh(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, s *servertest.Server) {
		claude := h.agent(t, "claude",
			act{out: claudeUsedTool() + claudeOverloaded(), code: 1},
			act{err: "No conversation found with session ID: " + session + "\n", code: 1},
			act{out: claudeOverloaded(), code: 1},
			act{out: claudeAnswered("ok")})
		r := h.run(t, "run", "--", claude, "-p", "hello")
		id := h.wakeups(t)[0]
		next := "agentctl run --continue " + id + " --fresh"
		r.want(t, 1, "stopped: agent_runtime_error", "next: "+next)
		if s != nil {
			api := h.run(t, "wakeups", "get", id)
			sessionID := between(api.out, `"sessionId":"`, `"`)
			h.run(t, "sessions", "fresh", sessionID).want(t, 7, "agentctl run --continue "+id)
			h.run(t, "why", id).want(t, 0)
		}
		h.run(t, "run", "--continue", id, "--fresh").want(t, 0, "starting fresh in a new session", "resuming the agent's own session", "succeeded in run 2")
		all := strings.Join(h.attempts(t, "claude"), "\n")
		if strings.Count(all, "hello") != 2 || strings.Count(all, recovery.FreshInstruction+"hello") != 1 {
			t.Errorf("the bare prompt followed: %s", all)
		}
		_, after, _ := strings.Cut(all, recovery.FreshInstruction)
		if fresh, last, _ := strings.Cut(after, recovery.ContinueInstruction); strings.Contains(strings.Split(fresh, "\n")[0], "--resume") || strings.Contains(last, "hello") {
			t.Errorf("no fresh start, or more after it: %s", all)
		}
	})
}

func between(text, before, after string) string {
	_, text, _ = strings.Cut(strings.ReplaceAll(text, `": "`, `":"`), before)
	text, _, _ = strings.Cut(text, after)
	return text
}

func TestFreshSaysWhyItCannot(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	script := h.agent(t, "script", act{err: "529 overloaded\n", code: 1})
	h.run(t, "run", "--", script, "hello").want(t, 1)
	h.run(t, "run", "--continue", "last", "--fresh").want(t, 5, "it cannot start fresh")
	h.run(t, "run", "--fresh", "--", script).want(t, 2, "--fresh goes on with an older wakeup")
	if n := len(h.attempts(t, "script")); n != 1 {
		t.Errorf("launched %d times, want 1", n)
	}
}
