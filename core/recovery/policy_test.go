package recovery_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestPresetsAreWithinTheBounds(t *testing.T) {
	t.Parallel()
	s := recovery.Defaults()
	for _, p := range []recovery.ClassPolicies{recovery.Unattended(s), recovery.Patient(s, 0), recovery.Strict(), recovery.Immediate()} {
		require.NoError(t, p.Validate(s.Policy), p.Name)
		assert.Equal(t, p.Name+"@1", p.Ref())
	}
	assert.Equal(t, "custom@7", recovery.ClassPolicies{Version: 7}.Ref())
	assert.Equal(t, 5*time.Hour+30*time.Minute, recovery.Patient(s, 0).Hard.WaitForReset.MaxWait)
	assert.Equal(t, time.Hour, recovery.Patient(s, time.Hour).Hard.WaitForReset.MaxWait)
}

func TestPolicyBounds(t *testing.T) {
	t.Parallel()
	cases := []struct {
		field  string // "" is accepted
		change func(*recovery.ClassPolicies)
	}{
		{"", func(p *recovery.ClassPolicies) { p.Transient.Retry.MaxRetries = 10 }},
		{"", func(p *recovery.ClassPolicies) { p.Transient.WaitForReset.MaxWait = 7 * 24 * time.Hour }},
		{"", func(p *recovery.ClassPolicies) { p.Transient.Retry.InitialInterval = time.Hour }},
		{"", func(p *recovery.ClassPolicies) { p.Hard = recovery.ClassPolicy{OnExhausted: recovery.ExhaustedStop} }},
		{"version", func(p *recovery.ClassPolicies) { p.Version = 0 }},
		{"transient.retry.max_retries", func(p *recovery.ClassPolicies) { p.Transient.Retry.MaxRetries = 0 }},
		{"transient.retry.max_retries", func(p *recovery.ClassPolicies) { p.Transient.Retry.MaxRetries = 11 }},
		{"transient.retry.initial_interval", func(p *recovery.ClassPolicies) { p.Transient.Retry.InitialInterval = time.Second - 1 }},
		{"transient.retry.initial_interval", func(p *recovery.ClassPolicies) { p.Transient.Retry.InitialInterval = time.Hour + 1 }},
		{"transient.wait_for_reset.max_wait", func(p *recovery.ClassPolicies) { p.Transient.WaitForReset.MaxWait = 0 }},
		{"transient.wait_for_reset.max_wait", func(p *recovery.ClassPolicies) { p.Transient.WaitForReset.MaxWait = -time.Hour }},
		{"transient.on_exhausted", func(p *recovery.ClassPolicies) { p.Transient.OnExhausted = "" }},
		{"hard.wait_for_reset.max_wait", func(p *recovery.ClassPolicies) { p.Hard.WaitForReset.MaxWait = 7*24*time.Hour + 1 }},
		{"max_total_wait", func(p *recovery.ClassPolicies) { p.MaxTotalWait = -time.Hour }},
		{"", func(p *recovery.ClassPolicies) { p.MaxTotalWait = 0 }},
		{"hard.on_exhausted", func(p *recovery.ClassPolicies) { p.Hard.OnExhausted = "retry" }},
		// Switched off, but it could be switched on unseen.
		{"hard.retry.max_retries", func(p *recovery.ClassPolicies) { p.Hard.Retry.MaxRetries = 1000 }},
		{"hard.retry.initial_interval", func(p *recovery.ClassPolicies) { p.Hard.Retry.InitialInterval = time.Nanosecond }},
	}
	s := recovery.Defaults()
	for _, c := range cases {
		p := recovery.Patient(s, 0)
		c.change(&p)
		err := p.Validate(s.Policy)
		if c.field == "" {
			assert.NoError(t, err)
			continue
		}
		require.Error(t, err, c.field)
		assert.Equal(t, c.field, fault.From(err).Violations[0].Field)
	}
}

// A stored snapshot must mean the same when it is read again.
func TestSnapshotsSurviveJSON(t *testing.T) {
	t.Parallel()
	for _, p := range policies() {
		data, err := json.Marshal(p)
		require.NoError(t, err)
		var back recovery.ClassPolicies
		require.NoError(t, json.Unmarshal(data, &back))
		assert.Equal(t, p, back)
	}
	data, err := json.Marshal(recovery.Patient(recovery.Defaults(), 0))
	require.NoError(t, err)
	assert.Contains(t, string(data), `"hard":{"wait_for_reset":{"enabled":true,"max_wait_ns":19800000000000}`)
}

func TestDecisionsSurviveJSON(t *testing.T) {
	t.Parallel()
	for _, code := range allCodes() {
		for _, r := range allHints(code) {
			f := patient(0)
			f.ReplaySafeBy, f.Effects = "ada", toolSeen()
			d := decide(f, r)
			data, err := json.Marshal(d)
			require.NoError(t, err)
			var back recovery.Decision
			require.NoError(t, json.Unmarshal(data, &back))
			require.Equal(t, d, back)
		}
	}
}

func TestDefaultsAreValidAndNobodyElses(t *testing.T) {
	t.Parallel()
	s := recovery.Defaults()
	require.NoError(t, s.Validate())
	s.InteractiveDelays[0], s.Ladder[0] = 0, 0
	assert.NoError(t, recovery.Defaults().Validate(), "a copy was changed, not the default")
}

func TestSettingsThatWouldMisleadAreRefused(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*recovery.Settings){
		"interactive_delays":       func(s *recovery.Settings) { s.InteractiveDelays = nil },
		"ladder":                   func(s *recovery.Settings) { s.Ladder = []time.Duration{2, 1} },
		"launch_delays":            func(s *recovery.Settings) { s.LaunchDelays = []time.Duration{-1} },
		"jitter_fraction":          func(s *recovery.Settings) { s.JitterFraction = -0.1 },
		"short_throttle":           func(s *recovery.Settings) { s.ShortThrottle = 0 },
		"reset_margin":             func(s *recovery.Settings) { s.ResetMargin = -1 },
		"retry_after_margin":       func(s *recovery.Settings) { s.RetryAfterMargin = -1 },
		"hint_horizon":             func(s *recovery.Settings) { s.HintHorizon = 0 },
		"quota_hint_horizon":       func(s *recovery.Settings) { s.QuotaHintHorizon = s.HintHorizon - 1 },
		"heartbeat":                func(s *recovery.Settings) { s.Heartbeat = s.Lease },
		"send_margin":              func(s *recovery.Settings) { s.SendMargin = s.Lease },
		"lost_grace":               func(s *recovery.Settings) { s.LostGrace = 0 },
		"transport_launch_retries": func(s *recovery.Settings) { s.TransportLaunchRetries = -1 },
		"failure_threshold":        func(s *recovery.Settings) { s.FailureThreshold = 101 },
	} {
		s := recovery.Defaults()
		change(&s)
		err := s.Validate()
		require.Error(t, err, field)
		assert.Equal(t, field, fault.From(err).Violations[0].Field)
	}
}
