package recovery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestSummaries(t *testing.T) {
	t.Parallel()
	interactive := calm(recovery.ContextInteractive)
	with := func(change func(*recovery.Facts)) recovery.Facts {
		f := interactive
		change(&f)
		return f
	}
	reset := noon.Add(3 * time.Hour)
	stated := recovery.Receipt{Kind: recovery.ReceiptStated, Source: "field resets_at"}
	overloaded := failure(classification.ProviderOverloaded)
	cases := []struct {
		name    string
		facts   recovery.Facts
		result  classification.Result
		until   time.Time
		receipt recovery.Receipt
		next    recovery.NextStep
	}{
		{"a retry goes on by itself", interactive, overloaded, noon.Add(5 * time.Second), recovery.Receipt{Kind: recovery.ReceiptEstimated, Source: "interactive@1"}, recovery.NextNothing},
		{"a quota with a reset can be waited for", interactive, resetAt(failure(classification.QuotaLimited), reset), reset, stated, recovery.NextContinueWithWait},
		{"a quota without one cannot", interactive, failure(classification.QuotaLimited), time.Time{}, recovery.Receipt{}, recovery.NextContinue},
		{"a wait names the margin's instant", patient(0), resetAt(failure(classification.QuotaLimited), reset), reset.Add(30 * time.Second), stated, recovery.NextNothing},
		{"unproved effects can be declared", with(func(f *recovery.Facts) { f.Effects = unknownEffects() }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextDeclareReplaySafe},
		{"seen effects must be looked at", with(func(f *recovery.Facts) { f.Effects = toolSeen() }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextInspect},
		{"so must a contradiction", with(func(f *recovery.Facts) { f.Phase = evidence.PhasePostOutput }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextInspect},
		{"a login is a login whatever was seen", with(func(f *recovery.Facts) { f.Effects = unknownEffects() }), failure(classification.AuthRequired), time.Time{}, recovery.Receipt{}, recovery.NextLogIn},
		{"a wait alone does not make seen effects safe", with(func(f *recovery.Facts) { f.Effects = toolSeen() }), resetAt(failure(classification.QuotaLimited), reset), reset, stated, recovery.NextInspect},
		{"nor unproved ones", with(func(f *recovery.Facts) { f.Effects = unknownEffects() }), failure(classification.QuotaLimited), time.Time{}, recovery.Receipt{}, recovery.NextDeclareReplaySafe},
		{"an ambiguous delivery must be looked at", with(func(f *recovery.Facts) { f.Effects.Delivery = evidence.DeliveryAmbiguous }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextInspect},
		{"a stale failure points at the newer prompt", with(func(f *recovery.Facts) { f.EvidenceGeneration-- }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextSeeCurrent},
		{"a limit of ours is ours to raise", with(func(f *recovery.Facts) { f.TimedOut = true }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextRaiseTimeLimit},
		{"an unknown context is a bug", with(func(f *recovery.Facts) { f.Context = "" }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextReport},
		{"a spent budget is continued by hand", with(func(f *recovery.Facts) { f.Progress.Transient.Retries = 5 }), overloaded, time.Time{}, recovery.Receipt{}, recovery.NextContinue},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := decide(c.facts, c.result)
			s := recovery.Summarise(c.facts, c.result, d)
			assert.Equal(t, c.next, s.Next)
			assert.Equal(t, c.until, s.Until)
			assert.Equal(t, c.receipt, s.Receipt)
			assert.Equal(t, d.Reason, s.Reason)
			assert.Equal(t, c.result.Code, s.Code)
			assert.Equal(t, "anthropic", s.Provider)
			assert.Equal(t, "opus", s.Model)
		})
	}
}

func TestSummaryNamesTheFlagsInTheWay(t *testing.T) {
	t.Parallel()
	f := calm(recovery.ContextInteractive)
	f.Effects = evidence.Effects{AssistantOutput: evidence.EffectNone, ToolActivity: evidence.EffectSeen}
	r := failure(classification.ProviderOverloaded)
	s := recovery.Summarise(f, r, decide(f, r))
	assert.Equal(t, []string{"tool_activity"}, s.Observed)
	assert.Equal(t, []string{"partial_result"}, s.Unproven)

	f.ReplaySafeBy = "ada"
	s = recovery.Summarise(f, r, decide(f, r))
	assert.Empty(t, s.Observed, "nothing is in the way")
}

// A stop always has a first and a third line.
func TestEveryStopNamesACommand(t *testing.T) {
	t.Parallel()
	for _, context := range contexts() {
		for _, f := range effectSituations(context) {
			for _, code := range allCodes() {
				d := decide(f, failure(code))
				s := recovery.Summarise(f, failure(code), d)
				assert.Contains(t, recovery.NextSteps(), s.Next)
				assert.Equal(t, d.Action == recovery.ActionStop || d.RetryAt.IsZero() && d.Action == recovery.ActionPark, s.Next != recovery.NextNothing)
			}
		}
	}
}
