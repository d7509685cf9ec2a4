// Package worker lets workers deliver prompts that the server keeps, through
// the public API.
package worker

import (
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

const (
	none = recoursev1.Effect_EFFECT_NONE
	seen = recoursev1.Effect_EFFECT_SEEN
)

var (
	host     = &recoursev1.Supervisor{SupervisorId: "worker", HostId: "host"}
	nothing  = &recoursev1.Effects{AssistantOutput: none, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED}
	answered = &recoursev1.Effects{AssistantOutput: seen, ToolActivity: none, PartialResult: none, Delivery: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED}
)

func enqueue(t *testing.T, c *client.Client, prompt string, policy *recoursev1.PolicyChoice) *recoursev1.Wakeup {
	t.Helper()
	answer, err := c.Recovery.BeginPrompt(t.Context(), &recoursev1.BeginPromptRequest{
		Delivery: recoursev1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: prompt,
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Model: "opus", Policy: policy},
	})
	require.NoError(t, err)
	return answer.GetWakeup()
}

func overloaded() *recoursev1.EvidenceEnvelope {
	return &recoursev1.EvidenceEnvelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Model: "opus", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT, Effects: nothing,
		Signals: []*recoursev1.Signal{{Channel: &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{
			Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		}}}},
	}
}
