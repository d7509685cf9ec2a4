package routing_test

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// noon is the instant at which the tests decide.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var (
	settings = recovery.Defaults()
	claude   = routing.Candidate{ProfileID: "p-claude", Provider: "anthropic", Account: "acct1", Model: "opus"}
	sonnet   = routing.Candidate{ProfileID: "p-sonnet", Provider: "anthropic", Account: "acct1", Model: "sonnet"}
	codex    = routing.Candidate{ProfileID: "p-codex", Provider: "openai", Account: "acct2", Model: "gpt"}
	unbound  = routing.Candidate{ProfileID: "p-unbound", Provider: "google", Model: "pro"}
)

func pace(now time.Time) routing.Pace { return routing.Pace{Settings: settings, Now: now} }

// failure is a certain classification of the code, without any hint.
func failure(code classification.Code, at time.Time) classification.Result {
	return classification.Result{
		Code: code, Class: classification.ClassOf(code), Confidence: classification.High,
		Throttle: classification.ThrottleUnknown, RuleID: "test.rule", OccurredAt: at,
	}
}

func resetAt(r classification.Result, at time.Time) classification.Result {
	r.ResetAt, r.HintSource = at, "field resets_at"
	return r
}

func retryAfter(r classification.Result, d time.Duration) classification.Result {
	r.RetryAfter, r.RetryAfterSet, r.HintSource = d, true, "header retry-after"
	return r
}

// calm are facts under which nothing but the cause decides.
func calm(policy recovery.ClassPolicies) recovery.Facts {
	return recovery.Facts{
		CurrentGeneration: 3, EvidenceGeneration: 3, Correlated: true,
		Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(),
		Mode: recovery.ModePolicy, Context: recovery.ContextDynamic, Policy: policy,
	}
}

// ended is a failed run with what the policy decides on it when no other
// candidate is left.
func ended(runID string, startedAt, now time.Time, policy recovery.ClassPolicies, r classification.Result) routing.Failure {
	return routing.Failure{
		RunID: runID, StartedAt: startedAt, Result: r, Context: recovery.ContextDynamic,
		Decision: recovery.Decide(calm(policy), r, settings, now, 0),
	}
}

// spent is the same after a short phase that did not help.
func spent(runID string, startedAt, now time.Time, r classification.Result) routing.Failure {
	return ended(runID, startedAt, now, recovery.Immediate(), r)
}

// opened is the circuit of a key after one failure that opens it.
func opened(key routing.Key, code classification.Code, now time.Time) routing.Circuit {
	c, _, _ := routing.NewCircuit(key).Open(spent("opener", now.Add(-time.Minute), now, failure(code, now)), pace(now))
	return c
}

func circuits(all ...routing.Circuit) map[routing.Key]routing.Circuit {
	m := map[routing.Key]routing.Circuit{}
	for _, c := range all {
		m[c.Key] = c
	}
	return m
}

func providerKey(c routing.Candidate) routing.Key { return c.KeyAt(classification.ScopeProvider) }
func accountKey(c routing.Candidate) routing.Key  { return c.KeyAt(classification.ScopeAccount) }
