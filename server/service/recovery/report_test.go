package recovery_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	service "github.com/recourse-dev/recourse/server/service/recovery"
)

// fakeSecret looks like a provider's key and is none.
var fakeSecret = "sk-" + "ant-" + "api03-" + strings.Repeat("Zq7", 30)

func TestEvidenceIsClassifiedAsItCameAndStoredRedacted(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	settled, err := b.service.ReportFailure(t.Context(), work.ReportFailure{
		Lease: leaseOf(c), RequestID: "f1", Envelope: printed("x-api-key: "+fakeSecret, "529 overloaded"), CostUSD: 0.25,
	})
	require.NoError(t, err)
	require.Contains(t, b.classify.seen[0].Signals[0].Text, fakeSecret, "a rule may need what is redacted")
	require.False(t, b.classify.seen[0].ObservedAt.IsZero())
	run, err := b.service.GetRun(t.Context(), workspace, c.Run.ID)
	require.NoError(t, err)
	w, err := b.service.GetWakeup(t.Context(), workspace, c.Wakeup.ID)
	require.NoError(t, err)
	page, err := b.service.ListEvents(t.Context(), work.ListEvents{WorkspaceID: workspace})
	require.NoError(t, err)
	for _, stored := range []any{settled, run, w, page} {
		raw, err := json.Marshal(stored)
		require.NoError(t, err)
		require.NotContains(t, string(raw), fakeSecret[10:40])
	}
	require.Contains(t, w.ErrorMessage, "529 overloaded")
	require.Equal(t, workspace, run.Evidence.WorkspaceID)
	require.Equal(t, run.SessionID, run.Evidence.SessionID)
	require.Equal(t, run.ID, run.Evidence.RunID)
	require.InDelta(t, 0.25, run.CostUSD, 0)
	require.Equal(t, recovery.InteractivePolicy, run.Decision.Policy)
}

func TestAReplayedReportIsNotClassifiedIntoSomethingElse(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	in := work.ReportFailure{Lease: leaseOf(c), RequestID: "f1", Envelope: printed("529")}
	first, err := b.service.ReportFailure(t.Context(), in)
	require.NoError(t, err)
	b.classify.result = classification.Result{Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High}
	again, err := b.service.ReportFailure(t.Context(), in)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	again.Replayed = false
	require.Equal(t, first, again)
	in.Envelope = printed("401")
	_, err = b.service.ReportFailure(t.Context(), in)
	b.refused(err, fault.ReasonRequestIDReused)
}

func TestAProcessThatDidNotStartWasNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	b.classify.result = classification.Result{Code: classification.AgentRuntimeError, Class: classification.ClassNonProvider, Confidence: classification.High}
	c := b.claim(b.begin().Wakeup.ID)
	_, err := b.service.BeginSend(t.Context(), leaseOf(c))
	require.NoError(t, err)
	e := evidence.Envelope{Phase: evidence.PhaseLaunch, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindProcessExit, Text: "no such file"}}}
	settled, err := b.service.ReportFailure(t.Context(), work.ReportFailure{Lease: leaseOf(c), Envelope: e})
	require.NoError(t, err)
	require.Equal(t, recovery.OutcomeNotSent, settled.Run.Outcome)
	require.Equal(t, recovery.ActionStop, settled.Run.Decision.Action)
	require.Equal(t, work.AttentionPerson, settled.Wakeup.Attention)
}

func TestThePolicyOfAPrompt(t *testing.T) {
	t.Parallel()
	b := setup(t, recovery.Defaults())
	try := func(p work.PolicyChoice) (work.Begun, error) {
		return b.service.BeginPrompt(t.Context(), work.BeginPrompt{WorkspaceID: workspace, Supervisor: me, Profile: work.Profile{Policy: p}})
	}
	for _, bad := range []work.PolicyChoice{{Preset: "eager"}, {Preset: work.PresetPatient, MaxWait: time.Millisecond}, {Preset: work.PresetPatient, MaxWait: 8 * 24 * time.Hour}} {
		_, err := try(bad)
		b.refused(err, fault.ReasonInvalidRequest)
	}
	begun, err := try(work.PolicyChoice{Preset: work.PresetPatient, MaxWait: time.Hour})
	require.NoError(t, err)
	b.classify.result = classification.Result{
		Code: classification.QuotaLimited, Class: classification.ClassHard, Confidence: classification.High,
		ResetAt: time.Now().Add(20 * time.Minute), HintSource: "resets at", OccurredAt: time.Now(),
	}
	c := b.claim(begun.Wakeup.ID)
	b.deliver(c)
	w := b.fail(c).Wakeup
	require.Equal(t, recovery.WakeupScheduledRetry, w.Status, "%v", w.LastDecision.Because)
	require.Equal(t, recovery.ActionWait, w.LastDecision.Action)
	require.True(t, w.Progress.Hard.Waited)
	require.False(t, w.DueAt.Before(b.classify.result.ResetAt))
}

func TestDecideStoresNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, recovery.Defaults())
	in := service.DecideInput{WorkspaceID: workspace, Envelope: printed("529")}
	decided, err := b.service.Decide(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, recovery.ActionRetry, decided.Decision.Action)
	require.Equal(t, 1, decided.Decision.Ordinal)
	require.Empty(t, decided.ContinueInstruction)
	in.RetriesUsed = 5
	decided, err = b.service.Decide(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, recovery.ReasonBudgetExhausted, decided.Decision.Reason)
	in = service.DecideInput{Envelope: printed("529"), NativeSessionID: "n"}
	in.Envelope.AgentKind, in.Envelope.AgentVersion = "claude", "2.1.328"
	in.Envelope.Effects.ToolActivity = evidence.EffectSeen
	decided, err = b.service.Decide(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, recovery.ContinueInstruction, decided.ContinueInstruction)
	in.NativeSessionID = ""
	decided, err = b.service.Decide(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, recovery.Reason(recovery.StopEffectsObserved), decided.Decision.Reason)
	page, err := b.service.ListWakeups(t.Context(), work.ListWakeups{WorkspaceID: workspace})
	require.NoError(t, err)
	require.Empty(t, page.Wakeups)
}

func TestPages(t *testing.T) {
	t.Parallel()
	b := setup(t, recovery.Defaults())
	var want []string
	for range 5 {
		want = append([]string{b.begin().Wakeup.ID}, want...)
	}
	var got []string
	in := work.ListWakeups{WorkspaceID: workspace, PageSize: 2}
	for {
		page, err := b.service.ListWakeups(t.Context(), in)
		require.NoError(t, err)
		for _, w := range page.Wakeups {
			got = append(got, w.ID)
		}
		if in.PageToken = page.NextPageToken; in.PageToken == "" {
			break
		}
	}
	require.Equal(t, want, got)
	page, err := b.service.ListWakeups(t.Context(), work.ListWakeups{WorkspaceID: workspace, PageSize: 2})
	require.NoError(t, err)
	filtered := work.ListWakeups{WorkspaceID: workspace, PageToken: page.NextPageToken, Statuses: []recovery.WakeupStatus{recovery.WakeupQueued}}
	_, err = b.service.ListWakeups(t.Context(), filtered)
	b.refused(err, fault.ReasonPageTokenInvalid)
	for _, damaged := range []string{"x", "!", page.NextPageToken + "x"} {
		_, err = b.service.ListWakeups(t.Context(), work.ListWakeups{WorkspaceID: workspace, PageToken: damaged})
		b.refused(err, fault.ReasonPageTokenInvalid)
	}
	_, err = b.service.ListRuns(t.Context(), work.ListRuns{WorkspaceID: workspace, PageToken: page.NextPageToken})
	b.refused(err, fault.ReasonPageTokenInvalid)
}

// A date that no failure can have would move every time that is read by it.
func TestEvidenceIsDatedWithinBounds(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	now := time.Now()
	for at, ok := range map[time.Time]bool{
		now.Add(-39 * 24 * time.Hour): true, now.Add(-41 * 24 * time.Hour): false,
		now.Add(23 * time.Hour): true, now.Add(25 * time.Hour): false,
		time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC): false, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC): false,
	} {
		c := b.claim(b.begin().Wakeup.ID)
		b.deliver(c)
		envelope := printed("529")
		envelope.ObservedAt = at
		_, reported := b.service.ReportFailure(t.Context(), work.ReportFailure{Lease: leaseOf(c), Envelope: envelope})
		_, decided := b.service.Decide(t.Context(), service.DecideInput{WorkspaceID: workspace, Envelope: envelope})
		for _, err := range []error{reported, decided} {
			if ok {
				require.NoError(t, err, "%s", at)
				continue
			}
			require.Equal(t, fault.ReasonInvalidRequest, fault.From(err).Reason, "%s: %v", at, err)
			require.ErrorContains(t, err, "observed_at")
		}
	}
}
