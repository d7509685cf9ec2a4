package run

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestAUsageLimitStopsAndNamesTheResetAndTheCommand(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		reset := time.Now().Add(2 * time.Hour).Truncate(time.Minute)
		claude := h.agent(t, "claude", act{out: claudeLimit(reset.Unix()), code: 1})
		r := h.run(t, "run", "--", claude, "-p", "hello")
		r.want(t, 1, "stopped: quota_limited", "until: ", "as stated by", "waiting that long needs your consent", "next: agentctl run --wait --continue "+h.wakeups(t)[0])
		if n := len(h.attempts(t, "claude")); n != 1 {
			t.Errorf("launched %d times, want once", n)
		}
	})
}

func TestContinueWithWaitGoesOnAfterAUsageLimit(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{out: claudeLimit(time.Now().Add(3 * time.Hour).Unix()), code: 1}, act{out: claudeAnswered("ok")})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 1, "stopped: quota_limited")
	id := h.wakeups(t)[0]
	began := time.Now()
	h.role = roleSwift
	r := h.run(t, "run", "--wait", "--continue", id)
	r.want(t, 0, "going on as wakeup", "waiting for the stated reset")
	if r.out != "ok\n" {
		t.Errorf("stdout = %q", r.out)
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("it did not wait: %s", took)
	}
	h.run(t, "run", "--continue", id).want(t, 7, "was continued as")
}

func TestAWaitThatIsTooLongIsRefusedWithTheFlagThatAllowsIt(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{out: claudeLimit(time.Now().Add(9 * time.Hour).Unix()), code: 1})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 1)
	h.run(t, "run", "--wait", "--continue", h.wakeups(t)[0]).want(t, 5, "--wait=10h")
}

func TestAnAuthenticationFailureStopsAtOnce(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h *host, _ *servertest.Server) {
		claude := h.agent(t, "claude", act{out: claudeFailed("Invalid API key · Fix external API key", "authentication_failed", 401), code: 1})
		r := h.run(t, "run", "--", claude, "-p", "hello")
		r.want(t, 1, "stopped: auth_required", "waiting does not help", "next: mend or unset ANTHROPIC_API_KEY")
		if n := len(h.attempts(t, "claude")); n != 1 {
			t.Errorf("launched %d times, want once", n)
		}
	})
}

func TestTextThatMentions429IsNoFailure(t *testing.T) {
	t.Parallel()
	text := "The client answers 429 Too Many Requests; I added a test for the rate limit. API Error: 529 Overloaded is mocked."
	h := newHost(t, nil)
	for _, a := range []act{{out: claudeAnswered(text)}, {out: text + "\n"}} {
		claude := h.agent(t, "claude", a)
		r := h.run(t, "run", "--", claude, "-p", "hello")
		r.want(t, 0)
		if r.out != text+"\n" || strings.Contains(r.err, "again") {
			t.Errorf("stdout %q, stderr %q", r.out, r.err)
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		act  act
		code int
	}{
		{"the agent's own", act{out: "make: *** [test] Error 1\n", code: 3}, 3},
		{"0 with a failed result", act{out: claudeFailed("API Error: 400 bad request", "invalid_request", 400)}, 5},
		{"0 without a result", act{out: claudeUsedTool()}, 5},
		{"0 without any output", act{}, 5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, nil)
			h.run(t, "run", "--", h.agent(t, "claude", c.act), "-p", "hello").want(t, c.code, "stopped: ")
		})
	}
	h := newHost(t, nil)
	h.run(t, "run", "--", "./missing").want(t, 127, "does not exist")
	h.run(t, "run", "--", "./claude.home").want(t, 127)
	h.run(t, "run").want(t, 2, "say what to run")
	h.run(t, "run", "--wait=0s", "--", "true").want(t, 2, "--wait")
	h.run(t, "run", "--continue", "no-such-wakeup").want(t, 6, "no journal of wakeup")
	h.run(t, "run", "--continue", "../../etc").want(t, 2, "is not the id of a wakeup")
}

func TestAPlainCommandPassesThrough(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	tool := h.agent(t, "tool", act{out: "partial line", err: "warning\n", code: 0})
	r := h.start(t, "some input", "run", "-q", "--", tool, "--flag", "x").wait(t)
	r.want(t, 0)
	if r.out != "partial line" || r.err != "warning\n" {
		t.Errorf("stdout %q, stderr %q", r.out, r.err)
	}
	if in := h.read(t, "tool.home", "stdin.1"); in != "some input" {
		t.Errorf("it read %q", in)
	}
}

func TestTheAgentSeesNoneOfOurSecrets(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	secret := "not-for" + "-agents"
	h.env = append(h.env, "AGENTCTL_TOKEN="+secret, "RECOURSE_X="+secret, "DATABASE_URL="+secret, "ITS_OWN=kept")
	h.run(t, "run", "--offline", "--", h.agent(t, "claude", act{out: claudeAnswered("ok")}), "-p", "hello").want(t, 0)
	env := h.read(t, "claude.home", "env.1")
	if strings.Contains(env, secret) || !strings.Contains(env, "ITS_OWN=kept") {
		t.Errorf("environment:\n%s", env)
	}
}

func TestInputThatIsTooLargeIsPassedOnAndNeverRepeated(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	input := strings.Repeat("0123456789abcde\n", 3<<16)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeAnswered("ok")})
	r := h.start(t, input, "run", "--", claude, "-p").wait(t)
	r.want(t, 1, "stopped: provider_overloaded", "over 1 MiB")
	if got := h.read(t, "claude.home", "stdin.1"); got != input {
		t.Errorf("it read %d bytes, want %d", len(got), len(input))
	}
	if n := len(h.attempts(t, "claude")); n != 1 {
		t.Errorf("launched %d times, want once", n)
	}
}

func TestTheJournalIsPrivateAndRedacted(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	key := "sk-ant-" + "api03-" + strings.Repeat("Ab3dE6", 12)
	claude := h.agent(t, "claude", act{out: claudeFailed("API Error: 401 invalid x-api-key "+key, "authentication_failed", 401), code: 1})
	h.run(t, "run", "--", claude, "-p", "hello").want(t, 1)
	id := h.wakeups(t)[0]
	if strings.Contains(h.journal(t, id), key) {
		t.Error("the journal holds the key")
	}
	if out := h.run(t, "why", id); strings.Contains(out.out+out.err, key) {
		t.Error("why shows the key")
	}
	for _, name := range []string{"", id, id + "/log.jsonl", id + "/prompt.json", id + "/stdin"} {
		info, err := os.Stat(h.dir + "/state/recourse/agentctl/wakeups/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %s", name, info.Mode())
		}
	}
}

func TestOnEventHearsWhatHappens(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	claude := h.agent(t, "claude", act{out: claudeOverloaded(), code: 1}, act{out: claudeFailed("Invalid API key", "authentication_failed", 401), code: 1})
	h.run(t, "run", "--on-event", "cat >> events; test -z \"$AGENTCTL_TOKEN\"", "--", claude, "-p", "hello").want(t, 1)
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(h.read(t, "events")), "\n") {
		var e struct {
			Event, Code, Reason string
			WakeupID            string `json:"wakeup_id"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.WakeupID != h.wakeups(t)[0] {
			t.Fatalf("event %q: %v", line, err)
		}
		got = append(got, fmt.Sprintf("%s %s %s", e.Event, e.Code, e.Reason))
	}
	want := "wait provider_overloaded short_retry, resume  , stop auth_required person_required"
	if strings.Join(got, ", ") != want {
		t.Errorf("events: %s\nwant:   %s", strings.Join(got, ", "), want)
	}
}
