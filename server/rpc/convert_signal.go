package rpc

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func signalToWire(s evidence.Signal) *recoursev1.Signal {
	out := &recoursev1.Signal{InFlight: s.InFlight, Prose: s.Prose, Foreign: s.Foreign, CutBytes: count(s.CutBytes)}
	text, data, event := utf8(s.Text), utf8(s.Data), utf8(s.Event)
	switch s.Kind {
	case evidence.KindHTTP:
		out.Channel = &recoursev1.Signal_Http{Http: &recoursev1.HttpSignal{Status: count(s.Status), Headers: headersToWire(s.Headers), Body: text}}
	case evidence.KindACPError:
		out.Channel = &recoursev1.Signal_AcpError{AcpError: &recoursev1.AcpErrorSignal{Code: count(s.Code), Message: text, Data: data}}
	case evidence.KindACPUpdate:
		out.Channel = &recoursev1.Signal_AcpUpdate{AcpUpdate: &recoursev1.AcpUpdateSignal{Kind: event, Text: text, Data: data}}
	case evidence.KindACPResult:
		out.Channel = &recoursev1.Signal_AcpResult{AcpResult: &recoursev1.AcpResultSignal{StopReason: event, Data: data}}
	case evidence.KindStderr:
		out.Channel = &recoursev1.Signal_Stderr{Stderr: &recoursev1.TextSignal{Text: text}}
	case evidence.KindStdout:
		out.Channel = &recoursev1.Signal_Stdout{Stdout: &recoursev1.TextSignal{Text: text}}
	case evidence.KindResultEvent:
		out.Channel = &recoursev1.Signal_ResultEvent{ResultEvent: &recoursev1.ResultEventSignal{Type: event, Data: data, Text: text, Status: count(s.Status)}}
	case evidence.KindProcessExit:
		out.Channel = &recoursev1.Signal_ProcessExit{ProcessExit: exitToWire(s)}
	}
	return out
}

func exitToWire(s evidence.Signal) *recoursev1.ProcessExitSignal {
	out := &recoursev1.ProcessExitSignal{Signal: utf8(s.ExitSignal), SpawnError: utf8(s.Text), EndedBy: s.EndedBy}
	if s.ExitCode != nil {
		code := count(*s.ExitCode)
		out.ExitCode = &code
	}
	return out
}

func headersToWire(headers map[string]string) map[string]string {
	if len(headers) == 0 {
		return nil
	}
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		out[utf8(name)] = utf8(value)
	}
	return out
}

// utf8 keeps a message sendable: protobuf refuses a string with a broken rune.
func utf8(text string) string { return strings.ToValidUTF8(text, "\ufffd") }
