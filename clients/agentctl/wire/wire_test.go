package wire_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

var at = time.Date(2026, 11, 30, 12, 0, 0, 5e6, time.UTC)

func TestEveryWordOfTheCoreHasAName(t *testing.T) {
	t.Parallel()
	for _, info := range classification.Codes() {
		r := classification.Result{Code: info.Code, Class: info.Class, Scope: info.Scope, Confidence: classification.High}
		out := wire.Classification(r)
		require.NotZero(t, out.GetCode(), info.Code)
		require.NotZero(t, out.GetClass(), info.Class)
		require.NotZero(t, out.GetScope(), info.Scope)
		require.Equal(t, r, wire.ClassificationBack(out))
	}
	for _, action := range []recovery.Action{recovery.ActionRetry, recovery.ActionWait, recovery.ActionNextCandidate, recovery.ActionPark, recovery.ActionStop} {
		require.NotZero(t, wire.Action(action), action)
		require.Equal(t, action, wire.ActionWord(wire.Action(action)))
	}
	for _, boundary := range recovery.Boundaries() {
		require.NotZero(t, wire.Decision(recovery.Decision{Boundary: boundary}).GetBoundary(), boundary)
	}
	for _, park := range recovery.ParkReasons() {
		parked := recovery.Decision{Action: recovery.ActionPark, ParkReason: park}
		require.NotZero(t, wire.Decision(parked).GetParkReason(), park)
		require.Equal(t, park, wire.DecisionBack(wire.Decision(parked)).ParkReason)
	}
	for _, remedy := range recovery.Remedies() {
		require.NotZero(t, wire.Decision(recovery.Decision{Remedy: remedy}).GetRemedy(), remedy)
	}
	for _, reason := range recovery.StopReasons() {
		require.NotZero(t, stop(recovery.Reason(reason)), reason)
	}
	for _, reason := range recovery.PolicyReasons() {
		switch reason {
		case recovery.ReasonShortRetry, recovery.ReasonPolicyRetry, recovery.ReasonLaunchRetry, recovery.ReasonResetWait: // nothing stops
		default:
			require.NotZero(t, stop(reason), reason)
		}
	}
}

func stop(reason recovery.Reason) v1.StopReason {
	return wire.Decision(recovery.Decision{Action: recovery.ActionStop, Reason: reason}).GetStopReason()
}

func TestEnvelopesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	code := 137
	e := evidence.Envelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Model: "m", Phase: evidence.PhasePostOutput,
		Effects:    evidence.Effects{AssistantOutput: evidence.EffectSeen, ToolActivity: evidence.EffectUnknown, PartialResult: evidence.EffectNone, Delivery: evidence.DeliveryAmbiguous},
		ObservedAt: at, HostZone: "Europe/Berlin", DroppedSignals: 3,
		Signals: []evidence.Signal{
			{Kind: evidence.KindHTTP, Status: 529, Headers: map[string]string{"retry-after": "7"}, Text: "body"},
			{Kind: evidence.KindACPError, Code: -32603, Text: "Internal error", Data: `{"errorKind":"rate_limit"}`},
			{Kind: evidence.KindACPUpdate, Event: "agent_message_chunk", Text: "x", Data: "{}", Prose: true},
			{Kind: evidence.KindACPResult, Event: "end_turn", Data: "{}"},
			{Kind: evidence.KindStderr, Text: "err", CutBytes: 9},
			{Kind: evidence.KindStdout, Text: "out", Foreign: true},
			{Kind: evidence.KindResultEvent, Event: "result", Data: "{}", Text: "t", Status: 429, InFlight: true},
			{Kind: evidence.KindProcessExit, ExitCode: &code},
			{Kind: evidence.KindProcessExit, ExitSignal: "SIGTERM", EndedBy: "supervisor"},
			{Kind: evidence.KindProcessExit, Text: "spawn failed"},
		},
	}
	text, err := wire.JSON(wire.Envelope(e))
	require.NoError(t, err)
	var parsed v1.EvidenceEnvelope
	require.NoError(t, wire.Parse(text, &parsed))
	require.Equal(t, e, wire.EnvelopeBack(&parsed))
}

func TestDecisionsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	d := recovery.Decision{
		Action: recovery.ActionRetry, Reason: recovery.ReasonShortRetry, Policy: "interactive@1", Because: []string{"code=x"},
		Boundary: recovery.BoundaryNativeResume, BoundaryReceipt: recovery.Receipt{Kind: recovery.ReceiptPerson, Source: "--replay-safe"},
		RetryAt: at, Ordinal: 2, MaxAttempts: 5, Receipt: recovery.Receipt{Kind: recovery.ReceiptStated, Source: "header retry-after"},
		SendContinue: true, Remedy: recovery.RemedyWait, HintShown: at.Add(time.Hour), HintSource: "resets_at",
	}
	require.Equal(t, d, wire.DecisionBack(wire.Decision(d)))
	require.Equal(t, v1.SendKind_SEND_KIND_UNSPECIFIED, wire.Decision(recovery.Decision{Action: recovery.ActionStop}).GetSend(), "a stop sends nothing")
	require.Equal(t, recovery.Decision{}, wire.DecisionBack(nil))
}

func TestHintsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	r := classification.Result{
		Code: classification.RateLimited, Class: classification.ClassTransient, Throttle: classification.ThrottleShort,
		RetryAfter: 0, RetryAfterSet: true, AgentRetryAfter: time.Second, ResetAt: at, HintSource: "x",
		HintRejections: []classification.HintRejection{{Text: "resets 5pm", Reason: "no_zone"}},
		Phase:          evidence.PhaseLaunch, OccurredAt: at,
	}
	require.Equal(t, r, wire.ClassificationBack(wire.Classification(r)))
}

func TestUnknownEffectsAreSaid(t *testing.T) {
	t.Parallel()
	require.Equal(t, v1.Effect_EFFECT_UNKNOWN, wire.Effects(evidence.Effects{}).GetToolActivity())
	require.Equal(t, evidence.EffectUnknown, wire.EffectsBack(nil).ToolActivity, "who says nothing has proved nothing")
}
