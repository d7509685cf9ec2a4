package profile

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestWhatIsRightPasses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(p *Profile){
		"as it is":               func(*Profile) {},
		"least of it":            func(p *Profile) { p.Concrete = &Concrete{AgentKind: "x", Command: Command{Program: "x"}} },
		"longest id":             func(p *Profile) { p.ID = "a" + strings.Repeat("-", 62) },
		"home folder":            func(p *Profile) { p.Concrete.Command.Program = "/home/alice/bin/claude" },
		"fixed folder":           func(p *Profile) { p.Concrete.Directory = Directory{DirectoryFixed, "/srv/repo"} },
		"folder of another kind": func(p *Profile) { p.Concrete.Directory = Directory{DirectoryFixed, `C:\repo`} },
		"folder below":           func(p *Profile) { p.Concrete.Directory = Directory{DirectoryBelow, "services/..api"} },
		"host scope": func(p *Profile) {
			p.Concrete.Credential.AccountLabel, p.Concrete.Credential.HostScope = "", "builder-1"
		},
		"credential unknown": func(p *Profile) { p.Concrete.Credential = Credential{} },
		"prompt on stdin":    func(p *Profile) { p.Concrete.Command.Arguments = nil },
		"long variable's name": func(p *Profile) {
			p.Concrete.Environment = map[string]string{"X": "env:THE_VERY_LONG_NAME_OF_OUR_ANTHROPIC_KEY"}
		},
		"prompt inside a word":    func(p *Profile) { p.Concrete.Command.Arguments = []string{"--prompt={prompt}"} },
		"an argument of JSON":     func(p *Profile) { p.Concrete.Command.Arguments = []string{`{"a":{"b":1}}`, "{}"} },
		"resume without a prompt": func(p *Profile) { p.Concrete.Resume = []string{"resume", "{session_id}"} },
	} {
		p := one()
		change(&p)
		_, err := draft(p)
		require.NoError(t, err, name)
	}
	p := many(ids(MaxCandidates)...)
	p.Dynamic.Candidates[3].Policies = own()
	p.Dynamic.Candidates[4].Policies.Name = recovery.PresetPatient
	p.Dynamic.Consent = recovery.Consent{MaxTotalWait: time.Hour, RunWindow: recovery.RunWindow{Start: 1, End: 0, Zone: "UTC"}, MaxAttemptsPerDay: 1, MaxCostPerRun: 1}
	_, err := draft(p)
	require.NoError(t, err)
}

// Each row breaks one rule, and the path names where. A rule without a row here
// could be lost.
func TestEveryRuleOfAConcreteProfile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 4097)
	type rule struct {
		field  string
		change func(p *Profile, c *Concrete)
	}
	args := func(a ...string) func(*Profile, *Concrete) {
		return func(_ *Profile, c *Concrete) { c.Command.Arguments = a }
	}
	resume := func(a ...string) func(*Profile, *Concrete) {
		return func(_ *Profile, c *Concrete) { c.Resume = a }
	}
	folder := func(rule DirectoryRule, path string) func(*Profile, *Concrete) {
		return func(_ *Profile, c *Concrete) { c.Directory = Directory{rule, path} }
	}
	env := func(name, reference string) func(*Profile, *Concrete) {
		return func(_ *Profile, c *Concrete) { c.Environment = map[string]string{name: reference} }
	}
	for name, r := range map[string]rule{
		"no id":                 {"profile_id", func(p *Profile, _ *Concrete) { p.ID = "" }},
		"long id":               {"profile_id", func(p *Profile, _ *Concrete) { p.ID = "a" + strings.Repeat("a", 63) }},
		"id with a capital":     {"profile_id", func(p *Profile, _ *Concrete) { p.ID = "aB" }},
		"id with a digit first": {"profile_id", func(p *Profile, _ *Concrete) { p.ID = "1a" }},
		"long name":             {"display_name", func(p *Profile, _ *Concrete) { p.DisplayName = long[:201] }},
		"two lines of name":     {"display_name", func(p *Profile, _ *Concrete) { p.DisplayName = "a\nb" }},
		"name turned around":    {"display_name", func(p *Profile, _ *Concrete) { p.DisplayName = "a\u202eb" }},
		"17 labels": {"labels", func(p *Profile, _ *Concrete) {
			for i := range 17 {
				p.Labels[strings.Repeat("k", i+1)] = ""
			}
			delete(p.Labels, "team")
		}},
		"empty label":                {`labels[""]`, func(p *Profile, _ *Concrete) { p.Labels[""] = "x" }},
		"long label":                 {`labels["k"]`, func(p *Profile, _ *Concrete) { p.Labels["k"] = long[:257] }},
		"secret label":               {`labels["k"]`, func(p *Profile, _ *Concrete) { p.Labels["k"] = secret }},
		"keyed label":                {`labels["password"]`, func(p *Profile, _ *Concrete) { p.Labels["password"] = "hunter2hunter2" }},
		"nothing":                    {"concrete", func(p *Profile, _ *Concrete) { p.Concrete = nil }},
		"both":                       {"dynamic", func(p *Profile, _ *Concrete) { p.Dynamic = &Dynamic{} }},
		"no agent":                   {"concrete.agent_kind", func(_ *Profile, c *Concrete) { c.AgentKind = "" }},
		"odd agent":                  {"concrete.agent_kind", func(_ *Profile, c *Concrete) { c.AgentKind = "Claude Code" }},
		"long agent":                 {"concrete.agent_kind", func(_ *Profile, c *Concrete) { c.AgentKind = long[:65] }},
		"odd provider":               {"concrete.provider", func(_ *Profile, c *Concrete) { c.Provider, c.Credential = "An thropic", Credential{} }},
		"long model":                 {"concrete.model", func(_ *Profile, c *Concrete) { c.Model = long[:129] }},
		"secret model":               {"concrete.model", func(_ *Profile, c *Concrete) { c.Model = secret }},
		"no program":                 {"concrete.command.program", func(_ *Profile, c *Concrete) { c.Command.Program = " " }},
		"long program":               {"concrete.command.program", func(_ *Profile, c *Concrete) { c.Command.Program = long[:1025] }},
		"program of NUL":             {"concrete.command.program", func(_ *Profile, c *Concrete) { c.Command.Program = "a\x00b" }},
		"prompt as program":          {"concrete.command.program", func(_ *Profile, c *Concrete) { c.Command.Program = "{prompt}" }},
		"secret program":             {"concrete.command.program", func(_ *Profile, c *Concrete) { c.Command.Program = "https://u:pw1234567@h/x" }},
		"two prompts":                {"concrete.command.arguments", args("{prompt}", "{prompt}")},
		"prompt twice in a word":     {"concrete.command.arguments", args("{prompt}{prompt}")},
		"other placeholder":          {"concrete.command.arguments[1]", args("-p", "{model}")},
		"session in a command":       {"concrete.command.arguments[0]", args("{session_id}")},
		"65 arguments":               {"concrete.command.arguments", args(strings.Split(strings.Repeat("a,", 64)+"a", ",")...)},
		"long argument":              {"concrete.command.arguments[0]", args(long)},
		"long altogether":            {"concrete.command.arguments", args(long[:4096], long[:4096], long[:4096], long[:4096], "x")},
		"argument of NUL":            {"concrete.command.arguments[0]", args("a\x00")},
		"no text":                    {"concrete.command.arguments[0]", args("\xff")},
		"secret argument":            {"concrete.command.arguments[1]", args("-p", "--api-key="+secret)},
		"secret after its flag":      {"concrete.command.arguments[1]", args("--api-key", "abcdefgh1234")},
		"no session":                 {"concrete.resume_arguments", resume("--resume")},
		"two sessions":               {"concrete.resume_arguments", resume("{session_id}", "{session_id}")},
		"two resume prompts":         {"concrete.resume_arguments", resume("{session_id}", "{prompt}", "{prompt}")},
		"other resume placeholder":   {"concrete.resume_arguments[1]", resume("{session_id}", "{thread}")},
		"odd rule":                   {"concrete.working_directory.rule", folder("worktree", "x")},
		"caller with a path":         {"concrete.working_directory.path", folder(DirectoryCaller, "x")},
		"below what":                 {"concrete.working_directory.path", folder(DirectoryBelow, "")},
		"below root":                 {"concrete.working_directory.path", folder(DirectoryBelow, "/x")},
		"below a drive":              {"concrete.working_directory.path", folder(DirectoryBelow, "c:/x")},
		"out of it":                  {"concrete.working_directory.path", folder(DirectoryBelow, "a/../../b")},
		"out of it with backslashes": {"concrete.working_directory.path", folder(DirectoryBelow, `a\..\..\b`)},
		"fixed but relative":         {"concrete.working_directory.path", folder(DirectoryFixed, "x")},
		"fixed and climbs":           {"concrete.working_directory.path", folder(DirectoryFixed, "/a/../b")},
		"long path":                  {"concrete.working_directory.path", folder(DirectoryFixed, "/"+long[:1024])},
		"path of two lines":          {"concrete.working_directory.path", folder(DirectoryFixed, "/a\nb")},
		"65 variables": {"concrete.environment", func(_ *Profile, c *Concrete) {
			for i := range 65 {
				c.Environment[strings.Repeat("K", i+1)] = "env:X"
			}
			delete(c.Environment, "ANTHROPIC_API_KEY")
			delete(c.Environment, "CLAUDE_CODE_OAUTH_TOKEN")
		}},
		"no variable":          {"concrete.environment", env("A=B", "env:X")},
		"a value":              {`concrete.environment["MODE"]`, env("MODE", "fast")},
		"a secret":             {`concrete.environment["KEY"]`, env("KEY", secret)},
		"a secret by name":     {`concrete.environment["DB_PASSWORD"]`, env("DB_PASSWORD", "hunter2hunter2")},
		"a secret as secret":   {`concrete.environment["KEY"]`, env("KEY", "secret:"+secret)},
		"a word behind a key":  {`concrete.environment["KEY"]`, env("KEY", "secret:password1234567890abc")},
		"a secret as variable": {`concrete.environment["KEY"]`, env("KEY", "env:"+secret)},
		"another scheme":       {`concrete.environment["KEY"]`, env("KEY", "file:/etc/key")},
		"no variable's name":   {`concrete.environment["KEY"]`, env("KEY", "env:A-B")},
		"empty reference":      {`concrete.environment["KEY"]`, env("KEY", "secret:")},
		"our variable":         {`concrete.environment["AGENTCTL_TOKEN"]`, env("AGENTCTL_TOKEN", "env:X")},
		"from our variable":    {`concrete.environment["X"]`, env("X", "env:RECOURSE_TOKEN")},
		"from our database":    {`concrete.environment["X"]`, env("X", "env:DATABASE_URL")},
		"another's account":    {"concrete.credential.provider", func(_ *Profile, c *Concrete) { c.Provider = "openai" }},
		"half a credential":    {"concrete.credential.locator", func(_ *Profile, c *Concrete) { c.Credential.Locator = "" }},
		"secret locator":       {"concrete.credential.locator", func(_ *Profile, c *Concrete) { c.Credential.Locator = secret }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := one()
			r.change(&p, p.Concrete)
			_, err := draft(p)
			require.Error(t, err)
			require.Equal(t, []string{r.field}, fieldsOf(err), "%v", err)
			require.Equal(t, fault.ReasonInvalidRequest, fault.From(err).Reason)
			require.NotContains(t, err.Error(), secret, "a secret is not quoted")
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestEveryRuleOfADynamicProfile(t *testing.T) {
	t.Parallel()
	policies := func(change func(p *recovery.ClassPolicies)) func(*Dynamic) {
		return func(d *Dynamic) {
			d.Candidates[1].Policies = own()
			change(&d.Candidates[1].Policies)
		}
	}
	for name, r := range map[string]struct {
		field  string
		change func(d *Dynamic)
	}{
		"no candidate":            {"dynamic.candidates", func(d *Dynamic) { d.Candidates = nil }},
		"17 candidates":           {"dynamic.candidates", func(d *Dynamic) { d.Candidates = many(ids(17)...).Dynamic.Candidates }},
		"no id":                   {"dynamic.candidates[1].profile_id", func(d *Dynamic) { d.Candidates[1].ProfileID = "" }},
		"no id's form":            {"dynamic.candidates[1].profile_id", func(d *Dynamic) { d.Candidates[1].ProfileID = "../b" }},
		"itself":                  {"dynamic.candidates[2].profile_id", func(d *Dynamic) { d.Candidates[2].ProfileID = "many" }},
		"twice":                   {"dynamic.candidates[2].profile_id", func(d *Dynamic) { d.Candidates[2].ProfileID = "a" }},
		"unknown preset":          {"dynamic.candidates[0].preset", func(d *Dynamic) { d.Candidates[0].Policies.Name = "bold" }},
		"no outcome":              {"dynamic.candidates[1].policies.transient.on_exhausted", policies(func(p *recovery.ClassPolicies) { p.Transient.OnExhausted = "" })},
		"odd outcome":             {"dynamic.candidates[1].policies.hard.on_exhausted", policies(func(p *recovery.ClassPolicies) { p.Hard.OnExhausted = "explode" })},
		"11 retries":              {"dynamic.candidates[1].policies.transient.retry.max_retries", policies(func(p *recovery.ClassPolicies) { p.Transient.Retry.MaxRetries = 11 })},
		"0 retries":               {"dynamic.candidates[1].policies.transient.retry.max_retries", policies(func(p *recovery.ClassPolicies) { p.Transient.Retry.MaxRetries = 0 })},
		"interval over an hour":   {"dynamic.candidates[1].policies.transient.retry.initial_interval", policies(func(p *recovery.ClassPolicies) { p.Transient.Retry.InitialInterval = time.Hour + 1 })},
		"interval under a second": {"dynamic.candidates[1].policies.transient.retry.initial_interval", policies(func(p *recovery.ClassPolicies) { p.Transient.Retry.InitialInterval = time.Second - 1 })},
		"wait over 7 days": {"dynamic.candidates[1].policies.hard.wait_for_reset.max_wait", policies(func(p *recovery.ClassPolicies) {
			p.Hard.WaitForReset = recovery.WaitPolicy{Enabled: true, MaxWait: 7*24*time.Hour + 1}
		})},
		"wait under a second":        {"dynamic.candidates[1].policies.transient.wait_for_reset.max_wait", policies(func(p *recovery.ClassPolicies) { p.Transient.WaitForReset.MaxWait = 1 })},
		"switched off out of bounds": {"dynamic.candidates[1].policies.hard.retry.max_retries", policies(func(p *recovery.ClassPolicies) { p.Hard.Retry.MaxRetries = 99 })},
		"no total":                   {"dynamic.candidates[1].policies.max_total_wait", policies(func(p *recovery.ClassPolicies) { p.MaxTotalWait = 1 })},
		"consent total":              {"dynamic.consent.max_total_wait", func(d *Dynamic) { d.Consent.MaxTotalWait = 1 }},
		"consent count":              {"dynamic.consent.max_attempts_per_day", func(d *Dynamic) { d.Consent.MaxAttemptsPerDay = -1 }},
		"consent cost":               {"dynamic.consent.max_cost_per_run_usd", func(d *Dynamic) { d.Consent.MaxCostPerRun = math.NaN() }},
		"consent zone":               {"dynamic.consent.run_window.time_zone", func(d *Dynamic) { d.Consent.RunWindow = recovery.RunWindow{End: 1, Zone: "Mars"} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := many("a", "b", "c")
			r.change(p.Dynamic)
			_, err := draft(p)
			require.Equal(t, []string{r.field}, fieldsOf(err), "%v", err)
		})
	}
}

func TestEverythingThatIsWrongIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	p := many("a", "many", "a")
	p.ID, p.Dynamic.Candidates[1].ProfileID, p.Dynamic.Consent.MaxTotalWait = "Many", "B", 1
	_, err := draft(p)
	require.Equal(t, []string{"profile_id", "dynamic.candidates[1].profile_id", "dynamic.candidates[2].profile_id", "dynamic.consent.max_total_wait"}, fieldsOf(err))
	require.Contains(t, fault.From(err).Message, "and 3 more")
	under := Under("profile", err)
	require.Equal(t, "profile.dynamic.candidates[1].profile_id", fieldsOf(under)[1])
	require.NoError(t, Under("profile", nil))
	other := NotFound("x")
	require.Equal(t, other, Under("profile", other), "what names no field stays")
}

func TestCandidatesAreHeldAgainstTheWorkspace(t *testing.T) {
	t.Parallel()
	p := many("a", "b", "c", "d")
	found := Found{"a": KindConcrete, "b": KindDynamic, "d": KindConcrete}
	require.Equal(t, []string{"dynamic.candidates[1].profile_id", "dynamic.candidates[2].profile_id"}, fieldsOf(p.CheckCandidates(found)))
	found["b"], found["c"] = KindConcrete, KindConcrete
	require.NoError(t, p.CheckCandidates(found))
	require.NoError(t, one().CheckCandidates(nil))
}
