package profile

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// secret is the form of a credential, put together so that no scanner takes it for one.
var secret = "sk-ant-" + "api03-" + strings.Repeat("aB3dE5fG7h", 4)

func of(change func(c *v1.ConcreteProfile)) *v1.Profile {
	p := concrete("new")
	change(p.GetConcrete())
	return p
}

func route(change func(d *v1.DynamicProfile)) *v1.Profile {
	p := dynamic("new", "a", "b", "a2")
	change(p.GetDynamic())
	return p
}

func candidate(i int, policies *v1.ClassPolicies) *v1.Profile {
	return route(func(d *v1.DynamicProfile) { d.Candidates[i].Policy = &v1.Candidate_Policies{Policies: policies} })
}

func policies(change func(p *v1.ClassPolicies)) *v1.ClassPolicies {
	p := &v1.ClassPolicies{
		Transient: &v1.ClassPolicy{
			OnExhausted: v1.OnExhausted_ON_EXHAUSTED_SKIP, WaitForReset: &v1.WaitPolicy{Enabled: true, MaxWait: durationpb.New(time.Minute)},
			Retry: &v1.RetryPolicy{Enabled: true, MaxRetries: 3, InitialInterval: durationpb.New(time.Second)},
		},
		Hard: &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP},
	}
	change(p)
	return p
}

// The rules themselves are listed beside them; here each kind of them is met by
// a caller, with the path of the field that breaks it, from either side of the
// contract.
func TestEachMistakeIsNamedByItsField(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, id := range []string{"a", "b", "a2"} {
		w.create(concrete(id))
	}
	w.create(dynamic("d", "a"))
	seventeen := strings.Split("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", ",")
	for field, p := range map[string]*v1.Profile{
		"profile_id":                                                       concrete("New"),
		"concrete":                                                         {ProfileId: "new"},
		`labels["k"]`:                                                      {ProfileId: "new", Labels: map[string]string{"k": secret}, Spec: concrete("").GetSpec()},
		"concrete.agent_kind":                                              of(func(c *v1.ConcreteProfile) { c.AgentKind = "" }),
		"concrete.command.program":                                         of(func(c *v1.ConcreteProfile) { c.Command = nil }),
		"concrete.command.arguments[1]":                                    of(func(c *v1.ConcreteProfile) { c.Command.Arguments = []string{"-m", "{model}"} }),
		"concrete.command.arguments[0]":                                    of(func(c *v1.ConcreteProfile) { c.Command.Arguments = []string{"--api-key=" + secret} }),
		"concrete.working_directory.path":                                  of(func(c *v1.ConcreteProfile) { c.WorkingDirectory = &v1.WorkingDirectory{Rule: 3, Path: "relative"} }),
		"concrete.working_directory.rule":                                  of(func(c *v1.ConcreteProfile) { c.WorkingDirectory = &v1.WorkingDirectory{Rule: 9} }),
		`concrete.environment["ANTHROPIC_KEY"]`:                            of(func(c *v1.ConcreteProfile) { c.Environment = map[string]string{"ANTHROPIC_KEY": secret} }),
		`concrete.environment["MODE"]`:                                     of(func(c *v1.ConcreteProfile) { c.Environment = map[string]string{"MODE": "fast"} }),
		`concrete.environment["RECOURSE_DATA"]`:                            of(func(c *v1.ConcreteProfile) { c.Environment = map[string]string{"RECOURSE_DATA": "env:X"} }),
		"concrete.credential.locator":                                      of(func(c *v1.ConcreteProfile) { c.Credential.Locator = "" }),
		"concrete.credential.provider":                                     of(func(c *v1.ConcreteProfile) { c.Credential.Provider = "openai" }),
		"concrete.resume_arguments":                                        of(func(c *v1.ConcreteProfile) { c.ResumeArguments = []string{"--continue"} }),
		"concrete.model":                                                   of(func(c *v1.ConcreteProfile) { c.Model = strings.Repeat("m", 129) }),
		"dynamic.candidates":                                               dynamic("new", seventeen...),
		"dynamic.candidates[2].profile_id":                                 dynamic("new", "a", "b", "a"),
		"dynamic.candidates[1].profile_id":                                 dynamic("new", "a", "new"),
		"dynamic.candidates[0].profile_id":                                 dynamic("new", "d"),
		"dynamic.candidates[3].profile_id":                                 dynamic("new", "a", "b", "a2", "elsewhere"),
		"dynamic.candidates[0].preset":                                     route(func(d *v1.DynamicProfile) { d.Candidates[0].Policy = &v1.Candidate_Preset{Preset: 99} }),
		"dynamic.candidates[1].policies.hard":                              candidate(1, policies(func(p *v1.ClassPolicies) { p.Hard = nil })),
		"dynamic.candidates[0].policies.hard.on_exhausted":                 candidate(0, policies(func(p *v1.ClassPolicies) { p.Hard.OnExhausted = 7 })),
		"dynamic.candidates[2].policies.transient.retry.max_retries":       candidate(2, policies(func(p *v1.ClassPolicies) { p.Transient.Retry.MaxRetries = 11 })),
		"dynamic.candidates[2].policies.transient.retry.initial_interval":  candidate(2, policies(func(p *v1.ClassPolicies) { p.Transient.Retry.InitialInterval = durationpb.New(2 * time.Hour) })),
		"dynamic.candidates[0].policies.transient.wait_for_reset.max_wait": candidate(0, policies(func(p *v1.ClassPolicies) { p.Transient.WaitForReset.MaxWait = durationpb.New(8 * 24 * time.Hour) })),
		`dynamic.legacy_actions.by_class["soft"]`: route(func(d *v1.DynamicProfile) {
			d.LegacyActions = &v1.LegacyActions{ByClass: map[string]string{"soft": "stop"}}
		}),
		`dynamic.legacy_actions.by_class["hard"]`: route(func(d *v1.DynamicProfile) {
			d.LegacyActions = &v1.LegacyActions{ByClass: map[string]string{"hard": "explode"}}
		}),
		`dynamic.legacy_actions.by_code["no_credit"]`: route(func(d *v1.DynamicProfile) {
			d.LegacyActions = &v1.LegacyActions{ByCode: map[string]string{"no_credit": "stop"}}
		}),
		"dynamic.consent.run_window.time_zone": route(func(d *v1.DynamicProfile) {
			d.Consent = &v1.Consent{RunWindow: &v1.RunWindow{StartMinute: 1, EndMinute: 2, TimeZone: "Mars/Olympus"}}
		}),
		"dynamic.consent.max_attempts_per_day": route(func(d *v1.DynamicProfile) { d.Consent = &v1.Consent{MaxAttemptsPerDay: -1} }),
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			w := w.as(t)
			request := &v1.CreateProfileRequest{Profile: p, ValidateOnly: true}
			_, err := w.c.Routing.CreateProfile(t.Context(), request)
			require.Equal(t, fault.ReasonInvalidRequest, fault.From(err).Reason)
			require.Equal(t, []string{"profile." + field}, fieldsOf(err), "%v", err)
			require.NotContains(t, fault.From(err).Message, secret)
			request.ValidateOnly = false
			status, text := w.rest(w.server.AdminToken, http.MethodPost, profiles, request)
			r := w.refused(status, text)
			require.Equal(t, http.StatusBadRequest, r.status)
			require.Equal(t, []string{"profile." + field}, r.fields, "%s", text)
			require.NotContains(t, string(text), secret)
			file, err := protojson.Marshal(p)
			require.NoError(t, err)
			_, said := w.agentctl(cli.Usage, string(file), "profiles", "create", "-f", "-")
			require.Contains(t, said, field)
			require.NotContains(t, said, secret)
		})
	}
}

func TestWhatCannotBeChangedIsNamed(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	mask := func(paths ...string) *fieldmaskpb.FieldMask { return &fieldmaskpb.FieldMask{Paths: paths} }
	for field, request := range map[string]*v1.UpdateProfileRequest{
		"update_mask":                      {Profile: concrete("a"), UpdateMask: mask("created_at")},
		"profile.profile_id":               {Profile: concrete("b")},
		"profile.dynamic":                  {Profile: dynamic("", "b")},
		"profile.dynamic.candidates":       {Profile: &v1.Profile{}, UpdateMask: mask("dynamic.candidates")},
		"profile.concrete":                 {Profile: &v1.Profile{}, UpdateMask: mask("*")},
		"profile.concrete.command.program": {Profile: of(func(c *v1.ConcreteProfile) { c.Command = nil }), UpdateMask: mask("concrete.command")},
		"profile":                          {},
	} {
		request.ProfileId = "a"
		if request.GetProfile().GetProfileId() == "new" {
			request.Profile.ProfileId = ""
		}
		_, err := w.c.Routing.UpdateProfile(t.Context(), request)
		require.Equal(t, []string{field}, fieldsOf(err), "%v", err)
	}
	require.EqualValues(t, 1, w.get("a").GetVersion())
	status, text := w.raw(w.server.AdminToken, http.MethodPost, profiles, `{"profile":{"profileId":"x","concrete":{"apiKey":"x"}}}`)
	require.Equal(t, "UNKNOWN_FIELD", w.refused(status, text).reason)
}
