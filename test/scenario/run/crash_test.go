package run

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

func TestKilledDuringTheWaitItIsTakenOver(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		h.role = roleReal // so that there is a wait to be killed in
		claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
		p := h.start(t, "the input", "run", "--", claude, "-p", "hello")
		until(t, "it waits", func() bool { return strings.Contains(p.err.String(), "the same command again in") })
		p.signal(t, syscall.SIGKILL)
		<-p.ended
		id := h.wakeups(t)[0]
		why := h.run(t, "why", id)
		if !strings.Contains(why.out, "it waits for its next run, due") || !strings.Contains(why.out, "agentctl run --continue "+id) {
			t.Errorf("why says:\n%s", why.out)
		}
		r := h.run(t, "run", "--continue", id)
		r.want(t, 0, "succeeded in run 2")
		if in := h.read(t, "claude.home", "stdin.2"); r.out != "ok\n" || in != "the input" {
			t.Errorf("stdout %q, second input %q", r.out, in)
		}
		if n := len(h.attempts(t, "claude")); n != 2 {
			t.Errorf("launched %d times, want 2", n)
		}
		h.run(t, "run", "--continue", id).want(t, 0, "it has succeeded")
	})
}

func TestNoWaitLeavesItForContinue(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		h.role = roleReal // so that it is never due at once
		claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
		r := h.run(t, "run", "--no-wait", "--", claude, "-p", "hello")
		id := h.wakeups(t)[0]
		r.want(t, 75, "waiting: provider_overloaded", "next: agentctl run --continue "+id)
		h.run(t, "run", "--continue", "last").want(t, 0, "succeeded in run 2")
	})
	newHost(t, nil).run(t, "run", "--continue", "last").want(t, 6, "this host has run nothing")
}

func TestOnlyOneProcessRunsAWakeup(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
	h.run(t, "run", "--continue", h.wakeups(t)[0]).want(t, 7, "another agentctl on this host")
	p.signal(t, syscall.SIGTERM)
	p.wait(t)
}

var childPID = regexp.MustCompile(`"kind":"delivered"[^\n]*"pid":(\d+)`)

// untilDelivered waits until the journal says that the agent was started: it
// runs a moment before that is written.
func (h *host) untilDelivered(t *testing.T, id string) {
	t.Helper()
	until(t, "the delivery is in the journal", func() bool { return childPID.MatchString(h.journal(t, id)) })
}

// killChild ends the agent that a killed agentctl left behind.
func (h *host) killChild(t *testing.T, id string) {
	t.Helper()
	found := childPID.FindStringSubmatch(h.journal(t, id))
	if found == nil {
		t.Fatal("the journal has no child")
	}
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	until(t, "the agent is gone", func() bool { return syscall.Kill(pid, 0) != nil })
}

func TestKilledWhileTheAgentRunsItIsNeverSentAgainByItself(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{sleep: true}, act{out: claudeAnswered("ok")})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
	id := h.wakeups(t)[0]
	h.untilDelivered(t, id)
	p.signal(t, syscall.SIGKILL)
	<-p.ended
	h.run(t, "run", "--continue", id).want(t, 8, "may still be running as process")
	h.killChild(t, id)
	h.run(t, "run", "--continue", id).want(t, 5, "how it ended is not known", "next: ", "--replay-safe --continue "+id)
	if n := len(h.attempts(t, "claude")); n != 1 {
		t.Fatalf("launched %d times without a person", n)
	}
	h.run(t, "run", "--replay-safe", "--continue", id).want(t, 0, "going on as wakeup")
}

func TestKilledBetweenPermissionAndStartItIsLeftForAPerson(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, s *servertest.Server) {
		claude := h.agent(t, "claude", act{sleep: true}, act{out: claudeAnswered("ok")})
		if s != nil {
			h.env = append(h.env, "AGENTCTL_SERVER="+newDetour(t, s.URL, "MarkDelivered").url)
		}
		p := h.start(t, "", "run", "--", claude, "-p", "hello")
		until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
		id := h.wakeups(t)[0]
		h.untilDelivered(t, id)
		p.signal(t, syscall.SIGKILL)
		<-p.ended
		h.killChild(t, id)
		h.forgetDelivery(t, id)

		h.run(t, "run", "--continue", id).want(t, 5, "ambiguous_delivery", "never sent again by itself", "--replay-safe --continue "+id)
		if n := len(h.attempts(t, "claude")); n != 1 {
			t.Fatalf("launched %d times without a person", n)
		}
		if s == nil {
			h.run(t, "run", "--replay-safe", "--continue", id).want(t, 0)
			return
		}
		api := s.Client(t, s.AdminToken)
		until(t, "the server asks a person", func() bool {
			answer, err := api.Recovery.GetWakeup(t.Context(), &recoursev1.GetWakeupRequest{WakeupId: id})
			return err == nil && answer.GetWakeup().GetAttention() == recoursev1.Attention_ATTENTION_PERSON
		})
		h.run(t, "run", "--continue", id).want(t, 5, "ambiguous_delivery")
	}, shortLease)
}

// shortLease lets a server give a run up within seconds, and a busy
// machine keep a lease.
var shortLease = servertest.Configure(func(c *config.Config) { c.Lease = 6 * time.Second })

// forgetDelivery cuts the journal where a crash right after the permission to
// send would have left it, in the middle of the next record.
func (h *host) forgetDelivery(t *testing.T, id string) {
	t.Helper()
	log := h.journal(t, id)
	cut := strings.Index(log, `{"kind":"delivered"`)
	if cut < 0 {
		t.Fatalf("no delivery in the journal:\n%s", log)
	}
	path := filepath.Join(h.dir, "state", "recourse", "agentctl", "wakeups", id, "log.jsonl")
	if err := os.WriteFile(path, []byte(log[:cut+10]), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestARestartOfTheServerDuringTheWaitLosesNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.Listen = freeAddress(t) }))
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "it waits", func() bool { return strings.Contains(p.err.String(), "the same command again in") })
	s.Restart(t)
	p.wait(t).want(t, 0, "succeeded in run 2")
	if n := len(h.attempts(t, "claude")); n != 2 {
		t.Errorf("launched %d times, want 2", n)
	}
}

func TestAServerThatIsGoneWhenTheAgentEndsHearsOfItLater(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.Listen = freeAddress(t) }))
	h := newHost(t, s)
	claude := h.agent(t, "claude", act{sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	until(t, "the agent runs", func() bool { return len(h.attempts(t, "claude")) == 1 })
	until(t, "the server knows", func() bool {
		answer, err := s.Client(t, s.AdminToken).Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{})
		return err == nil && len(answer.GetRuns()) == 1 && answer.GetRuns()[0].GetState() == recoursev1.RunState_RUN_STATE_DELIVERED
	})
	s.Stop(t)
	h.untilDelivered(t, h.wakeups(t)[0])
	h.endChild(t, h.wakeups(t)[0])
	until(t, "it asks in vain", func() bool { return strings.Contains(p.err.String(), "the server cannot be reached") })
	s.Restart(t)
	p.wait(t).want(t, 137, "the server answers again", "stopped: ")
	answer, err := s.Client(t, s.AdminToken).Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{})
	if err != nil || len(answer.GetRuns()) != 1 || answer.GetRuns()[0].GetOutcome() != recoursev1.RunOutcome_RUN_OUTCOME_FAILED {
		t.Errorf("runs = %v, %v; want one that failed", answer.GetRuns(), err)
	}
}

func TestALostLeaseEndsTheAgent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, shortLease)
	h := newHost(t, s)
	detour := newDetour(t, s.URL, "HeartbeatRun")
	h.env = append(h.env, "AGENTCTL_SERVER="+detour.url)
	claude := h.agent(t, "claude", act{sleep: true})
	p := h.start(t, "", "run", "--", claude, "-p", "hello")
	api := s.Client(t, s.AdminToken)
	until(t, "the server takes the run for lost", func() bool {
		answer, err := api.Recovery.ListRuns(t.Context(), &recoursev1.ListRunsRequest{})
		return err == nil && len(answer.GetRuns()) == 1 && answer.GetRuns()[0].GetState() == recoursev1.RunState_RUN_STATE_LOST
	})
	detour.open()
	p.wait(t).want(t, 7, "somebody else owns this run now")
	if n := len(h.attempts(t, "claude")); n != 1 {
		t.Errorf("launched %d times", n)
	}
}

// endChild kills the agent under a living agentctl.
func (h *host) endChild(t *testing.T, id string) {
	t.Helper()
	found := childPID.FindStringSubmatch(h.journal(t, id))
	if found == nil {
		t.Fatal("the journal has no child")
	}
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// freeAddress is a port that nobody listens on, so that a restarted server
// comes back where it was.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
