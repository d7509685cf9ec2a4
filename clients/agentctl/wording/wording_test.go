package wording_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func TestEveryCodeAndReasonHasWords(t *testing.T) {
	t.Parallel()
	for _, info := range classification.Codes() {
		text := wording.Cause(recovery.Summary{Code: info.Code})
		require.True(t, strings.HasPrefix(text, string(info.Code)+": "), text)
		require.NotContains(t, text, "no cause was given")
	}
	for _, reason := range recovery.StopReasons() {
		require.NotContains(t, wording.Why(recovery.Summary{Reason: recovery.Reason(reason)}), "the reason is", reason)
	}
	for _, reason := range recovery.PolicyReasons() {
		require.NotContains(t, wording.Why(recovery.Summary{Reason: reason}), "the reason is", reason)
	}
}

func TestEveryNextStepSaysWhatToDo(t *testing.T) {
	t.Parallel()
	seen := map[string]recovery.NextStep{}
	for _, step := range recovery.NextSteps() {
		text := wording.Next(step, wording.Subject{WakeupID: "w1", AgentKind: "claude"})
		require.NotContains(t, text, "see what has to change", step)
		require.Empty(t, seen[text], "%s and %s say the same", step, seen[text])
		seen[text] = step
	}
}

func TestNextCommandsAreExact(t *testing.T) {
	t.Parallel()
	claude := wording.Subject{WakeupID: "w1", AgentKind: "claude"}
	cases := []struct {
		step    recovery.NextStep
		subject wording.Subject
		want    string
	}{
		{recovery.NextContinue, claude, "agentctl run --continue w1"},
		{recovery.NextContinueWithWait, claude, "agentctl run --wait --continue w1"},
		{recovery.NextContinueWithWait, wording.Subject{WakeupID: "w1", Left: 5 * time.Hour}, "agentctl run --wait --continue w1"},
		{recovery.NextContinueWithWait, wording.Subject{WakeupID: "w1", Left: 17*time.Hour + time.Minute}, "agentctl run --wait=18h --continue w1"},
		{recovery.NextContinueWithWait, wording.Subject{WakeupID: "w1", Left: 30 * 24 * time.Hour}, "after the reset: agentctl run --continue w1"},
		{recovery.NextDeclareReplaySafe, claude, "agentctl run --replay-safe --continue w1"},
		{recovery.NextInspect, claude, "agentctl run --replay-safe --continue w1"},
		{recovery.NextInspect, wording.Subject{WakeupID: "w1", Resumable: true}, "then: agentctl run --continue w1"},
		{recovery.NextLogIn, claude, "claude /login"},
		{recovery.NextLogIn, wording.Subject{AgentKind: "codex"}, "codex login"},
		{recovery.NextLogIn, wording.Subject{AgentKind: "unheard-of"}, "log in to the agent's provider"},
		{recovery.NextReport, claude, "agentctl why w1"},
	}
	for _, c := range cases {
		require.Contains(t, wording.Next(c.step, c.subject), c.want)
	}
}

func TestUntilSaysWhoSaidSo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	stated := recovery.Summary{Until: now.Add(90 * time.Minute), Receipt: recovery.Receipt{Kind: recovery.ReceiptStated, Source: "resetsAt"}, Reason: recovery.ReasonWaitNeedsConsent}
	require.Contains(t, wording.Until(stated, now), `(in 1h 30m), as stated by "resetsAt"; waiting that long needs your consent`)
	require.Contains(t, wording.Until(recovery.Summary{Reason: recovery.ReasonBudgetExhausted}, now), "nobody said until when; every retry is used up")
	require.Contains(t, wording.Until(recovery.Summary{Until: now.Add(time.Minute)}, now), "nobody said by whom")
}

func TestSpans(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 0: "0s", time.Millisecond: "1s", 4200 * time.Millisecond: "5s", 59 * time.Second: "59s",
		time.Minute: "1m 00s", 61 * time.Second: "1m 01s", 3*time.Hour + 5*time.Minute: "3h 05m", 26 * time.Hour: "1d 02h",
	} {
		require.Equal(t, want, wording.Span(d), d.String())
	}
}

func TestObservedEffectsAreNamed(t *testing.T) {
	t.Parallel()
	reason := recovery.Reason(recovery.StopEffectsObserved)
	require.Contains(t, wording.Why(recovery.Summary{Reason: reason, Observed: []string{"tool_activity"}, Unproven: []string{"partial_result"}}), "seen: tool activity")
	require.Contains(t, wording.Why(recovery.Summary{Reason: reason, Unproven: []string{"partial_result"}}), "its output cannot show: partial result")
}

func TestARefusedKeyIsNotMendedByALogin(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Invalid API key · Fix external API key": "mend or unset ANTHROPIC_API_KEY   then: ",
		"Invalid API key · Please run /login":    "claude /login   then: ",
		"Please run /login":                      "claude /login   then: ",
	} {
		got := wording.Next(recovery.NextLogIn, wording.Subject{WakeupID: "w", AgentKind: "claude", Said: said})
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", said, got)
		}
	}
}
