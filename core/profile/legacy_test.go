package profile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestLegacyActionsBecomePolicies(t *testing.T) {
	t.Parallel()
	fallback := recovery.Unattended(settings())
	short := fallback.Transient
	short.OnExhausted = recovery.ExhaustedStop
	skip, stop := recovery.ClassPolicy{OnExhausted: recovery.ExhaustedSkip}, recovery.ClassPolicy{OnExhausted: recovery.ExhaustedStop}
	for name, c := range map[string]struct {
		legacy          LegacyActions
		transient, hard recovery.ClassPolicy
		preset          string
	}{
		"nothing":           {LegacyActions{}, fallback.Transient, fallback.Hard, recovery.PresetUnattended},
		"both classes":      {LegacyActions{ByClass: map[string]string{"transient": "retry_same", "hard": "stop"}}, short, stop, ""},
		"one class":         {LegacyActions{ByClass: map[string]string{"transient": "try_next"}}, skip, fallback.Hard, ""},
		"as the default":    {LegacyActions{ByClass: map[string]string{"hard": "try_next"}}, fallback.Transient, skip, recovery.PresetUnattended},
		"hard again":        {LegacyActions{ByClass: map[string]string{"hard": "retry_same"}}, fallback.Transient, short, ""},
		"codes":             {LegacyActions{ByCode: map[string]string{"rate_limited": "stop", "model_capacity": "stop", "quota_limited": "stop"}}, stop, stop, ""},
		"class and code":    {LegacyActions{ByClass: map[string]string{"hard": "stop"}, ByCode: map[string]string{"auth_required": "stop"}}, fallback.Transient, stop, ""},
		"what stops anyway": {LegacyActions{ByClass: map[string]string{"non_provider": "stop", "unclassified": "stop"}, ByCode: map[string]string{"task_error": "stop"}}, fallback.Transient, fallback.Hard, recovery.PresetUnattended},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := many("a", "b")
			p.Dynamic.Legacy = &c.legacy
			got, err := draft(p)
			require.NoError(t, err)
			require.Nil(t, got.Dynamic.Legacy)
			require.NotNil(t, p.Dynamic.Legacy, "the argument is not changed")
			for _, candidate := range got.Dynamic.Candidates {
				require.Equal(t, recovery.ClassPolicies{Name: c.preset, Version: 1, Transient: c.transient, Hard: c.hard}, candidate.Policies)
			}
		})
	}
}

func TestLegacyActionsThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		legacy LegacyActions
		fields []string
	}{
		"unknown action":   {LegacyActions{ByClass: map[string]string{"hard": "skip"}}, []string{`dynamic.legacy_actions.by_class["hard"]`}},
		"no action":        {LegacyActions{ByCode: map[string]string{"quota_limited": ""}}, []string{`dynamic.legacy_actions.by_code["quota_limited"]`}},
		"unknown class":    {LegacyActions{ByClass: map[string]string{"soft": "stop"}}, []string{`dynamic.legacy_actions.by_class["soft"]`}},
		"unknown code":     {LegacyActions{ByCode: map[string]string{"quota": "stop"}}, []string{`dynamic.legacy_actions.by_code["quota"]`}},
		"not a provider's": {LegacyActions{ByCode: map[string]string{"task_error": "retry_same"}}, []string{`dynamic.legacy_actions.by_code["task_error"]`}},
		"without a name":   {LegacyActions{ByClass: map[string]string{"unclassified": "try_next"}}, []string{`dynamic.legacy_actions.by_class["unclassified"]`}},
		"codes of one class": {
			LegacyActions{ByCode: map[string]string{"model_capacity": "stop", "rate_limited": "try_next"}},
			[]string{`dynamic.legacy_actions.by_code["model_capacity"]`, `dynamic.legacy_actions.by_code["rate_limited"]`},
		},
		"class and code": {
			LegacyActions{ByClass: map[string]string{"hard": "stop"}, ByCode: map[string]string{"quota_limited": "try_next"}},
			[]string{`dynamic.legacy_actions.by_class["hard"]`, `dynamic.legacy_actions.by_code["quota_limited"]`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := many("a")
			p.Dynamic.Legacy = &c.legacy
			_, err := draft(p)
			require.Equal(t, c.fields, fieldsOf(err), "%v", err)
		})
	}
}

func TestLegacyActionsAgainstWhatIsWritten(t *testing.T) {
	t.Parallel()
	p := many("a", "b", "c")
	p.Dynamic.Candidates[1].Policies = own()
	p.Dynamic.Candidates[2].Policies.Name = recovery.PresetStrict
	p.Dynamic.Legacy = &LegacyActions{ByClass: map[string]string{"hard": "stop"}, ByCode: map[string]string{"rate_limited": "try_next"}}
	_, err := draft(p)
	require.Equal(t, []string{
		"dynamic.candidates[1].policies.transient", `dynamic.legacy_actions.by_code["rate_limited"]`,
		"dynamic.candidates[2].preset", `dynamic.legacy_actions.by_code["rate_limited"]`,
	}, fieldsOf(err), "both fields of each conflict; hard says the same everywhere")
	delete(p.Dynamic.Legacy.ByCode, "rate_limited")
	got, err := draft(p)
	require.NoError(t, err)
	require.Equal(t, own(), got.Dynamic.Candidates[1].Policies)
	require.Equal(t, recovery.PresetStrict, got.Dynamic.Candidates[2].Policies.Name)
}

// Whatever code an older configuration names, its class is what follows.
func TestEveryCodeCanBeNamed(t *testing.T) {
	t.Parallel()
	for _, info := range classification.Codes() {
		p := many("a")
		p.Dynamic.Legacy = &LegacyActions{ByCode: map[string]string{string(info.Code): LegacyStop}}
		got, err := draft(p)
		require.NoError(t, err)
		stops := func(c recovery.ClassPolicy) bool {
			return c == recovery.ClassPolicy{OnExhausted: recovery.ExhaustedStop}
		}
		require.Equal(t, info.Class == classification.ClassTransient, stops(got.Dynamic.Candidates[0].Policies.Transient), "%s", info.Code)
		require.Equal(t, info.Class == classification.ClassHard, stops(got.Dynamic.Candidates[0].Policies.Hard), "%s", info.Code)
	}
}
