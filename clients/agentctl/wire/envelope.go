package wire

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Envelope of the API for an envelope of the core.
func Envelope(e evidence.Envelope) *v1.EvidenceEnvelope {
	out := &v1.EvidenceEnvelope{
		AgentKind:      e.AgentKind,
		AgentVersion:   e.AgentVersion,
		Provider:       e.Provider,
		Model:          e.Model,
		Phase:          number[v1.Phase](e.Phase, "PHASE_", v1.Phase_value),
		Effects:        Effects(e.Effects),
		ObservedAt:     instant(e.ObservedAt),
		HostZone:       e.HostZone,
		DroppedSignals: int32(e.DroppedSignals),
	}
	for _, s := range e.Signals {
		out.Signals = append(out.Signals, signal(s))
	}
	return out
}

func signal(s evidence.Signal) *v1.Signal {
	out := &v1.Signal{InFlight: s.InFlight, Prose: s.Prose, Foreign: s.Foreign, CutBytes: int32(s.CutBytes)}
	switch s.Kind {
	case evidence.KindHTTP:
		out.Channel = &v1.Signal_Http{Http: &v1.HttpSignal{Status: int32(s.Status), Headers: s.Headers, Body: s.Text}}
	case evidence.KindACPError:
		out.Channel = &v1.Signal_AcpError{AcpError: &v1.AcpErrorSignal{Code: int32(s.Code), Message: s.Text, Data: s.Data}}
	case evidence.KindACPUpdate:
		out.Channel = &v1.Signal_AcpUpdate{AcpUpdate: &v1.AcpUpdateSignal{Kind: s.Event, Text: s.Text, Data: s.Data}}
	case evidence.KindACPResult:
		out.Channel = &v1.Signal_AcpResult{AcpResult: &v1.AcpResultSignal{StopReason: s.Event, Data: s.Data}}
	case evidence.KindStderr:
		out.Channel = &v1.Signal_Stderr{Stderr: &v1.TextSignal{Text: s.Text}}
	case evidence.KindStdout:
		out.Channel = &v1.Signal_Stdout{Stdout: &v1.TextSignal{Text: s.Text}}
	case evidence.KindResultEvent:
		out.Channel = &v1.Signal_ResultEvent{ResultEvent: &v1.ResultEventSignal{Type: s.Event, Data: s.Data, Text: s.Text, Status: int32(s.Status)}}
	case evidence.KindProcessExit:
		out.Channel = &v1.Signal_ProcessExit{ProcessExit: processExit(s)}
	}
	return out
}

func processExit(s evidence.Signal) *v1.ProcessExitSignal {
	exit := &v1.ProcessExitSignal{Signal: s.ExitSignal, SpawnError: s.Text, EndedBy: s.EndedBy}
	if s.ExitCode != nil {
		code := int32(*s.ExitCode)
		exit.ExitCode = &code
	}
	return exit
}

func instant(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func instantBack(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}

// EnvelopeBack is the core's envelope for one of the API.
func EnvelopeBack(e *v1.EvidenceEnvelope) evidence.Envelope {
	out := evidence.Envelope{
		AgentKind:      e.GetAgentKind(),
		AgentVersion:   e.GetAgentVersion(),
		Provider:       e.GetProvider(),
		Model:          e.GetModel(),
		Phase:          word[evidence.Phase](e.GetPhase(), "PHASE_"),
		Effects:        EffectsBack(e.GetEffects()),
		ObservedAt:     instantBack(e.GetObservedAt()),
		HostZone:       e.GetHostZone(),
		DroppedSignals: int(e.GetDroppedSignals()),
	}
	for _, s := range e.GetSignals() {
		out.Signals = append(out.Signals, signalBack(s))
	}
	return out
}

func signalBack(s *v1.Signal) evidence.Signal {
	out := evidence.Signal{InFlight: s.GetInFlight(), Prose: s.GetProse(), Foreign: s.GetForeign(), CutBytes: int(s.GetCutBytes())}
	switch c := s.GetChannel().(type) {
	case *v1.Signal_Http:
		out.Kind, out.Status, out.Headers, out.Text = evidence.KindHTTP, int(c.Http.GetStatus()), c.Http.GetHeaders(), c.Http.GetBody()
	case *v1.Signal_AcpError:
		out.Kind, out.Code, out.Text, out.Data = evidence.KindACPError, int(c.AcpError.GetCode()), c.AcpError.GetMessage(), c.AcpError.GetData()
	case *v1.Signal_AcpUpdate:
		out.Kind, out.Event, out.Text, out.Data = evidence.KindACPUpdate, c.AcpUpdate.GetKind(), c.AcpUpdate.GetText(), c.AcpUpdate.GetData()
	case *v1.Signal_AcpResult:
		out.Kind, out.Event, out.Data = evidence.KindACPResult, c.AcpResult.GetStopReason(), c.AcpResult.GetData()
	case *v1.Signal_Stderr:
		out.Kind, out.Text = evidence.KindStderr, c.Stderr.GetText()
	case *v1.Signal_Stdout:
		out.Kind, out.Text = evidence.KindStdout, c.Stdout.GetText()
	case *v1.Signal_ResultEvent:
		out.Kind, out.Event, out.Data = evidence.KindResultEvent, c.ResultEvent.GetType(), c.ResultEvent.GetData()
		out.Text, out.Status = c.ResultEvent.GetText(), int(c.ResultEvent.GetStatus())
	case *v1.Signal_ProcessExit:
		exitBack(&out, c.ProcessExit)
	}
	return out
}

func exitBack(s *evidence.Signal, x *v1.ProcessExitSignal) {
	s.Kind, s.ExitSignal, s.Text, s.EndedBy = evidence.KindProcessExit, x.GetSignal(), x.GetSpawnError(), x.GetEndedBy()
	if x.ExitCode != nil {
		code := int(x.GetExitCode())
		s.ExitCode = &code
	}
}
