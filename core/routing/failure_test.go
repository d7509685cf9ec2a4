package routing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// When a failure opens the circuit, by what the policy still does about it.
func TestWhenAFailureOpensACircuit(t *testing.T) {
	t.Parallel()
	unattended, patient, strict := recovery.Unattended(settings), recovery.Patient(settings, 0), recovery.Strict()
	retriesHard := unattended
	retriesHard.Hard = recovery.ClassPolicy{Retry: recovery.RetryPolicy{Enabled: true, MaxRetries: 2, InitialInterval: time.Second}, OnExhausted: recovery.ExhaustedSkip}
	waits := unattended
	waits.Transient.WaitForReset.MaxWait = time.Hour
	long := failure(classification.RateLimited, noon)
	long.Throttle = classification.ThrottleLong
	short := failure(classification.RateLimited, noon)
	short.Throttle = classification.ThrottleShort
	quota := failure(classification.QuotaLimited, noon)
	for name, c := range map[string]struct {
		policy recovery.ClassPolicies
		result classification.Result
		used   int
		opens  bool
	}{
		"the short phase begins":         {unattended, failure(classification.ProviderOverloaded, noon), 0, false},
		"the short phase has not helped": {unattended, failure(classification.ProviderOverloaded, noon), 3, true},
		"no short phase by policy":       {strict, failure(classification.ProviderOverloaded, noon), 0, true},
		"a wait of the short phase":      {unattended, retryAfter(failure(classification.ProviderOverloaded, noon), 30*time.Second), 0, false},
		"a short throttle":               {unattended, short, 0, false},
		"a short throttle, exhausted":    {unattended, short, 3, true},
		"a stated short throttle":        {unattended, retryAfter(failure(classification.RateLimited, noon), 20*time.Second), 0, false},
		"a long throttle":                {unattended, long, 0, true},
		"a throttle nobody calls short":  {unattended, failure(classification.RateLimited, noon), 0, true},
		"a long throttle, waited for":    {waits, retryAfter(long, 10*time.Minute), 0, true},
		"a quota":                        {unattended, quota, 0, true},
		"a quota that is waited for":     {patient, resetAt(quota, noon.Add(time.Hour)), 0, true},
		"a quota that is retried":        {retriesHard, quota, 0, false},
		"a quota, retries spent":         {retriesHard, quota, 2, true},
		"a login":                        {unattended, failure(classification.AuthRequired, noon), 0, true},
		"a login, stop":                  {strict, failure(classification.AuthRequired, noon), 0, true},
		"a lost transport":               {unattended, failure(classification.AgentTransportLost, noon), 3, false},
		"a task's own fault":             {unattended, failure(classification.TaskError, noon), 0, false},
	} {
		facts := calm(c.policy)
		facts.Progress.Transient.Retries, facts.Progress.Hard.Retries = c.used, c.used
		f := routing.Failure{RunID: "run", StartedAt: noon, Result: c.result, Context: recovery.ContextDynamic, Decision: recovery.Decide(facts, c.result, settings, noon, 0)}
		_, opens := routing.Indicts(claude, f, pace(noon))
		assert.Equal(t, c.opens, opens, "%s: %v", name, f.Decision.Because)
	}
}

// Evidence that the gate does not believe opens nothing; that repeating is not
// safe is no doubt about the cause.
func TestOnlyBelievedEvidenceOpensACircuit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*recovery.Facts, *classification.Result)
		opens  bool
	}{
		"certain":          {func(*recovery.Facts, *classification.Result) {}, true},
		"tools have run":   {func(f *recovery.Facts, _ *classification.Result) { f.Effects.ToolActivity = evidence.EffectSeen }, true},
		"ambiguous":        {func(f *recovery.Facts, _ *classification.Result) { f.Effects.Delivery = evidence.DeliveryAmbiguous }, true},
		"recovery is off":  {func(f *recovery.Facts, _ *classification.Result) { f.RecoveryOff = true }, true},
		"stale generation": {func(f *recovery.Facts, _ *classification.Result) { f.EvidenceGeneration-- }, false},
		"uncorrelated":     {func(f *recovery.Facts, _ *classification.Result) { f.Correlated = false }, false},
		"terminal mode":    {func(f *recovery.Facts, _ *classification.Result) { f.Mode = recovery.ModeTerminal }, false},
		"timed out":        {func(f *recovery.Facts, _ *classification.Result) { f.TimedOut = true }, false},
		"interactive":      {func(f *recovery.Facts, _ *classification.Result) { f.Context = recovery.ContextInteractive }, false},
		"no context":       {func(f *recovery.Facts, _ *classification.Result) { f.Context = "" }, false},
		"medium":           {func(_ *recovery.Facts, r *classification.Result) { r.Confidence = classification.Medium }, false},
		"low":              {func(_ *recovery.Facts, r *classification.Result) { r.Confidence = classification.Low }, false},
		"another class":    {func(_ *recovery.Facts, r *classification.Result) { r.Class = classification.ClassTransient }, false},
		"own retry":        {func(_ *recovery.Facts, r *classification.Result) { r.AgentRetrying = true }, false},
		"unknown code":     {func(_ *recovery.Facts, r *classification.Result) { r.Code = "gremlins" }, false},
	} {
		facts, r := calm(recovery.Unattended(settings)), failure(classification.AuthRequired, noon)
		c.change(&facts, &r)
		f := routing.Failure{RunID: "run", StartedAt: noon, Result: r, Context: facts.Context, Decision: recovery.Decide(facts, r, settings, noon, 0)}
		_, opens := routing.Indicts(claude, f, pace(noon))
		assert.Equal(t, c.opens, opens, "%s: %v", name, f.Decision.Because)
		assert.Equal(t, c.opens, len(routing.AfterFailure(nil, claude, f, pace(noon))) == 1, name)
	}
}

// A probe that fails answers for what it failed on, and gives back the rest.
func TestAFailedProbeAnswersOnlyForWhatItFailedOn(t *testing.T) {
	t.Parallel()
	provider, account := providerKey(claude), accountKey(claude)
	both := circuits(probed(opened(provider, classification.ProviderOverloaded, noon)), probed(opened(account, classification.QuotaLimited, noon)))
	now := noon.Add(2 * time.Minute)
	unknown := failure(classification.UnknownProviderError, now)
	for name, c := range map[string]struct {
		result            classification.Result
		provider, account int // openings afterwards
	}{
		"the same":     {failure(classification.ProviderOverloaded, now), 2, 1},
		"the account":  {failure(classification.RateLimited, now), 1, 2},
		"a person's":   {failure(classification.AuthRequired, now), 1, 2},
		"another's":    {failure(classification.TaskError, now), 1, 1},
		"nobody knows": {unknown, 2, 2},
	} {
		// A first failure of a short phase is enough: one launch a deadline finds out.
		f := ended("probe", now, now, recovery.Unattended(settings), c.result)
		after := routing.Apply(both, routing.AfterFailure(both, claude, f, pace(now)))
		assert.Equal(t, c.provider, after[provider].Openings, name)
		assert.Equal(t, c.account, after[account].Openings, name)
		for _, key := range []routing.Key{provider, account} {
			assert.Equal(t, routing.Open, after[key].State, name)
			assert.Empty(t, after[key].Probe, name)
			assert.Equal(t, after[key].Openings == 1, after[key].NextStep(now).Kind == routing.StepProbe, "%s: given back is due at once", name)
		}
	}
	assert.Equal(t, classification.ProviderOverloaded, both[provider].Code, "nothing is changed in place")
}

func TestASuccessProvesEveryResource(t *testing.T) {
	t.Parallel()
	var all []routing.Circuit
	for _, key := range claude.Keys() {
		all = append(all, opened(key, classification.AuthRequired, noon))
	}
	assert.Empty(t, routing.AfterSuccess(circuits(all...), claude, "run", noon.Add(-time.Hour), noon.Add(time.Hour)), "it began before they opened")
	changes := routing.AfterSuccess(circuits(all...), claude, "run", noon.Add(time.Minute), noon.Add(time.Hour))
	assert.Len(t, changes, len(claude.Keys()))
	for _, c := range changes {
		assert.Equal(t, routing.Closed, c.Circuit.State)
		assert.Equal(t, c.Circuit.Version, c.Event.Version)
	}
	half := circuits(probed(opened(providerKey(claude), classification.ProviderOverloaded, noon)))
	assert.Len(t, routing.AfterNothing(half, claude, "probe", noon.Add(3*time.Minute)), 1)
	assert.Empty(t, routing.AfterNothing(half, claude, "other", noon.Add(3*time.Minute)))
}
