package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// eachCell walks codes × phases × effect states × contexts, then codes ×
// policies × hints × throttles × counters × helps.
func eachCell(visit func(recovery.Facts, classification.Result)) {
	for _, code := range allCodes() {
		hints := allHints(code)
		for _, context := range contexts() {
			for _, f := range effectSituations(context) {
				for _, r := range []classification.Result{hints[0], retryAfter(hints[0], 10*time.Second), resetAt(hints[0], noon.Add(4*time.Hour))} {
					visit(f, r)
				}
			}
			for _, f := range policySituations(context) {
				for _, r := range hints {
					visit(f, r)
					if code == classification.RateLimited {
						visit(f, throttled(r, classification.ThrottleShort))
						visit(f, throttled(r, classification.ThrottleLong))
					}
				}
			}
		}
	}
}

func effectSituations(context recovery.Context) []recovery.Facts {
	var all []recovery.Facts
	for _, phase := range phases() {
		for _, effects := range allEffects() {
			f := calm(context)
			f.Phase, f.Effects = phase, effects
			all = append(all, f, withResume(f))
		}
	}
	return all
}

func policySituations(context recovery.Context) []recovery.Facts {
	var all []recovery.Facts
	for _, effects := range []evidence.Effects{evidence.NoEffects(), toolSeen()} {
		for _, p := range policies() {
			for _, progress := range []recovery.ClassProgress{{}, {Waited: true}, {Retries: 1}, {Retries: 3}, {Retries: 5, Waited: true}, {Retries: -1}} {
				f := calm(context)
				f.Effects, f.Policy, f.Phase = effects, p, evidence.PhaseLaunch
				f.Progress = recovery.Progress{Transient: progress, Hard: progress}
				declared, more := f, withResume(f)
				declared.ReplaySafeBy = "ada"
				more.Route.CandidatesLeft = 1
				fresh := more
				fresh.Unattended = true
				all = append(all, f, withResume(f), declared, more, fresh)
			}
		}
	}
	return all
}

func policies() []recovery.ClassPolicies {
	s := recovery.Defaults()
	stubborn := recovery.ClassPolicies{Version: 1, Transient: recovery.Unattended(s).Transient}
	stubborn.Transient.OnExhausted = recovery.ExhaustedStop
	stubborn.Hard = recovery.ClassPolicy{
		Retry:       recovery.RetryPolicy{Enabled: true, MaxRetries: 10, InitialInterval: time.Hour},
		OnExhausted: recovery.ExhaustedSkip,
	}
	return []recovery.ClassPolicies{recovery.Unattended(s), recovery.Patient(s, 0), recovery.Strict(), recovery.Immediate(), stubborn, {}}
}

func TestEveryCellKeepsThePromises(t *testing.T) {
	t.Parallel()
	cells, broken := 0, 0
	eachCell(func(f recovery.Facts, r classification.Result) {
		cells++
		if problem := promiseBroken(f, r, decide(f, r)); problem != "" && broken < 10 {
			broken++
			t.Errorf("%s\nfacts  %+v\nresult %+v\ngives  %+v", problem, f, r, decide(f, r))
		}
	})
	require.Greater(t, cells, 100_000)
}

// promiseBroken names the promise that a decision breaks, "" if none. It is
// written from the contract and looks at no table.
func promiseBroken(f recovery.Facts, r classification.Result, d recovery.Decision) string {
	attempts := d.Automatic() || d.Action == recovery.ActionPark
	automatic := r.Class == classification.ClassTransient || r.Class == classification.ClassHard
	none := f.Effects.AssistantOutput == evidence.EffectNone && f.Effects.ToolActivity == evidence.EffectNone && f.Effects.PartialResult == evidence.EffectNone
	samePrompt := attempts && !d.SendContinue && d.Boundary != recovery.BoundaryContinuation
	switch {
	case !d.Owned():
		return "nobody owns what waits"
	case attempts && !automatic:
		return "acted on a cause that is not the provider's"
	case attempts && f.Effects.Delivery == evidence.DeliveryAmbiguous:
		return "acted on an ambiguous delivery"
	case attempts && d.Boundary == recovery.BoundaryNone:
		return "acted without a boundary"
	case samePrompt && !none && f.ReplaySafeBy == "":
		return "repeats a prompt whose effects are not known"
	case d.SendContinue && d.Action == recovery.ActionNextCandidate:
		return "a resume token crosses profiles"
	case (d.Boundary == recovery.BoundaryDeclaredRepeatable) != (d.BoundaryReceipt.Kind == recovery.ReceiptPerson):
		return "a person's word without the person"
	case d.Action == recovery.ActionRetry && !d.RetryAt.After(noon), d.RetryAt.Before(noon) && !d.RetryAt.IsZero():
		return "due in the past"
	case d.RetryAt.Location() != time.UTC || !d.RetryAt.Equal(d.RetryAt.Truncate(time.Millisecond)):
		return "not a whole millisecond of UTC"
	case d.Action == recovery.ActionRetry && (d.Ordinal < 1 || d.Ordinal > d.MaxAttempts):
		return "ordinal outside the budget"
	case len(d.Because) == 0:
		return "no explanation"
	}
	if !d.RetryAt.IsZero() && early(r, d) {
		return "earlier than a stated deadline"
	}
	return contextPromiseBroken(f, r, d)
}

// early: no attempt before a validated hint and its margin.
func early(r classification.Result, d recovery.Decision) bool {
	horizon := 8 * 24 * time.Hour
	if r.Code == classification.QuotaLimited {
		horizon = 40 * 24 * time.Hour
	}
	if r.RetryAfterSet && r.RetryAfter > 0 && r.RetryAfter <= horizon && d.RetryAt.Before(noon.Add(r.RetryAfter)) {
		return true
	}
	ahead := r.ResetAt.Sub(noon)
	return !r.ResetAt.IsZero() && ahead > 0 && ahead <= horizon && d.RetryAt.Before(r.ResetAt.Add(30*time.Second))
}

func contextPromiseBroken(f recovery.Facts, r classification.Result, d recovery.Decision) string {
	counters := func(p recovery.Progress) recovery.ClassProgress {
		if r.Class == classification.ClassHard {
			return p.Hard
		}
		return p.Transient
	}
	before, after := counters(f.Progress), counters(d.Progress)
	switch {
	case d.Action == recovery.ActionRetry && after.Retries != max(before.Retries, 0)+1:
		return "a retry that is not counted"
	case d.Action != recovery.ActionRetry && after.Retries != before.Retries:
		return "counted without a retry"
	case d.Action == recovery.ActionWait && (before.Waited || !after.Waited):
		return "a second wait in the cycle"
	case f.Context == recovery.ContextInteractive && d.Action != recovery.ActionStop && d.Action != recovery.ActionRetry:
		return "a concrete profile did something else than retry or stop"
	case f.Context == recovery.ContextInteractive && d.Action == recovery.ActionRetry && r.Class != classification.ClassTransient:
		return "a concrete profile retried a hard failure"
	case f.Context == recovery.ContextInteractive && d.Action == recovery.ActionRetry && d.RetryAt.After(noon.Add(90*time.Second)):
		return "a concrete profile waits for a long hint"
	case d.Action == recovery.ActionNextCandidate && f.Route.CandidatesLeft == 0:
		return "there is no next candidate"
	case r.Code == classification.AgentTransportLost && (d.Action == recovery.ActionNextCandidate || d.Action == recovery.ActionPark):
		return "a lost transport fell through"
	}
	return ""
}

// Every value of every enum must be somebody's answer; one that never is would
// be a dead row.
func TestNoOutcomeIsDead(t *testing.T) {
	t.Parallel()
	seen := map[any]bool{}
	note := func(f recovery.Facts, r classification.Result) {
		d := decide(f, r)
		for _, v := range []any{d.Action, d.Reason, d.Boundary, d.Receipt.Kind, d.BoundaryReceipt.Kind, d.Remedy, d.ParkReason, recovery.Summarise(f, r, d).Next} {
			seen[v] = true
		}
	}
	eachCell(note)
	for _, breakIt := range breaks {
		f, r := calm(recovery.ContextDynamic), failure(classification.ProviderOverloaded)
		breakIt(&f, &r)
		note(f, r)
	}
	note(unstarted(), failure(classification.AgentRuntimeError))
	for _, f := range bounded() {
		d := decideZoned(f, failure(classification.ProviderOverloaded))
		seen[d.Reason], seen[d.ParkReason] = true, true
	}
	var want []any
	for _, a := range []recovery.Action{recovery.ActionRetry, recovery.ActionWait, recovery.ActionNextCandidate, recovery.ActionPark, recovery.ActionStop} {
		want = append(want, a)
	}
	for _, r := range recovery.StopReasons() {
		want = append(want, recovery.Reason(r))
	}
	for _, r := range recovery.PolicyReasons() {
		if r != recovery.ReasonNoPolicyForCause { // only for a code without a row, which another test forbids
			want = append(want, r)
		}
	}
	for _, b := range recovery.Boundaries() {
		want = append(want, b)
	}
	for _, r := range recovery.Remedies() {
		want = append(want, r)
	}
	for _, n := range recovery.NextSteps() {
		want = append(want, n)
	}
	for _, r := range recovery.ParkReasons() {
		want = append(want, r)
	}
	want = append(want, recovery.ReceiptStated, recovery.ReceiptEstimated, recovery.ReceiptPerson)
	for _, v := range want {
		assert.True(t, seen[v], "%T %v is never given", v, v)
	}
}

// A decision is a function of its arguments, and its explanation starts with
// the cause and ends with the answer.
func TestDecisionsReplay(t *testing.T) {
	t.Parallel()
	for _, code := range allCodes() {
		for _, r := range allHints(code) {
			f := withResume(calm(recovery.ContextDynamic))
			first, second := decide(f, r), decide(f, r)
			require.Equal(t, first, second)
			assert.Equal(t, "code="+string(code), first.Because[0])
			n := len(first.Because)
			assert.Equal(t, []string{"action=" + string(first.Action), "reason=" + string(first.Reason)}, first.Because[n-2:])
		}
	}
}
