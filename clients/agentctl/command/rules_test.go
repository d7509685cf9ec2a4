package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

const houseText = "starting\nERROR 17: the house allowance is gone for ada@example.org\n"

// ownRule is a rule file as somebody writes it.
const ownRule = `rules:
  - id: own.house.limit
    about: the house gateway's words for a used-up month
    code: quota_limited
    priority: 990
    provenance: {source: "the gateway's manual", date: "2026-11-30"}
    when: {text: [{any: ["house allowance is gone"]}]}
    fixtures:
      match:
        - signal: {stderr: "the house allowance is gone"}
      miss:
        - {signal: {stderr: "the house is gone"}, code: unclassified}
`

func (c *call) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(c.inv.Dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// again is another call in the same place.
func (c *call) again(t *testing.T, stdin string, args ...string) *call {
	t.Helper()
	next := newCall(t, stdin)
	next.inv.Dir, next.inv.Environ = c.inv.Dir, c.inv.Environ
	return next.run(t, args...)
}

func TestRulesAreListedAndShown(t *testing.T) {
	t.Parallel()
	plain, err := catalogue.Plain()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(run(t, "", "rules", "list").want(t, cli.OK).out.String()), "\n")
	require.Len(t, lines, 1+len(plain.Rules()))
	require.True(t, strings.HasPrefix(lines[0], "RULE "))

	var seen int
	for line := range strings.Lines(run(t, "", "rules", "list", "--code", "quota_limited", "--dialect", "claude", "-o", "json").want(t, cli.OK).out.String()) {
		var rule map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &rule))
		require.Equal(t, "CODE_QUOTA_LIMITED", rule["code"])
		require.Equal(t, "claude", rule["dialect"])
		seen++
	}
	require.Positive(t, seen)
	asYAML := run(t, "", "rules", "list", "--code", "quota_limited", "--dialect", "claude", "-o", "yaml").want(t, cli.OK).out.String()
	require.Equal(t, seen, strings.Count(asYAML, "---\n"))

	require.Regexp(t, `(?m)^code +rate_limited$`, run(t, "", "rules", "get", "http.bare.429").want(t, cli.OK).out.String())
	shown := run(t, "", "rules", "get", "http.bare.429", "-o", "json").want(t, cli.OK).object(t)
	require.Equal(t, "CONFIDENCE_MEDIUM", shown["confidence"])
	require.Equal(t, "SCOPE_ACCOUNT", shown["scope"])
	require.Contains(t, run(t, "", "rules", "get", "http.bare.429", "-o", "yaml").want(t, cli.OK).out.String(), "priority: 100\n")
	require.Contains(t, run(t, "", "rules", "get", "http.bare.429", "--written").want(t, cli.OK).out.String(), "fixtures:\n")
}

func TestRulesCommandLinesThatAreWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"rules", "lst"}, cli.Usage, "did you mean: list"},
		{[]string{"rules", "list", "--code", "quota"}, cli.Usage, "use one of network_unavailable"},
		{[]string{"rules", "list", "claude"}, cli.Usage, "list takes no"},
		{[]string{"rules", "list", "-o", "xml"}, cli.Usage, "table, json or yaml"},
		{[]string{"rules", "get"}, cli.Usage, "accepts"},
		{[]string{"rules", "get", "a.b", "c.d"}, cli.Usage, "one rule"},
		{[]string{"rules", "get", "no.such.rule"}, cli.NotFound, "there is no rule"},
		{[]string{"rules", "get", "no.such.rule", "--written"}, cli.NotFound, "there is no rule"},
		{[]string{"rules", "get", "a.b", "--written", "--server"}, cli.Usage, "--written is for this host"},
		{[]string{"rules", "list", "--server", "--overlay", "x"}, cli.Usage, "--overlay is for this host"},
		{[]string{"rules", "list", "--server"}, cli.Unreachable, "no server is configured"},
		{[]string{"rules", "list", "--overlay", "no-such-folder"}, cli.General, "no such file"},
		{[]string{"rules", "test"}, cli.Usage, "requires at least 1 arg"},
		{[]string{"rules", "test", "no-such-folder"}, cli.Usage, "no such file"},
		{[]string{"rules", "test", "."}, cli.Usage, "holds no rule file"},
		{[]string{"rules", "new"}, cli.Usage, "say which failure"},
		{[]string{"rules", "new", "--from", "-"}, cli.Usage, "--code"},
		{[]string{"rules", "new", "--from", "-", "--code", "quota"}, cli.Usage, "use one of"},
		{[]string{"rules", "new", "--from", "-", "--code", "unclassified"}, cli.General, "is no cause"},
		{[]string{"rules", "new", "--from", "-", "--code", "quota_limited", "--overlay", "none"}, cli.Usage, "which folder"},
		{[]string{"rules", "new", "--from", "no-such-run", "--code", "quota_limited"}, cli.NotFound, "no run of this host"},
		{[]string{"classify", "--cases", "-", "--explain"}, cli.Usage, "--explain is for one failure"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			r := run(t, "some text", c.args...).want(t, c.code)
			require.Contains(t, r.err.String(), c.says)
			require.Empty(t, r.out.String(), "stdout is data only")
		})
	}
}

func TestRulesTestNamesEveryProblem(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	c.file(t, "good/own.yaml", ownRule)
	good := c.run(t, "rules", "test", "good").want(t, cli.OK)
	require.Equal(t, "ok: your own rules hold beside the embedded ones: 1\n", good.out.String())
	report := c.again(t, "", "rules", "test", "good", "-o", "json").want(t, cli.OK).object(t)
	require.Equal(t, true, report["ok"])
	require.InDelta(t, 1, report["rules"], 0)
	require.Regexp(t, "^sha256:", report["digest"])

	one := c.file(t, "bad/one.yaml", strings.Replace(ownRule, "the house is gone", "the house allowance is gone", 1))
	two := c.file(t, "bad/two.yaml", strings.NewReplacer("own.house", "own.other", "quota_limited", "quota_gone").Replace(ownRule))
	bad := c.again(t, "", "rules", "test", "bad").want(t, cli.General)
	require.Contains(t, bad.out.String(), "PROBLEM")
	for _, want := range []string{one, "own.house.limit", "miss 0", "the rule decides it", two, "own.other.limit", "quota_gone"} {
		require.Contains(t, bad.out.String(), want)
	}
	require.Contains(t, bad.err.String(), "problems: 2")
	report = c.again(t, "", "rules", "test", "bad", "-o", "json").want(t, cli.General).object(t)
	require.Equal(t, false, report["ok"])
	require.Len(t, report["findings"], 2)
}

// What was not known becomes known, here and wherever the folder is laid over.
func TestARuleIsMadeOfAFailure(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	c.file(t, "failure.log", houseText)
	made := c.run(t, "rules", "new", "--from", "failure.log", "--agent", "codex", "--code", "quota_limited").want(t, cli.OK)
	path := strings.TrimSpace(made.out.String())
	require.Equal(t, filepath.Join(c.inv.Dir, ".config/recourse/rules"), filepath.Dir(path), "the default folder")
	for _, said := range []string{"the failure was unclassified, agentctl classify now says quota_limited", "recourse serve --catalogue-overlay " + filepath.Dir(path)} {
		require.Contains(t, made.err.String(), said)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(text), "ada@")
	require.Contains(t, string(text), "the file failure.log")
	require.Contains(t, string(text), `date: "2026-11-30"`)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	classify := []string{"classify", "--agent", "codex", "-o", "json", "failure.log"}
	named := c.again(t, "", classify...).want(t, cli.OK).object(t)
	require.Equal(t, "CODE_QUOTA_LIMITED", named["code"])
	require.Equal(t, "own.quota_limited.the_house_allowance_is_gone_for", named["ruleId"])
	require.Equal(t, catalogue.Version+"+overlay", named["catalogueVersion"])
	plain := c.again(t, "", append(classify, "--overlay", "none")...).want(t, cli.OK).object(t)
	require.Equal(t, "CODE_UNCLASSIFIED", plain["code"])
	require.NotEqual(t, named["catalogueDigest"], plain["catalogueDigest"])
	cases := c.again(t, `{"id":"x","agent":"codex","signals":[{"kind":"stderr","text":"the house allowance is gone for me"},{"kind":"process_exit","exit_code":1}]}`, "classify", "--cases", "-").want(t, cli.OK)
	require.Contains(t, cases.out.String(), `"code":"quota_limited"`)

	again := c.again(t, "", "rules", "new", "--from", "failure.log", "--agent", "codex", "--code", "quota_limited").want(t, cli.General)
	require.Contains(t, again.err.String(), "already, by the rule own.quota_limited.")
	c.again(t, "", "rules", "test", filepath.Dir(path)).want(t, cli.OK)
	c.again(t, "", "rules", "get", "own.quota_limited.the_house_allowance_is_gone_for").want(t, cli.OK)
}

func TestARuleGoesWhereItIsTold(t *testing.T) {
	t.Parallel()
	c := newCall(t, houseText)
	dry := c.run(t, "rules", "new", "--from", "-", "--code", "quota_limited", "--id", "own.house.limit", "--about", "the house", "--dry-run").want(t, cli.OK)
	require.Contains(t, dry.out.String(), "id: own.house.limit\n    about: the house\n")
	inside, err := filepath.Glob(filepath.Join(c.inv.Dir, "*/*/*/*"))
	require.NoError(t, err)
	require.Empty(t, inside, "a dry run writes nothing")

	made := c.again(t, houseText, "rules", "new", "--from", "-", "--code", "quota_limited", "--overlay", "mine", "-o", "json").want(t, cli.OK).object(t)
	require.Equal(t, filepath.Join(c.inv.Dir, "mine", made["ruleId"].(string)+".yaml"), made["file"])
	require.Equal(t, "unclassified", made["codeBefore"])
	require.FileExists(t, made["file"].(string))
	require.Contains(t, c.again(t, "", "rules", "list", "--overlay", "mine").want(t, cli.OK).out.String(), made["ruleId"])
	require.NotContains(t, c.again(t, "", "rules", "list").want(t, cli.OK).out.String(), made["ruleId"])
	c.inv.Environ = append(c.inv.Environ, "AGENTCTL_CATALOGUE_OVERLAY=mine")
	require.Contains(t, c.again(t, "", "rules", "list").want(t, cli.OK).out.String(), made["ruleId"])
}

// At a terminal the code is asked for.
func TestTheCodeIsAskedFor(t *testing.T) {
	t.Parallel()
	c := newCall(t, "quota_limited\n")
	c.inv.InTTY = true
	c.file(t, "failure.log", houseText)
	made := c.run(t, "rules", "new", "--from", "failure.log", "--dry-run").want(t, cli.OK)
	require.Contains(t, made.err.String(), "Which code should it have?")
	require.Contains(t, made.err.String(), "A renewable plan or account allowance is used up.")
	require.Contains(t, made.out.String(), "code: quota_limited\n")
	silent := newCall(t, "")
	silent.inv.InTTY = true
	silent.file(t, "failure.log", houseText)
	silent.run(t, "rules", "new", "--from", "failure.log").want(t, cli.Usage)
}

// Every shape in which a failure lies around is read.
func TestARuleFromEveryShape(t *testing.T) {
	t.Parallel()
	envelope := `{"agentKind":"codex","signals":[{"stderr":{"text":"the house allowance is gone"}},{"processExit":{"exitCode":1}}]}`
	for name, text := range map[string]string{
		"text":     houseText,
		"envelope": envelope,
		"pretty":   strings.ReplaceAll(envelope, ",", ",\n  "),
		"request":  `{"envelope":` + envelope + `}`,
		"run":      `{"runId":"x","evidence":` + envelope + `}`,
		"case":     "{\n" + `"id":"x","agent":"codex","signals":[{"kind":"stderr","text":"the house allowance is gone"},{"kind":"process_exit","exit_code":1}]}`,
		"event":    `{"type":"turn.failed","error":{"message":"the house allowance is gone"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := run(t, text, "rules", "new", "--from", "-", "--code", "quota_limited", "--dry-run").want(t, cli.OK)
			require.Contains(t, made.out.String(), "the house allowance is gone")
		})
	}
}

// A run of this host's journal can be taken by its own id and by its wakeup's.
func TestARuleFromTheJournal(t *testing.T) {
	t.Parallel()
	c := newCall(t, "")
	script := c.file(t, "agent.sh", "#!/bin/sh\necho 'ERROR: the house allowance is gone' >&2\nexit 1\n")
	require.NoError(t, os.Chmod(script, 0o700))
	c.run(t, "run", "--offline", "--agent", "codex", "--no-adapt", "-q", "--", script).want(t, 1)
	wakeup := strings.TrimSpace(c.again(t, "", "wakeups", "list", "-o", "json").want(t, cli.OK).out.String())
	var shown map[string]any
	require.NoError(t, json.Unmarshal([]byte(wakeup), &shown))
	for _, id := range []string{shown["wakeupId"].(string), shown["lastRunId"].(string)} {
		made := c.again(t, "", "rules", "new", "--from", id, "--code", "quota_limited", "--dry-run").want(t, cli.OK)
		require.Contains(t, made.out.String(), "source: run "+id)
		require.Contains(t, made.out.String(), "the house allowance is gone")
	}
}

// A bad rule of one's own is never left out in silence.
func TestABadOverlayIsNamed(t *testing.T) {
	t.Parallel()
	c := newCall(t, houseText)
	path := c.file(t, ".config/recourse/rules/own.yaml", strings.Replace(ownRule, "quota_limited", "quota_gone", 1))
	r := c.run(t, "classify").want(t, cli.General)
	require.Contains(t, r.err.String(), path+": own.house.limit: ")
	require.Empty(t, r.out.String())
	c.again(t, houseText, "classify", "--overlay", "none").want(t, cli.OK)
}
