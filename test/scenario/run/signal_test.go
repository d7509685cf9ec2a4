package run

import (
	"strings"
	"syscall"
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestTheFirstInterruptIsTheAgentsOwn(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
	p.signal(t, syscall.SIGINT)
	p.wait(t).want(t, 130)
	if n := len(h.attempts(t, "claude")); n != 1 {
		t.Errorf("launched %d times after an interrupt", n)
	}
}

func TestAStubbornAgentIsKilled(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	tool := h.agent(t, "tool", act{sleep: true})
	stubborn := strings.Replace(h.read(t, "tool"), "#!/bin/sh\n", "#!/bin/sh\ntrap '' TERM INT\n", 1)
	h.write(t, "tool", stubborn)
	p := h.start(t, "", "run", "--", tool)
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "tool")) == 1 })
	p.signal(t, syscall.SIGINT)
	p.signal(t, syscall.SIGTERM)
	p.wait(t).want(t, 137, "ending the agent")
}

func TestTwoInterruptsEndAWait(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		h.role = roleReal
		claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
		p := h.start(t, "", "run", "--", claude, "-p", "hello")
		until(t, "it waits", func() bool { return strings.Contains(p.err.String(), "the same command again in") })
		p.signal(t, syscall.SIGINT)
		until(t, "it asks", func() bool { return strings.Contains(p.err.String(), "interrupt again to stop") })
		p.signal(t, syscall.SIGINT)
		p.wait(t).want(t, 130, "cancelled by user", "agentctl run --continue "+h.wakeups(t)[0])
		if n := len(h.attempts(t, "claude")); n != 1 {
			t.Errorf("launched %d times", n)
		}
		h.run(t, "run", "--continue", h.wakeups(t)[0]).want(t, 0, "going on as wakeup")
	})
}

func TestAnAgentThatOnlyRetriesByItselfIsEndedAfterTheBudget(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{out: claudeRetries(529, "overloaded"), sleep: true}, act{out: claudeAnswered("ok")})
	r := h.run(t, "run", "--", claude, "-p", "hello")
	r.want(t, 0, "the agent retries by itself (overloaded)", "did nothing but retry by itself", "provider_overloaded: the same command again")
}

func TestSilenceEndsNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
	other := h.agent(t, "codex", act{out: codexBegan() + line(`{"type":"error","message":%q}`, "Reconnecting... waiting for network (Connection failed: error sending request)"), sleep: true}, act{out: codexAnswered("ok")})
	// The other one is over its budget by now, so the silent one has been
	// silent for longer than that.
	h.run(t, "run", "--", other, "exec", "hello").want(t, 0, "did nothing but retry by itself")
	select {
	case <-p.ended:
		t.Errorf("a silent agent was ended:\n%s", p.err.String())
	default:
	}
}
