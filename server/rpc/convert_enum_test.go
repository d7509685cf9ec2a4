package rpc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/profile"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// complete checks that every word has a wire value of its own, that every wire
// value but the zero one comes from a word, and that both ways agree.
func complete[W interface {
	~int32
	protoreflect.Enum
}, D ~string](t *testing.T, table table[W, D], words []D) {
	t.Helper()
	seen := map[W]D{}
	for _, word := range words {
		wire := table.toWire(word)
		require.NotZero(t, wire, "%q has no wire value", word)
		require.NotContains(t, seen, wire, "%q shares its wire value", word)
		require.Equal(t, word, table.toDomain(wire))
		seen[wire] = word
	}
	var zero W
	values := zero.Descriptor().Values()
	for i := range values.Len() {
		number := W(values.Get(i).Number())
		if number != 0 {
			require.Contains(t, seen, number, "%s comes from no word", values.Get(i).Name())
		}
	}
	require.Zero(t, table.toWire("no such word"))
	require.Zero(t, table.toDomain(W(9999)))
}

func TestEveryWordCrossesTheWire(t *testing.T) {
	t.Parallel()
	var codes []classification.Code
	for _, info := range classification.Codes() {
		codes = append(codes, info.Code)
	}
	complete(t, codeTable, codes)
	complete(t, classTable, []classification.Class{
		classification.ClassTransient, classification.ClassHard, classification.ClassNonProvider, classification.ClassUnclassified,
	})
	complete(t, confidenceTable, []classification.Confidence{classification.High, classification.Medium, classification.Low})
	complete(t, throttleTable, []classification.Throttle{classification.ThrottleShort, classification.ThrottleLong, classification.ThrottleUnknown})
	complete(t, scopeTable, []classification.Scope{
		classification.ScopeProvider, classification.ScopeAccount, classification.ScopeModel, classification.ScopeProfile, classification.ScopeRequest,
	})
	complete(t, phaseTable, []evidence.Phase{evidence.PhaseLaunch, evidence.PhasePreOutput, evidence.PhasePostOutput})
	complete(t, effectTable, []evidence.Effect{evidence.EffectUnknown, evidence.EffectNone, evidence.EffectSeen})
	complete(t, deliveryTable, []evidence.Delivery{evidence.DeliveryAcknowledged, evidence.DeliveryAmbiguous})
	complete(t, roleTable, access.Roles())
	complete(t, presetTable, []string{work.PresetInteractive, work.PresetPatient})
	complete(t, profileKindTable, profile.Kinds())
	complete(t, directoryTable, profile.DirectoryRules())
	complete(t, candidatePresetTable, profile.Presets())
	complete(t, attentionTable, []work.Attention{work.AttentionDeadline, work.AttentionPerson})
	complete(t, sendTable, []work.SendKind{work.SendPrompt, work.SendContinue, work.SendFresh})
	complete(t, deliveryModeTable, []work.Delivery{work.DeliveryCaller, work.DeliveryWorker})
	complete(t, userActionTable, []work.UserAction{
		work.UserRetryNow, work.UserCancelWait, work.UserStopRun, work.UserResumeSession, work.UserStartFresh,
	})
	complete(t, parkTable, recovery.ParkReasons())
	complete(t, exhaustedTable, []recovery.OnExhausted{recovery.ExhaustedSkip, recovery.ExhaustedStop})
	complete(t, modeTable, []recovery.Mode{recovery.ModePolicy, recovery.ModeTerminal})
	complete(t, sessionTable, recovery.SessionStatuses())
	complete(t, wakeupTable, recovery.WakeupStatuses())
	complete(t, runTable, recovery.RunStatuses())
	complete(t, boundaryTable, recovery.Boundaries())
	complete(t, remedyTable, recovery.Remedies())
	complete(t, receiptTable, []recovery.ReceiptKind{recovery.ReceiptStated, recovery.ReceiptEstimated, recovery.ReceiptPerson})
	complete(t, actionTable, []recovery.Action{
		recovery.ActionRetry, recovery.ActionWait, recovery.ActionNextCandidate, recovery.ActionPark, recovery.ActionStop,
	})
}

func TestEveryOutcomeCrossesTheWire(t *testing.T) {
	t.Parallel()
	var outcomes []recovery.RunOutcome
	for _, outcome := range recovery.RunOutcomes() {
		if outcome != recovery.OutcomeNone {
			outcomes = append(outcomes, outcome)
		}
	}
	complete(t, outcomeTable, outcomes)
}

// The reasons of an attempt are no stop; they travel as Decision.reason.
func TestEveryStopReasonCrossesTheWire(t *testing.T) {
	t.Parallel()
	attempts := map[recovery.Reason]bool{recovery.ReasonShortRetry: true, recovery.ReasonPolicyRetry: true, recovery.ReasonLaunchRetry: true, recovery.ReasonResetWait: true}
	var stops []recovery.Reason
	for _, reason := range recovery.StopReasons() {
		stops = append(stops, recovery.Reason(reason))
	}
	for _, reason := range recovery.PolicyReasons() {
		if !attempts[reason] {
			stops = append(stops, reason)
		}
	}
	complete(t, stopTable, stops)
	for reason := range attempts {
		require.Equal(t, recoursev1.StopReason_STOP_REASON_UNSPECIFIED, stopTable.toWire(reason))
	}
}

// Silence about an effect proves nothing.
func TestAnUnspecifiedEffectIsUnknown(t *testing.T) {
	t.Parallel()
	require.Equal(t, evidence.EffectUnknown, effectTable.toDomain(recoursev1.Effect_EFFECT_UNSPECIFIED))
	require.False(t, effectTable.toDomain(recoursev1.Effect_EFFECT_UNSPECIFIED).Safe())
	require.False(t, effectTable.toDomain(recoursev1.Effect(77)).Safe())
}
