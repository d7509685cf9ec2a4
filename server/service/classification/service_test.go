package classification

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/catalogue"
	core "github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func setup(t *testing.T) *Service {
	t.Helper()
	c, err := catalogue.Plain()
	require.NoError(t, err)
	descriptions := map[string]Description{}
	for _, r := range c.Rules() {
		descriptions[r.ID] = Description{Dialect: r.Dialect, About: r.About, Provenance: r.Provenance()}
	}
	return New(c.Classifier, descriptions, func() time.Time { return time.Unix(1_800_000_000, 0) })
}

func TestClassifyDatesWhatHasNoDate(t *testing.T) {
	t.Parallel()
	s := setup(t)
	got := s.Classify(evidence.Envelope{Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 503}}}, false)
	require.Equal(t, time.Unix(1_800_000_000, 0).UTC(), got.OccurredAt)
	require.Nil(t, got.Explain)
	require.NotNil(t, s.Classify(evidence.Envelope{}, true).Explain)
}

func TestRulePagesHaveEachRuleOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var seen []string
	for token := ""; ; {
		page, next, err := s.Rules(RuleQuery{PageSize: 7, PageToken: token})
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), 7)
		for _, rule := range page {
			if len(seen) > 0 {
				require.Less(t, seen[len(seen)-1], rule.ID)
			}
			seen = append(seen, rule.ID)
		}
		if token = next; token == "" {
			break
		}
	}
	require.Len(t, seen, s.RuleCount())
}

func TestEveryRuleIsDescribed(t *testing.T) {
	t.Parallel()
	page, _, err := setup(t).Rules(RuleQuery{PageSize: 1000})
	require.NoError(t, err)
	for _, rule := range page {
		require.NotEmpty(t, rule.About, rule.ID)
		require.NotEmpty(t, rule.Provenance, rule.ID)
		require.Regexp(t, `^[a-z-]+$`, rule.Dialect)
	}
}

func TestRuleFilters(t *testing.T) {
	t.Parallel()
	s := setup(t)
	page, _, err := s.Rules(RuleQuery{PageSize: 1000, Code: core.QuotaLimited})
	require.NoError(t, err)
	require.NotEmpty(t, page)
	for _, rule := range page {
		require.Equal(t, core.QuotaLimited, rule.Code)
		got, err := s.Rule(rule.ID)
		require.NoError(t, err)
		require.Equal(t, rule.ID, got.ID)
		ofDialect, _, err := s.Rules(RuleQuery{PageSize: 1000, Dialect: rule.Dialect})
		require.NoError(t, err)
		require.Contains(t, ofDialect, rule)
	}
	_, _, err = s.Rules(RuleQuery{PageToken: "?"})
	require.True(t, fault.Is(err, fault.ReasonPageTokenInvalid))
	_, err = s.Rule("no.such.rule")
	require.True(t, fault.Is(err, fault.ReasonRuleNotFound))
}

func TestCodesSayWhatThePoliciesDo(t *testing.T) {
	t.Parallel()
	codes := Codes()
	require.Len(t, codes, len(core.Codes()))
	for _, info := range codes {
		require.NotEmpty(t, info.Meaning)
		require.NotEmpty(t, info.Remedy)
		switch {
		case info.Code == core.QuotaLimited:
			require.Equal(t, recovery.ActionStop, info.Interactive)
			require.Equal(t, recovery.ActionWait, info.Patient, "this is what patience is for")
		case info.Class == core.ClassTransient:
			require.Equal(t, recovery.ActionRetry, info.Interactive, info.Code)
		default:
			require.Equal(t, recovery.ActionStop, info.Interactive, info.Code)
		}
		if info.Class == core.ClassNonProvider || info.Class == core.ClassUnclassified {
			require.Equal(t, recovery.ActionStop, info.Patient, info.Code)
		}
	}
}
