package classification

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
)

const (
	overloadedBody = `API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}`
	initEvent      = `{"type":"system","subtype":"init","session_id":"0b1f6c1e-2222-4333-8444-555555555555","model":"claude-sonnet-4-5","tools":[]}`
	toolEvent      = `{"type":"assistant","message":{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]},"session_id":"0b1f6c1e-2222-4333-8444-555555555555"}`
	errorEvent     = `{"type":"result","subtype":"success","is_error":true,"result":"` + overloadedBody + `","session_id":"0b1f6c1e-2222-4333-8444-555555555555"}`
)

func stdout(lines ...string) evidence.Signal {
	return evidence.Signal{Kind: evidence.KindStdout, Text: strings.Join(lines, "\n")}
}

func exit(code int) evidence.Signal {
	return evidence.Signal{Kind: evidence.KindProcessExit, ExitCode: &code}
}

func kinds(signals []evidence.Signal) []evidence.Kind {
	var out []evidence.Kind
	for _, s := range signals {
		out = append(out, s.Kind)
	}
	return out
}

func TestRawEventsAreReadByTheirDialect(t *testing.T) {
	t.Parallel()
	for name, agent := range map[string]string{"named": "claude", "another spelling": "claude-code", "sniffed": ""} {
		got, session := Interpret(evidence.Envelope{AgentKind: agent, Signals: []evidence.Signal{stdout(initEvent, errorEvent), exit(1)}})
		require.Equal(t, "claude", got.AgentKind, name)
		require.Equal(t, "0b1f6c1e-2222-4333-8444-555555555555", session)
		require.Equal(t, "claude-sonnet-4-5", got.Model)
		require.Contains(t, kinds(got.Signals), evidence.KindResultEvent)
		require.Equal(t, evidence.EffectNone, got.Effects.ToolActivity, "the stream proves it")
	}
	got, _ := Interpret(evidence.Envelope{Signals: []evidence.Signal{stdout(initEvent, toolEvent, errorEvent), exit(1)}})
	require.Equal(t, evidence.EffectSeen, got.Effects.ToolActivity)
}

func TestPlainTextProvesNothing(t *testing.T) {
	t.Parallel()
	got, session := Interpret(evidence.Envelope{AgentKind: "claude", Signals: []evidence.Signal{stdout("API Error: 529 Overloaded"), exit(1)}})
	require.False(t, got.Effects.ToolActivity.Safe())
	require.False(t, got.Effects.AssistantOutput.Safe())
	require.Empty(t, session)
	require.Equal(t, []evidence.Kind{evidence.KindStdout, evidence.KindProcessExit}, kinds(got.Signals))
}

// What the caller knows is kept; what either of the two saw, was seen.
func TestWhatTheCallerSaysIsKept(t *testing.T) {
	t.Parallel()
	in := evidence.Envelope{
		AgentKind: "claude", AgentVersion: "2.0.1", Provider: "bedrock", Model: "opus", Phase: evidence.PhaseLaunch,
		Effects: evidence.Effects{AssistantOutput: evidence.EffectSeen, Delivery: evidence.DeliveryAmbiguous},
		Signals: []evidence.Signal{stdout(initEvent, toolEvent, errorEvent), exit(1)},
	}
	got, _ := Interpret(in)
	require.Equal(t, "2.0.1", got.AgentVersion)
	require.Equal(t, "bedrock", got.Provider)
	require.Equal(t, "opus", got.Model)
	require.Equal(t, evidence.PhaseLaunch, got.Phase)
	require.Equal(t, evidence.EffectSeen, got.Effects.AssistantOutput)
	require.Equal(t, evidence.EffectSeen, got.Effects.ToolActivity)
	require.Equal(t, evidence.DeliveryAmbiguous, got.Effects.Delivery)
}

func TestAdaptedEvidenceIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, signals := range map[string][]evidence.Signal{
		"events taken out":  {{Kind: evidence.KindResultEvent, Event: "result", Text: "x"}, stdout(errorEvent)},
		"no output":         {{Kind: evidence.KindHTTP, Status: 529}},
		"marked as prose":   {{Kind: evidence.KindStdout, Text: errorEvent, Prose: true}},
		"marked as foreign": {{Kind: evidence.KindStderr, Text: errorEvent, Foreign: true}},
		"in flight":         {{Kind: evidence.KindStderr, Text: errorEvent, InFlight: true}},
		"nothing":           nil,
	} {
		got, _ := Interpret(evidence.Envelope{AgentKind: "claude", Signals: signals})
		require.Equal(t, signals, got.Signals, name)
	}
}

func TestOtherSignalsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	http := evidence.Signal{Kind: evidence.KindHTTP, Status: 529}
	stderr := evidence.Signal{Kind: evidence.KindStderr, Text: "first words"}
	got, _ := Interpret(evidence.Envelope{AgentKind: "aider", Signals: []evidence.Signal{stderr, http, exit(1)}})
	require.Equal(t, []evidence.Kind{evidence.KindStderr, evidence.KindHTTP, evidence.KindProcessExit}, kinds(got.Signals))
	got, _ = Interpret(evidence.Envelope{AgentKind: "aider", Signals: []evidence.Signal{http, stderr, exit(1), http}})
	require.Equal(t, []evidence.Kind{evidence.KindHTTP, evidence.KindStderr, evidence.KindProcessExit, evidence.KindHTTP}, kinds(got.Signals))
}

func TestAProcessThatNeverStarted(t *testing.T) {
	t.Parallel()
	spawn := evidence.Signal{Kind: evidence.KindProcessExit, Text: "exec: no such file", Event: "spawn_error"}
	got, _ := Interpret(evidence.Envelope{AgentKind: "claude", Signals: []evidence.Signal{stdout("x"), spawn}})
	last := got.Signals[len(got.Signals)-1]
	require.Equal(t, "spawn_error", last.Event)
	require.Equal(t, spawn.Text, last.Text)
	require.Nil(t, last.ExitCode)
}

func FuzzInterpret(f *testing.F) {
	f.Add("claude", initEvent+"\n"+errorEvent, "warning\r\n", 1)
	f.Add("", "{\"type\":", "\x1b[31m\xff", -1)
	f.Add("codex", `{"type":"turn.failed","error":{"message":"x"}}`, "", 0)
	f.Fuzz(func(t *testing.T, agent, out, errs string, code int) {
		in := evidence.Envelope{AgentKind: agent, Signals: []evidence.Signal{
			stdout(out), {Kind: evidence.KindHTTP, Status: 500}, {Kind: evidence.KindStderr, Text: errs}, exit(code),
		}}
		got, _ := Interpret(in)
		bounded := evidence.Bounded(got)
		if len(bounded.Signals) > evidence.MaxSignals {
			t.Errorf("%d signals", len(bounded.Signals))
		}
		if !strings.Contains(strings.Join(asStrings(kinds(got.Signals)), " "), string(evidence.KindHTTP)) {
			t.Error("the provider's answer is lost")
		}
	})
}

func asStrings(kinds []evidence.Kind) []string {
	var out []string
	for _, k := range kinds {
		out = append(out, string(k))
	}
	return out
}
