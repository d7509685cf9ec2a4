package rpc

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// spawnErrorEvent marks the exit of a process that never started.
const spawnErrorEvent = "spawn_error"

func envelopeToDomain(workspaceID string, e *recoursev1.EvidenceEnvelope) evidence.Envelope {
	out := evidence.Envelope{
		WorkspaceID:    workspaceID,
		AgentKind:      e.GetAgentKind(),
		AgentVersion:   e.GetAgentVersion(),
		Provider:       e.GetProvider(),
		Model:          e.GetModel(),
		Phase:          phaseTable.toDomain(e.GetPhase()),
		Effects:        effectsToDomain(e.GetEffects()),
		ObservedAt:     instant(e.GetObservedAt()),
		HostZone:       e.GetHostZone(),
		DroppedSignals: int(max(e.GetDroppedSignals(), 0)),
	}
	for _, s := range e.GetSignals() {
		out.Signals = append(out.Signals, signalToDomain(s))
	}
	return out
}

func envelopeToWire(e *evidence.Envelope) *recoursev1.EvidenceEnvelope {
	if e == nil {
		return nil
	}
	return &recoursev1.EvidenceEnvelope{
		AgentKind:      e.AgentKind,
		AgentVersion:   e.AgentVersion,
		Provider:       e.Provider,
		Model:          e.Model,
		Phase:          phaseTable.toWire(e.Phase),
		Effects:        effectsToWire(e.Effects),
		ObservedAt:     timestamp(e.ObservedAt),
		HostZone:       e.HostZone,
		Signals:        signalsToWire(e.Signals),
		DroppedSignals: count(e.DroppedSignals),
	}
}

func effectsToDomain(e *recoursev1.Effects) evidence.Effects {
	return evidence.Effects{
		AssistantOutput: effectTable.toDomain(e.GetAssistantOutput()),
		ToolActivity:    effectTable.toDomain(e.GetToolActivity()),
		PartialResult:   effectTable.toDomain(e.GetPartialResult()),
		Delivery:        deliveryTable.toDomain(e.GetDelivery()),
	}
}

func effectsToWire(e evidence.Effects) *recoursev1.Effects {
	return &recoursev1.Effects{
		AssistantOutput: effectTable.toWire(e.AssistantOutput),
		ToolActivity:    effectTable.toWire(e.ToolActivity),
		PartialResult:   effectTable.toWire(e.PartialResult),
		Delivery:        deliveryTable.toWire(e.Delivery),
	}
}

func signalToDomain(s *recoursev1.Signal) evidence.Signal {
	out := evidence.Signal{InFlight: s.GetInFlight(), Prose: s.GetProse(), Foreign: s.GetForeign(), CutBytes: int(max(s.GetCutBytes(), 0))}
	switch channel := s.GetChannel().(type) {
	case *recoursev1.Signal_Http:
		out.Kind, out.Status, out.Text = evidence.KindHTTP, int(channel.Http.GetStatus()), channel.Http.GetBody()
		out.Headers = headersToDomain(channel.Http.GetHeaders())
	case *recoursev1.Signal_AcpError:
		out.Kind, out.Code = evidence.KindACPError, int(channel.AcpError.GetCode())
		out.Text, out.Data = channel.AcpError.GetMessage(), channel.AcpError.GetData()
	case *recoursev1.Signal_AcpUpdate:
		out.Kind, out.Event = evidence.KindACPUpdate, channel.AcpUpdate.GetKind()
		out.Text, out.Data = channel.AcpUpdate.GetText(), channel.AcpUpdate.GetData()
	case *recoursev1.Signal_AcpResult:
		out.Kind, out.Event, out.Data = evidence.KindACPResult, channel.AcpResult.GetStopReason(), channel.AcpResult.GetData()
	case *recoursev1.Signal_Stderr:
		out.Kind, out.Text = evidence.KindStderr, channel.Stderr.GetText()
	case *recoursev1.Signal_Stdout:
		out.Kind, out.Text = evidence.KindStdout, channel.Stdout.GetText()
	case *recoursev1.Signal_ResultEvent:
		out.Kind, out.Event, out.Status = evidence.KindResultEvent, channel.ResultEvent.GetType(), int(channel.ResultEvent.GetStatus())
		out.Text, out.Data = channel.ResultEvent.GetText(), channel.ResultEvent.GetData()
	case *recoursev1.Signal_ProcessExit:
		exitToDomain(channel.ProcessExit, &out)
	}
	return out
}

func exitToDomain(exit *recoursev1.ProcessExitSignal, out *evidence.Signal) {
	out.Kind, out.ExitSignal, out.EndedBy = evidence.KindProcessExit, exit.GetSignal(), exit.GetEndedBy()
	if out.Text = exit.GetSpawnError(); out.Text != "" {
		out.Event = spawnErrorEvent
	}
	if exit != nil && exit.ExitCode != nil {
		code := int(exit.GetExitCode())
		out.ExitCode = &code
	}
}

func headersToDomain(headers map[string]string) map[string]string {
	if len(headers) == 0 {
		return nil
	}
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		out[strings.ToLower(name)] = value
	}
	return out
}

func signalsToWire(signals []evidence.Signal) []*recoursev1.Signal {
	out := make([]*recoursev1.Signal, 0, len(signals))
	for _, s := range signals {
		out = append(out, signalToWire(s))
	}
	return out
}
