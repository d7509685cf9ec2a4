package recovery_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// The tests of this file are the policy table and the rejected alternatives of
// the decision record on provider-neutral recovery, one by one and by name.

var (
	transients = []classification.Code{classification.NetworkUnavailable, classification.ProviderOverloaded, classification.ProviderUnavailable, classification.ModelCapacity}
	persons    = []classification.Code{classification.AuthRequired, classification.MissingCredentials, classification.SubscriptionRequired, classification.ModelUnavailable, classification.ProviderNotConfigured}
	unknowns   = []classification.Code{classification.UnknownProviderError, classification.AgentRuntimeError, classification.Unclassified}
	users      = []classification.Code{classification.PermissionDeniedByUser, classification.TaskError, classification.RepoError}
)

var seedReset = noon.Add(5 * time.Hour)

var seedRows = []struct {
	name  string
	codes []classification.Code
	check func(*testing.T, classification.Code)
}{
	{"a transient failure, interactive: five tries at 5, 10, 20, 40, 60 s on the same profile, then a person", transients, func(t *testing.T, code classification.Code) {
		waits, last := follow(calm(recovery.ContextInteractive), failure(code), 0)
		assert.Equal(t, seconds(5, 10, 20, 40, 60), waits)
		assert.Equal(t, recovery.ActionStop, last.Action)
		assert.Equal(t, recovery.ReasonBudgetExhausted, last.Reason)
	}},
	{"a transient failure, interactive: only of high confidence", transients, func(t *testing.T, code classification.Code) {
		r := failure(code)
		r.Confidence = classification.Medium
		assert.Equal(t, recovery.Reason(recovery.StopLowConfidence), decide(calm(recovery.ContextInteractive), r).Reason)
	}},
	{"a transient failure, interactive: only when it is safe to repeat", transients, func(t *testing.T, code classification.Code) {
		f := calm(recovery.ContextInteractive)
		f.Effects = toolSeen()
		assert.Equal(t, recovery.Reason(recovery.StopEffectsObserved), decide(f, failure(code)).Reason)
	}},
	{"a transient failure, unattended: the same route at 5, 10, 20 s, and only then the next", transients, func(t *testing.T, code classification.Code) {
		waits, last := follow(unattended(1), failure(code), 0)
		assert.Equal(t, seconds(5, 10, 20), waits)
		assert.Equal(t, recovery.ActionNextCandidate, last.Action)
	}},
	{"a lost transport, interactive: a short retry of the same profile", []classification.Code{classification.AgentTransportLost}, func(t *testing.T, code classification.Code) {
		waits, last := follow(calm(recovery.ContextInteractive), failure(code), 0)
		assert.Equal(t, seconds(5, 10, 20, 40, 60), waits)
		assert.Equal(t, recovery.ActionStop, last.Action)
	}},
	{"a lost transport, unattended, in launch: three tries, then nothing falls through", []classification.Code{classification.AgentTransportLost}, func(t *testing.T, code classification.Code) {
		waits, last := follow(launch(unattended(1)), failure(code), 0)
		assert.Len(t, waits, 3)
		assert.Equal(t, recovery.ActionStop, last.Action, "although another candidate is left")
	}},
	{"a lost transport, unattended, after the start: neither retried nor parked", []classification.Code{classification.AgentTransportLost}, func(t *testing.T, code classification.Code) {
		d := decide(unattended(1), failure(code))
		assert.Equal(t, recovery.Reason(recovery.StopTransportLostAfterStart), d.Reason)
	}},
	{"a rate limit, interactive: retried only when confirmed short, never before its hint", []classification.Code{classification.RateLimited}, func(t *testing.T, code classification.Code) {
		f := calm(recovery.ContextInteractive)
		assert.Equal(t, recovery.ActionStop, decide(f, failure(code)).Action)
		assert.Equal(t, recovery.ActionStop, decide(f, throttled(failure(code), classification.ThrottleLong)).Action)
		short := throttled(retryAfter(failure(code), 45*time.Second), classification.ThrottleShort)
		assert.Equal(t, noon.Add(45*time.Second), decide(f, short).RetryAt)
	}},
	{"a rate limit, unattended: up to 60 s on the same route, longer falls through", []classification.Code{classification.RateLimited}, func(t *testing.T, code classification.Code) {
		assert.Equal(t, recovery.ActionWait, decide(unattended(1), retryAfter(failure(code), time.Minute)).Action)
		assert.Equal(t, recovery.ActionNextCandidate, decide(unattended(1), retryAfter(failure(code), time.Minute+time.Second)).Action)
	}},
	{"a quota, interactive: the reset is shown, nothing is sent", []classification.Code{classification.QuotaLimited}, func(t *testing.T, code classification.Code) {
		d := decide(calm(recovery.ContextInteractive), resetAt(failure(code), seedReset))
		assert.Equal(t, recovery.ActionStop, d.Action)
		assert.Equal(t, seedReset, d.HintShown)
		assert.Zero(t, d.RetryAt)
	}},
	{"a quota, unattended: the next route, and parked until the reset when none is left", []classification.Code{classification.QuotaLimited}, func(t *testing.T, code classification.Code) {
		assert.Equal(t, recovery.ActionNextCandidate, decide(unattended(1), resetAt(failure(code), seedReset)).Action)
		d := decide(unattended(0), resetAt(failure(code), seedReset))
		assert.Equal(t, recovery.ParkProviderCapacity, d.ParkReason)
		assert.Equal(t, seedReset.Add(30*time.Second), d.RetryAt)
	}},
	{"a person's to mend, interactive: no retry and no other route", persons, func(t *testing.T, code classification.Code) {
		d := decide(calm(recovery.ContextInteractive), resetAt(failure(code), noon.Add(10*time.Second)))
		assert.Equal(t, recovery.ActionStop, d.Action)
		assert.Equal(t, recovery.ReasonPersonRequired, d.Reason)
	}},
	{"a person's to mend, unattended: another route, else parked without any timer", persons, func(t *testing.T, code classification.Code) {
		assert.Equal(t, recovery.ActionNextCandidate, decide(unattended(1), failure(code)).Action)
		d := decide(unattended(0), resetAt(failure(code), noon.Add(10*time.Second)))
		assert.Equal(t, recovery.ParkProviderActionRequired, d.ParkReason)
		assert.Zero(t, d.RetryAt)
	}},
	{"the user's, the task's or the repository's: no provider is blamed, no route changes", users, func(t *testing.T, code classification.Code) {
		for _, f := range []recovery.Facts{calm(recovery.ContextInteractive), unattended(1)} {
			assert.Equal(t, recovery.Reason(recovery.StopNonProvider), decide(f, failure(code)).Reason)
		}
	}},
	{"unknown: a person, after the start and in every context", unknowns, func(t *testing.T, code classification.Code) {
		for _, f := range []recovery.Facts{calm(recovery.ContextInteractive), unattended(1)} {
			assert.Equal(t, recovery.ActionStop, decide(f, failure(code)).Action)
		}
	}},
}
var named []classification.Code

func TestSeedPolicyTable(t *testing.T) {
	t.Parallel()
	for _, row := range seedRows {
		named = append(named, row.codes...)
		for _, code := range row.codes {
			t.Run(row.name+"/"+string(code), func(t *testing.T) {
				t.Parallel()
				row.check(t, code)
			})
		}
	}
	require.Subset(t, named, allCodes(), "every code stands in a row")
}

var rejectedAlternatives = []struct {
	name  string
	check func(*testing.T)
}{
	{"an agent's name decides nothing: the same cause gives the same decision for every agent", func(t *testing.T) {
		for _, code := range allCodes() {
			want := decide(calm(recovery.ContextInteractive), failure(code))
			for _, kind := range []string{"claude", "codex", "gemini", "opencode", "unheard-of"} {
				f := calm(recovery.ContextInteractive)
				f.Agent = recovery.Agent{Kind: kind}
				assert.Equal(t, want, decide(f, failure(code)), "%s %s", kind, code)
			}
		}
	}},
	{"a failed prompt alone is not retried: without a known cause a person decides", func(t *testing.T) {
		for _, f := range []recovery.Facts{calm(recovery.ContextInteractive), unattended(1), patient(0)} {
			assert.Equal(t, recovery.Reason(recovery.StopUnclassified), decide(f, failure(classification.Unclassified)).Reason)
		}
	}},
	{"a 429 that is a login, a subscription or a quota is not retried", func(t *testing.T) {
		for _, code := range []classification.Code{classification.AuthRequired, classification.SubscriptionRequired, classification.QuotaLimited} {
			r := throttled(retryAfter(failure(code), 10*time.Second), classification.ThrottleShort)
			assert.Equal(t, recovery.ActionStop, decide(calm(recovery.ContextInteractive), r).Action, "%s", code)
		}
	}},
	{"an ambiguous delivery is not retried, whatever the cause", func(t *testing.T) {
		for _, code := range transients {
			for _, f := range []recovery.Facts{calm(recovery.ContextInteractive), unattended(1)} {
				f.Effects.Delivery, f.Unattended = evidence.DeliveryAmbiguous, true
				assert.Equal(t, recovery.Reason(recovery.StopAmbiguousDelivery), decide(f, failure(code)).Reason)
			}
		}
	}},
	{"no verdict on the classification: the same one is answered by its context", func(t *testing.T) {
		r := resetAt(failure(classification.QuotaLimited), noon.Add(time.Hour))
		actions := map[recovery.Action]bool{}
		for _, f := range []recovery.Facts{calm(recovery.ContextInteractive), patient(0), unattended(1), unattended(0)} {
			actions[decide(f, r).Action] = true
		}
		assert.Len(t, actions, 4, "stop, wait, next candidate and park")
		result := reflect.TypeFor[classification.Result]()
		for _, verdict := range []string{"AutoRetryable", "UserAction", "Retryable"} {
			_, has := result.FieldByName(verdict)
			assert.False(t, has, verdict)
		}
	}},
	{"whoever shows it does not own the timer: the instant is decided, whole and absolute", func(t *testing.T) {
		d := recovery.Decide(calm(recovery.ContextInteractive), failure(classification.ProviderOverloaded), recovery.Defaults(), noon, 0.3)
		assert.Equal(t, noon.Add(5300*time.Millisecond), d.RetryAt, "jitter included, so that no surface adds its own")
		assert.Equal(t, time.UTC, d.RetryAt.Location())
	}},
	{"no model, account or provider is changed for an interactive session", func(t *testing.T) {
		for _, code := range allCodes() {
			for _, r := range allHints(code) {
				f := calm(recovery.ContextInteractive)
				f.Route.CandidatesLeft = 3
				assert.NotEqual(t, recovery.ActionNextCandidate, decide(f, r).Action)
			}
		}
	}},
	{"the interactive rule for hard limits does not bind unattended work", func(t *testing.T) {
		r := resetAt(failure(classification.QuotaLimited), noon.Add(time.Hour))
		assert.Equal(t, recovery.ActionStop, decide(calm(recovery.ContextInteractive), r).Action)
		assert.True(t, decide(unattended(0), r).ParkReason.Timed())
		assert.Zero(t, decide(unattended(0), failure(classification.SubscriptionRequired)).RetryAt, "only what renews itself arms a wake")
	}},
	{"the first transient failure never falls through", func(t *testing.T) {
		for _, code := range transients {
			f := unattended(3)
			for range 3 {
				d := decide(f, failure(code))
				require.Equal(t, recovery.ActionRetry, d.Action)
				f.Progress = d.Progress
			}
			assert.Equal(t, recovery.ActionNextCandidate, decide(f, failure(code)).Action)
		}
	}},
	{"inactivity is no evidence: no fact, no reason and no code speaks of it", func(t *testing.T) {
		f := calm(recovery.ContextInteractive)
		f.Correlated = false // no signal of the prompt: silence
		assert.Equal(t, recovery.Reason(recovery.StopUncorrelated), decide(f, failure(classification.NetworkUnavailable)).Reason)
		silent := recovery.FactsOf(evidence.Envelope{SessionID: "s", Generation: 1}, recovery.SessionRef{ID: "s", Generation: 1})
		assert.False(t, silent.Correlated)
	}},
}

func TestSeedRejectedAlternatives(t *testing.T) {
	t.Parallel()
	for _, c := range rejectedAlternatives {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t)
		})
	}
}

func TestSeedBoundaries(t *testing.T) {
	t.Parallel()
	for _, code := range transients {
		f := unattended(1)
		f.Unattended = true
		assert.Equal(t, recovery.BoundaryEffectFree, decide(f, failure(code)).Boundary, "before any effect the prompt itself is sent again")
		f.Effects = toolSeen()
		d := decide(f, failure(code))
		assert.Equal(t, recovery.ActionRetry, d.Action)
		assert.Equal(t, recovery.BoundaryContinuation, d.Boundary, "after effects a fresh session looks first, on the same provider")
		f.EvidenceGeneration--
		assert.Equal(t, recovery.Reason(recovery.StopStaleGeneration), decide(f, failure(code)).Reason, "a stale frame moves nothing")
	}
}
