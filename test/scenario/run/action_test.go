package run

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/server/servertest"
)

// The actions of a person at the server, and an agentctl that supervises.

// lastRun is the newest run of the server.
func (h *host) lastRun(t *testing.T) (run struct{ RunID, State, Outcome, Send, SessionID string }) {
	t.Helper()
	r := h.run(t, "runs", "list", "--limit", "1", "-o", "json")
	r.want(t, 0)
	if err := json.Unmarshal([]byte(r.out), &run); err != nil {
		t.Fatalf("%q: %v", r.out, err)
	}
	return run
}

// prints checks that it worked and what standard output holds.
func (r result) prints(t *testing.T, texts ...string) {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d; stderr:\n%s", r.code, r.err)
	}
	for _, text := range texts {
		if !strings.Contains(r.out, text) {
			t.Errorf("standard output lacks %q:\n%s", text, r.out)
		}
	}
}

func TestARunThatIsStoppedAtTheServerEnds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeUsedTool(), sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent has begun", func() bool {
		return len(h.attempts(t, "claude")) == 1 && h.lastRun(t).State == "RUN_STATE_DELIVERED"
	})
	stop := h.run(t, "runs", "stop", h.lastRun(t).RunID)
	stop.want(t, 0, "asked to end it")
	stop.prints(t, "delivered")
	asked := time.Now()
	until(t, "it is told", func() bool { return strings.Contains(p.err.String(), "a person asked to end this run") })
	if told := time.Since(asked); told > time.Second {
		t.Errorf("told after %s", told)
	}
	r := p.wait(t)
	id := h.wakeups(t)[0]
	r.want(t, 3, "stopped: a person asked the server to end this run", "until: ", "next: agentctl run --continue "+id)
	last := h.lastRun(t)
	if last.State != "RUN_STATE_SETTLED" || last.Outcome != "RUN_OUTCOME_CANCELLED" {
		t.Errorf("run %+v", last)
	}
	h.run(t, "runs", "stop", last.RunID).want(t, 7, "RUN_ALREADY_SETTLED")
	h.run(t, "sessions", "get", last.SessionID).prints(t, `"SESSION_STATE_STOPPED"`, `"actions":[]`)
	h.run(t, "why", id).prints(t, "a person asked the server to stop this run", "agentctl run --continue "+id)
	if n := len(h.attempts(t, "claude")); n != 1 {
		t.Errorf("launched %d times", n)
	}
}

func TestAStubbornAgentThatIsStoppedIsKilled(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	tool := h.agent(t, "tool", act{sleep: true})
	h.write(t, "tool", strings.Replace(h.read(t, "tool"), "#!/bin/sh\n", "#!/bin/sh\ntrap '' TERM INT\n", 1))
	p := h.start(t, "", "run", "--", tool)
	until(t, "the agent has begun", func() bool {
		return len(h.attempts(t, "tool")) == 1 && h.lastRun(t).State == "RUN_STATE_DELIVERED"
	})
	h.run(t, "runs", "stop", h.lastRun(t).RunID).want(t, 0)
	p.wait(t).want(t, 3, "stopped: a person asked")
}

func TestRetryNowWakesWhoWaits(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	reset := time.Now().Add(2 * time.Hour)
	claude := h.agent(t, "claude", act{out: claudeLimit(reset.Unix()), code: 1}, act{out: claudeAnswered("ok")})
	p := h.start(t, "", "run", "--wait", "--", claude, "-p", "hello")
	until(t, "it waits", func() bool { return strings.Contains(p.err.String(), "the same command again in") })
	id := h.wakeups(t)[0]
	h.run(t, "recoveries", "list").prints(t, "scheduled_retry", "quota_limited", "retry_now,cancel_wait")
	h.run(t, "why", id).prints(t, "you may", "agentctl wakeups retry "+id+"; agentctl wakeups cancel "+id)
	h.run(t, "wakeups", "retry", id).prints(t, "queued")
	p.wait(t).want(t, 0, "succeeded in run 2")
	h.run(t, "wakeups", "retry", id).want(t, 7, "STALE_VERSION", "is completed now")
	h.run(t, "wakeups", "cancel", id).want(t, 7, "STALE_VERSION")
	h.run(t, "recoveries", "list").want(t, 0)
}

func TestAContinueByTheAgentsOwnSessionIsOnRecordAsOne(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeUsedTool() + claudeFailed("Invalid API key", "authentication_failed", 401), code: 1}, act{out: claudeAnswered("ok")})
	h.run(t, "run", "--agent", "claude", "--", claude, "-p", "hello").want(t, 1, "stopped: auth_required")
	h.run(t, "run", "--continue", "last").want(t, 0, "going on as wakeup")
	if last := h.lastRun(t); last.Send != "SEND_KIND_CONTINUE" {
		t.Errorf("the run is on record as %s", last.Send)
	}
	if args := h.attempts(t, "claude"); len(args) != 2 || !strings.Contains(args[1], "--resume|"+session) {
		t.Errorf("attempts %q", args)
	}
}
