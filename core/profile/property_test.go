package profile

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func drawClass(t *rapid.T) recovery.ClassPolicy {
	c := recovery.ClassPolicy{OnExhausted: rapid.SampledFrom([]recovery.OnExhausted{recovery.ExhaustedSkip, recovery.ExhaustedStop}).Draw(t, "exhausted")}
	if rapid.Bool().Draw(t, "retries") {
		c.Retry = recovery.RetryPolicy{
			Enabled: rapid.Bool().Draw(t, "retry"), MaxRetries: rapid.IntRange(1, 10).Draw(t, "max"),
			InitialInterval: time.Duration(rapid.Int64Range(int64(time.Second), int64(time.Hour)).Draw(t, "interval")),
		}
	}
	if rapid.Bool().Draw(t, "waits") {
		c.WaitForReset = recovery.WaitPolicy{
			Enabled: rapid.Bool().Draw(t, "wait"), MaxWait: time.Duration(rapid.Int64Range(int64(time.Second), int64(7*24*time.Hour)).Draw(t, "max_wait")),
		}
	}
	return c
}

// drawDynamic is a dynamic profile as a caller may send it.
func drawDynamic(t *rapid.T) Profile {
	p := many(rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z][a-z0-9-]{0,20}`), 1, MaxCandidates, rapid.ID[string]).Draw(t, "candidates")...)
	p.ID = "the-profile-with-a-longer-id"
	for i := range p.Dynamic.Candidates {
		switch rapid.IntRange(0, 2).Draw(t, "policy") {
		case 1:
			p.Dynamic.Candidates[i].Policies.Name = rapid.SampledFrom(Presets()).Draw(t, "preset")
		case 2:
			p.Dynamic.Candidates[i].Policies = recovery.ClassPolicies{Transient: drawClass(t), Hard: drawClass(t)}
		}
	}
	if rapid.Bool().Draw(t, "legacy") {
		action := rapid.SampledFrom([]string{LegacyRetrySame, LegacyTryNext, LegacyStop})
		var codes []string
		for _, info := range classification.Codes() {
			codes = append(codes, string(info.Code))
		}
		p.Dynamic.Legacy = &LegacyActions{
			ByClass: rapid.MapOfN(rapid.SampledFrom([]string{"transient", "hard"}), action, 0, 2).Draw(t, "classes"),
			ByCode:  rapid.MapOfN(rapid.SampledFrom(codes), action, 0, 2).Draw(t, "codes"),
		}
	}
	p.Dynamic.Consent.MaxAttemptsPerDay = rapid.IntRange(0, 10).Draw(t, "attempts")
	return p
}

func drawConcrete(t *rapid.T) Profile {
	p := one()
	p.Concrete.Model = rapid.StringMatching(`[a-z0-9./-]{0,20}`).Draw(t, "model")
	p.Concrete.Command.Arguments = append(rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "arguments"), "{prompt}")
	p.Concrete.Environment = rapid.MapOfN(rapid.StringMatching(`[A-Z_]{1,10}`), rapid.StringMatching(`(env:[A-Z_]{1,10}|secret:[a-z][a-z/.-]{0,10})`), 0, 5).Draw(t, "environment")
	p.Concrete.Directory = rapid.SampledFrom([]Directory{{}, {DirectoryCaller, ""}, {DirectoryBelow, "a/b"}, {DirectoryFixed, "/a"}}).Draw(t, "folder")
	return p
}

func TestNormaliseIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.Custom(drawDynamic), rapid.Custom(drawConcrete)).Draw(t, "profile")
		first, err := p.Normalise(settings())
		if err != nil {
			require.Subset(t, []string{"INVALID_REQUEST"}, []string{strings.SplitN(err.Error(), ":", 2)[0]})
			require.NotEmpty(t, fieldsOf(err))
			return
		}
		again, err := first.Normalise(settings())
		require.NoError(t, err)
		require.Equal(t, first, again)
	})
}

// A valid profile stays valid, and the same, in the form that storage keeps.
func TestAValidProfileStaysValidInStorage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.Custom(drawDynamic), rapid.Custom(drawConcrete)).Draw(t, "profile")
		valid, err := draft(p)
		if err != nil {
			return
		}
		valid = valid.Stored(time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC))
		raw, err := json.Marshal(valid)
		require.NoError(t, err)
		var back Profile
		require.NoError(t, json.Unmarshal(raw, &back))
		require.True(t, same(valid, back))
		require.Equal(t, valid.ETag(), back.ETag())
		require.NoError(t, back.Validate(settings()))
		_, changed, err := Update{Profile: back, Paths: []string{Whole}}.Draft(valid, settings())
		require.NoError(t, err)
		require.False(t, changed, "to write what was read changes nothing")
	})
}

// Answers are redacted; an etag in one must come through.
func TestNoETagLooksLikeASecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := stored(one())
		p.Version = rapid.Int64Min(1).Draw(t, "version")
		require.Equal(t, p.ETag(), evidence.Redact(p.ETag()))
	})
}
