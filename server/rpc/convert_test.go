package rpc

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func anyOf[W ~int32, D ~string](t table[W, D]) *rapid.Generator[D] {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(t.wire)))
}

var anyTime = rapid.Custom(func(t *rapid.T) time.Time {
	if rapid.Bool().Draw(t, "absent") {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")).UTC()
})

var anySignal = rapid.Custom(func(t *rapid.T) evidence.Signal {
	text, label := rapid.String(), rapid.StringN(0, 8, 16)
	s := evidence.Signal{
		InFlight: rapid.Bool().Draw(t, "in flight"), Prose: rapid.Bool().Draw(t, "prose"), Foreign: rapid.Bool().Draw(t, "foreign"),
		CutBytes: rapid.IntRange(0, 1<<20).Draw(t, "cut"),
		Kind: rapid.SampledFrom([]evidence.Kind{
			evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult,
			evidence.KindStderr, evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
		}).Draw(t, "kind"),
	}
	switch s.Kind {
	case evidence.KindHTTP:
		s.Status, s.Text = rapid.IntRange(0, 599).Draw(t, "status"), text.Draw(t, "body")
		s.Headers = map[string]string{"retry-after": text.Draw(t, "header")}
	case evidence.KindACPError:
		s.Code, s.Text, s.Data = rapid.IntRange(-32999, 999).Draw(t, "code"), text.Draw(t, "message"), text.Draw(t, "data")
	case evidence.KindACPUpdate:
		s.Event, s.Text, s.Data = label.Draw(t, "event"), text.Draw(t, "text"), text.Draw(t, "data")
	case evidence.KindACPResult:
		s.Event, s.Data = label.Draw(t, "event"), text.Draw(t, "data")
	case evidence.KindResultEvent:
		s.Event, s.Text, s.Data = label.Draw(t, "event"), text.Draw(t, "text"), text.Draw(t, "data")
		s.Status = rapid.IntRange(0, 599).Draw(t, "status")
	case evidence.KindProcessExit:
		s.ExitSignal, s.EndedBy = label.Draw(t, "signal"), rapid.SampledFrom([]string{"", "supervisor", "user"}).Draw(t, "by")
		if s.Text = text.Draw(t, "spawn error"); s.Text != "" {
			s.Event = spawnErrorEvent
		} else if rapid.Bool().Draw(t, "has code") {
			code := rapid.IntRange(0, 255).Draw(t, "exit code")
			s.ExitCode = &code
		}
	default:
		s.Text = text.Draw(t, "text")
	}
	return s
})

var anyEffects = rapid.Custom(func(t *rapid.T) evidence.Effects {
	return evidence.Effects{
		AssistantOutput: anyOf(effectTable).Draw(t, "assistant"), ToolActivity: anyOf(effectTable).Draw(t, "tool"),
		PartialResult: anyOf(effectTable).Draw(t, "partial"), Delivery: anyOf(deliveryTable).Draw(t, "delivery"),
	}
})

func TestEnvelopeRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := evidence.Envelope{
			WorkspaceID: "w", AgentKind: rapid.String().Draw(t, "agent"), AgentVersion: rapid.String().Draw(t, "version"),
			Provider: rapid.String().Draw(t, "provider"), Model: rapid.String().Draw(t, "model"),
			Phase: anyOf(phaseTable).Draw(t, "phase"), Effects: anyEffects.Draw(t, "effects"), ObservedAt: anyTime.Draw(t, "at"),
			HostZone: rapid.String().Draw(t, "zone"), Signals: rapid.SliceOfN(anySignal, 1, 6).Draw(t, "signals"),
			DroppedSignals: rapid.IntRange(0, 9999).Draw(t, "dropped"),
		}
		wire := envelopeToWire(&in)
		require.Equal(t, in, envelopeToDomain("w", wire))
		// What is sent can be read by a peer.
		data, err := proto.Marshal(wire)
		require.NoError(t, err)
		back := &recoursev1.EvidenceEnvelope{}
		require.NoError(t, proto.Unmarshal(data, back))
		require.True(t, proto.Equal(wire, back))
	})
}

func TestDecisionRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := recovery.Decision{
			Action: anyOf(actionTable).Draw(t, "action"), Reason: anyOf(stopTable).Draw(t, "reason"),
			Boundary: anyOf(boundaryTable).Draw(t, "boundary"),
			RetryAt:  anyTime.Draw(t, "retry at"), Ordinal: rapid.IntRange(0, 99).Draw(t, "ordinal"), MaxAttempts: rapid.IntRange(0, 99).Draw(t, "max"),
			Receipt: recovery.Receipt{Kind: anyOf(receiptTable).Draw(t, "receipt"), Source: rapid.String().Draw(t, "source")},
			Remedy:  anyOf(remedyTable).Draw(t, "remedy"), HintShown: anyTime.Draw(t, "hint"), HintSource: rapid.String().Draw(t, "hint source"),
			Because: rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "because"), Policy: rapid.String().Draw(t, "policy"),
			ParkReason: anyOf(parkTable).Draw(t, "park reason"),
		}
		in.SendContinue = in.Boundary == recovery.BoundaryNativeResume
		require.Equal(t, &in, decisionToDomain(decisionToWire(&in)))
	})
	require.Nil(t, decisionToWire(nil))
	require.Nil(t, decisionToDomain(nil))
}

func TestClassificationRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		in := classification.Result{
			Code: anyOf(codeTable).Draw(t, "code"), Class: anyOf(classTable).Draw(t, "class"), Confidence: anyOf(confidenceTable).Draw(t, "confidence"),
			Throttle: anyOf(throttleTable).Draw(t, "throttle"), Scope: anyOf(scopeTable).Draw(t, "scope"), RuleID: text.Draw(t, "rule"),
			CatalogueVersion: text.Draw(t, "version"), CatalogueDigest: text.Draw(t, "digest"),
			ResetAt: anyTime.Draw(t, "reset"), HintSource: text.Draw(t, "hint"), AgentRetrying: rapid.Bool().Draw(t, "retrying"),
			AgentRetryAfter: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "agent after")), ConflictsWith: text.Draw(t, "conflict"),
			SafeExcerpt: text.Draw(t, "excerpt"), Provider: text.Draw(t, "provider"), Model: text.Draw(t, "model"),
			Phase: anyOf(phaseTable).Draw(t, "phase"), OccurredAt: anyTime.Draw(t, "at"), RetryAfterSet: rapid.Bool().Draw(t, "set"),
		}
		if in.RetryAfterSet {
			// A stated wait of zero is not the same as none.
			in.RetryAfter = time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "after"))
		}
		require.Equal(t, &in, classificationToDomain(classificationToWire(&in)))
	})
	require.Nil(t, classificationToWire(nil))
}

func TestProfileRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := work.Profile{
			AgentKind: rapid.String().Draw(t, "agent"), AgentVersion: rapid.String().Draw(t, "version"), Provider: rapid.String().Draw(t, "provider"),
			Model: rapid.String().Draw(t, "model"), ArgvShape: rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "argv"),
			Labels: map[string]string{"repository": rapid.String().Draw(t, "label")},
			Policy: work.PolicyChoice{
				Preset: anyOf(presetTable).Draw(t, "preset"), MaxWait: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "wait")),
				ReplaySafe: rapid.Bool().Draw(t, "safe"),
			},
		}
		require.Equal(t, in, profileToDomain(profileToWire(in)))
	})
}

// Agents print anything; an answer must be sendable all the same.
func TestBrokenTextCanBeSent(t *testing.T) {
	t.Parallel()
	broken := "a\xff\xfeb"
	wakeup := wakeupToWire(work.Wakeup{ErrorMessage: broken, LastClassification: &classification.Result{SafeExcerpt: broken}})
	_, err := proto.Marshal(wakeup)
	require.NoError(t, err)
	_, err = proto.Marshal(envelopeToWire(&evidence.Envelope{Signals: []evidence.Signal{{Kind: evidence.KindStderr, Text: broken}}}))
	require.NoError(t, err)
}

func TestPayloadKeepsWhateverJSONHas(t *testing.T) {
	t.Parallel()
	out := payloadToWire(map[string]any{"ordinal": 2, "list": []string{"a"}, "at": time.Unix(0, 0).UTC()}).AsMap()
	require.Equal(t, map[string]any{"ordinal": 2.0, "list": []any{"a"}, "at": "1970-01-01T00:00:00Z"}, out)
	require.Empty(t, payloadToWire(map[string]any{"f": func() {}}).AsMap())
}

func TestFiltersDropWhatTheTableLacks(t *testing.T) {
	t.Parallel()
	got := listToDomain(wakeupTable, []recoursev1.WakeupStatus{recoursev1.WakeupStatus_WAKEUP_STATUS_QUEUED, 99})
	require.Equal(t, []recovery.WakeupStatus{recovery.WakeupQueued}, got)
}
