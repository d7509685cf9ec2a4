package profile

import (
	"errors"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func settings() recovery.Settings {
	s := recovery.Defaults()
	s.Zones = func(name string) (*time.Location, error) {
		if name != "UTC" {
			return nil, errors.New("no such zone")
		}
		return time.UTC, nil
	}
	return s
}

// secret is the form of a credential, put together so that no scanner takes it for one.
var secret = "sk-ant-" + "api03-" + strings.Repeat("aB3dE5fG7h", 4)

func one() Profile {
	return Profile{WorkspaceID: "default", ID: "one", DisplayName: "One", Labels: map[string]string{"team": "platform"}, Concrete: &Concrete{
		AgentKind: "claude", Provider: "anthropic", Model: "claude-sonnet-4-5",
		Command:     Command{Program: "claude", Arguments: []string{"-p", "{prompt}", "--settings", `{"model":"opus"}`}},
		Environment: map[string]string{"ANTHROPIC_API_KEY": "env:TEAM_ANTHROPIC_KEY", "CLAUDE_CODE_OAUTH_TOKEN": "secret:anthropic/team.token"},
		Credential:  Credential{Provider: "anthropic", AuthKind: "api_key", Locator: "env:TEAM_ANTHROPIC_KEY", AccountLabel: "team"},
		Resume:      []string{"--resume={session_id}", "-p", "{prompt}"},
	}}
}

func many(ids ...string) Profile {
	d := &Dynamic{}
	for _, id := range ids {
		d.Candidates = append(d.Candidates, Candidate{ProfileID: id})
	}
	return Profile{WorkspaceID: "default", ID: "many", Dynamic: d}
}

// draft is a profile as it would be stored.
func draft(p Profile) (Profile, error) { return Create{Profile: p}.Draft(settings()) }

// stored is a valid profile that has been created.
func stored(p Profile) Profile {
	out, err := draft(p)
	if err != nil {
		panic(err)
	}
	return out.Stored(time.Date(2026, 3, 4, 5, 6, 7, 8000, time.UTC))
}

func fieldsOf(err error) []string {
	var out []string
	for _, v := range fault.From(err).Violations {
		out = append(out, v.Field)
	}
	return out
}

// own are policies that are no preset.
func own() recovery.ClassPolicies {
	return recovery.ClassPolicies{
		Version: 1,
		Transient: recovery.ClassPolicy{
			WaitForReset: recovery.WaitPolicy{Enabled: true, MaxWait: time.Minute},
			Retry:        recovery.RetryPolicy{Enabled: true, MaxRetries: 2, InitialInterval: 2 * time.Second}, OnExhausted: recovery.ExhaustedSkip,
		},
		Hard: recovery.ClassPolicy{OnExhausted: recovery.ExhaustedStop},
	}
}

func ids(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "c"+strings.Repeat("x", i))
	}
	return out
}
