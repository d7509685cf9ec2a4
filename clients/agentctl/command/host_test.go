package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
)

func TestDoctor(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	bin := filepath.Join(c.inv.Dir, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\n"), 0o700))
	c.inv.Environ = append(c.inv.Environ, "PATH="+bin)
	c.run(t, "doctor", "-o", "json").want(t, cli.OK)
	checks := map[string]map[string]any{}
	for _, line := range strings.Split(strings.TrimSpace(c.out.String()), "\n") {
		var check map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &check))
		checks[check["id"].(string)] = check
	}
	for id, verdict := range map[string]string{"catalogue": "ok", "journal": "ok", "time zone": "ok", "claude": "warn", "server": "warn"} {
		require.Equal(t, verdict, checks[id]["verdict"], id)
		if verdict != "ok" {
			require.NotEmpty(t, checks[id]["remedy"], id)
		}
	}
}

func TestDoctorFailsWhenSomethingIsBroken(t *testing.T) {
	t.Parallel()
	c := newCall(t, "", "AGENTCTL_SERVER=http://127.0.0.1:1")
	require.NoError(t, os.WriteFile(filepath.Join(c.inv.Dir, "file"), nil, 0o600))
	c.inv.Environ = append(c.inv.Environ, "XDG_STATE_HOME="+filepath.Join(c.inv.Dir, "file"))
	c.inv.HostZone = ""
	c.run(t, "doctor").want(t, cli.General)
	for _, text := range []string{"fail  journal", "fail  server", "warn  time zone", "warn  agents", "-> "} {
		require.Contains(t, c.out.String(), text)
	}
}

func TestTheDemonstrationEndsAsItSays(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	c.inv.Clock = supervisor.System{}
	c.run(t, "demo", "--speed", "50").want(t, cli.OK)
	text := c.err.String()
	for _, says := range []string{
		"[1/7] overload", "provider_overloaded: the same command again", "[2/7] throttle", "rate_limited: the same command again",
		"[3/7] limit", "agentctl run --wait --continue", "[4/7] auth", "mend or unset ANTHROPIC_API_KEY",
		"[5/7] tool", "resuming the agent's own session with the continue instruction",
		"[6/7] unknown", "effects_observed", "[7/7] prose",
	} {
		require.Contains(t, text, says)
	}
	require.NotContains(t, text, "unexpected")
	require.NoDirExists(t, filepath.Join(c.inv.Dir, ".local"), "the demonstration left something in the user's journal")
}

func TestOneSceneCanBePlayed(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	c.inv.Clock = supervisor.System{}
	c.run(t, "demo", "--offline", "--scenario", "prose").want(t, cli.OK)
	require.Contains(t, c.err.String(), "[1/1] prose")
	require.Equal(t, "The client answers 429 Too Many Requests when the rate limit is hit; I added the test for it.\n", c.out.String())
}

func TestTheJournalAnswersWithoutAServer(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	c.inv.Clock = supervisor.System{}
	agent := filepath.Join(c.inv.Dir, "claude")
	require.NoError(t, child.WriteProgram(agent, "#!/bin/sh\necho '"+overloadedText+"'\nexit 1\n"))
	c.run(t, "run", "--", "./claude", "-p", "hello").want(t, 1)

	show := func(args ...string) string {
		c.out.Reset()
		c.run(t, args...).want(t, cli.OK)
		return c.out.String()
	}
	why := show("why")
	for _, says := range []string{"it has stopped and needs a person", "provider_overloaded", "529 Overloaded", "--replay-safe --continue", "because   code=provider_overloaded"} {
		require.Contains(t, why, says)
	}
	require.Contains(t, show("wakeups", "list", "--status", "failed"), "failed  claude  provider_overloaded  1")
	require.NotContains(t, show("wakeups", "list", "--status", "completed"), "claude")
	var wakeup map[string]any
	require.NoError(t, json.Unmarshal([]byte(show("why", "-o", "json")), &wakeup))
	require.Equal(t, "WAKEUP_STATUS_FAILED", wakeup["status"])
	id := wakeup["wakeupId"].(string)
	require.NoError(t, json.Unmarshal([]byte(show("wakeups", "get", id)), &wakeup))
	require.Equal(t, "ATTENTION_PERSON", wakeup["attention"])
}
