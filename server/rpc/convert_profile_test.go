package rpc

import (
	"testing"
	"time"

	"buf.build/go/protovalidate"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func drawClassPolicy(t *rapid.T) recovery.ClassPolicy {
	out := recovery.ClassPolicy{OnExhausted: rapid.SampledFrom([]recovery.OnExhausted{recovery.ExhaustedSkip, recovery.ExhaustedStop}).Draw(t, "exhausted")}
	if rapid.Bool().Draw(t, "retries") {
		out.Retry = recovery.RetryPolicy{
			Enabled: rapid.Bool().Draw(t, "retry"), MaxRetries: rapid.IntRange(1, 10).Draw(t, "max"),
			InitialInterval: time.Duration(rapid.Int64Range(int64(time.Second), int64(time.Hour)).Draw(t, "interval")),
		}
	}
	if rapid.Bool().Draw(t, "waits") {
		out.WaitForReset = recovery.WaitPolicy{Enabled: rapid.Bool().Draw(t, "wait"), MaxWait: time.Duration(rapid.Int64Range(int64(time.Second), int64(7*24*time.Hour)).Draw(t, "max_wait"))}
	}
	return out
}

func drawProfile(t *rapid.T) profile.Profile {
	text := rapid.StringMatching(`[a-z0-9.-]{1,12}`)
	p := profile.Profile{WorkspaceID: "default", ID: "the-profile", DisplayName: text.Draw(t, "name"), Labels: rapid.MapOfN(text, text, 0, 3).Draw(t, "labels")}
	if rapid.Bool().Draw(t, "dynamic") {
		p.Dynamic = &profile.Dynamic{Consent: recovery.Consent{
			MaxTotalWait: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "total"), MaxAttemptsPerDay: rapid.IntRange(0, 9).Draw(t, "attempts"),
			RunWindow: rapid.SampledFrom([]recovery.RunWindow{{}, {Start: 60, End: 0, Zone: "UTC"}}).Draw(t, "window"), MaxCostPerRun: rapid.SampledFrom([]float64{0, 1.5}).Draw(t, "cost"),
		}}
		for _, id := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z][a-z0-9]{0,8}`), 1, 16, rapid.ID[string]).Draw(t, "candidates") {
			c := profile.Candidate{ProfileID: id, Policies: recovery.ClassPolicies{Name: rapid.SampledFrom(append(profile.Presets(), "")).Draw(t, "preset")}}
			if c.Policies.Name == "" {
				c.Policies = recovery.ClassPolicies{Transient: drawClassPolicy(t), Hard: drawClassPolicy(t), MaxTotalWait: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "bound")}
			}
			p.Dynamic.Candidates = append(p.Dynamic.Candidates, c)
		}
		return p
	}
	p.Concrete = &profile.Concrete{
		AgentKind: text.Draw(t, "agent"), Provider: text.Draw(t, "provider"), Model: text.Draw(t, "model"), ReplaySafe: rapid.Bool().Draw(t, "safe"),
		Command:     profile.Command{Program: text.Draw(t, "program"), Arguments: rapid.SliceOfN(text, 0, 3).Draw(t, "arguments")},
		Directory:   rapid.SampledFrom([]profile.Directory{{}, {Rule: profile.DirectoryBelow, Path: "a"}, {Rule: profile.DirectoryFixed, Path: "/a"}}).Draw(t, "folder"),
		Environment: rapid.MapOfN(rapid.StringMatching(`[A-Z]{1,5}`), rapid.StringMatching(`env:[A-Z]{1,5}`), 0, 3).Draw(t, "environment"),
	}
	p.Concrete.Credential = rapid.SampledFrom([]profile.Credential{
		{},
		{Provider: p.Concrete.Provider, AuthKind: "oauth", Locator: "x", HostScope: "h"},
		{Provider: p.Concrete.Provider, AuthKind: "oauth", Locator: "x", AccountLabel: "l"},
	}).Draw(t, "credential")
	if rapid.Bool().Draw(t, "resumes") {
		p.Concrete.Resume = []string{"--resume", profile.SessionPlaceholder}
	}
	return p
}

// A valid profile stays valid, and the same, on its way out as JSON and in again.
func TestAValidProfileStaysValidOnTheWire(t *testing.T) {
	t.Parallel()
	settings := recovery.Defaults()
	settings.Zones = time.LoadLocation
	rules, err := protovalidate.New()
	require.NoError(t, err)
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		before, err := profile.Create{Profile: drawProfile(t)}.Draft(settings)
		if err != nil {
			return
		}
		valid++
		before = before.Stored(time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC))
		sent := fullProfileToWire(before)
		require.NoError(t, rules.Validate(sent))
		text, err := protojson.Marshal(sent)
		require.NoError(t, err)
		var got recoursev1.Profile
		require.NoError(t, protojson.Unmarshal(text, &got))
		after, changed, err := profile.Update{Profile: fullProfileToDomain("default", &got), Paths: []string{profile.Whole}}.Draft(before, settings)
		require.NoError(t, err)
		require.False(t, changed)
		require.Equal(t, sent.String(), fullProfileToWire(after).String())
	})
	require.Greater(t, valid, 50, "most of what is drawn is valid")
}

// Every field of the contract's profile is sent, but what is only written.
func TestEveryFieldOfAProfileIsSent(t *testing.T) {
	t.Parallel()
	sent := map[protoreflect.FullName]bool{}
	for _, p := range []profile.Profile{
		{ID: "c", DisplayName: "n", Labels: map[string]string{"k": "v"}, Version: 2, CreatedAt: time.Unix(1, 0), UpdatedAt: time.Unix(2, 0), Concrete: &profile.Concrete{
			AgentKind: "a", Provider: "p", Model: "m", ReplaySafe: true, Resume: []string{"r"}, Environment: map[string]string{"K": "env:V"},
			Command: profile.Command{Program: "p", Arguments: []string{"a"}}, Directory: profile.Directory{Rule: profile.DirectoryFixed, Path: "/"},
			Credential: profile.Credential{Provider: "p", AuthKind: "a", Locator: "l", HostScope: "h"},
		}},
		{Concrete: &profile.Concrete{Credential: profile.Credential{AccountLabel: "l"}}},
		{Dynamic: &profile.Dynamic{Consent: recovery.Consent{MaxAttemptsPerDay: 1}, Candidates: []profile.Candidate{
			{ProfileID: "c", Policies: recovery.Strict()}, {ProfileID: "d", Policies: recovery.ClassPolicies{Version: 1}},
		}}},
	} {
		visit(fullProfileToWire(p).ProtoReflect(), sent)
	}
	for _, message := range []proto.Message{
		&recoursev1.Profile{}, &recoursev1.ConcreteProfile{}, &recoursev1.DynamicProfile{}, &recoursev1.Candidate{},
		&recoursev1.Command{}, &recoursev1.WorkingDirectory{}, &recoursev1.CredentialBinding{},
	} {
		fields := message.ProtoReflect().Descriptor().Fields()
		for i := range fields.Len() {
			name := fields.Get(i).FullName()
			require.Equal(t, name.Name() != "legacy_actions", sent[name], "%s", name)
		}
	}
}

func visit(m protoreflect.Message, sent map[protoreflect.FullName]bool) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		sent[field.FullName()] = true
		switch {
		case field.IsMap() || field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				visit(value.List().Get(i).Message(), sent)
			}
		default:
			visit(value.Message(), sent)
		}
		return true
	})
}
