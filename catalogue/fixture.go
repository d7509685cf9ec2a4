package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// defaultNow is when fixtures without a time of their own were observed, a Monday.
const defaultNow = "2026-06-01T12:00:00Z"

// envelope makes the evidence that a fixture stands for.
func envelope(f *cataloguev1.Fixture) (evidence.Envelope, error) {
	now, err := time.Parse(time.RFC3339, orElse(f.GetNow(), defaultNow))
	if err != nil {
		return evidence.Envelope{}, err
	}
	e := evidence.Envelope{AgentKind: orElse(f.GetAgent(), "other"), Provider: f.GetProvider(), ObservedAt: now, HostZone: f.GetZone(), Phase: evidence.Phase(f.GetPhase())}
	signals := slices.Clone(f.GetSignals()) // entries are shared between catalogues
	if f.GetSignal() != nil {
		signals = append(signals, f.GetSignal())
	}
	for _, s := range signals {
		e.Signals = append(e.Signals, signal(s))
	}
	if len(e.Signals) == 0 {
		return e, fmt.Errorf("it has no signal")
	}
	return e, nil
}

func signal(s *cataloguev1.Signal) evidence.Signal {
	out := evidence.Signal{
		Data: s.GetData(), Status: int(s.GetStatus()), Headers: s.GetHeaders(), Code: int(s.GetCode()), Event: s.GetEvent(),
		ExitSignal: s.GetExitSignal(), EndedBy: s.GetEndedBy(), InFlight: s.GetInFlight(), Prose: s.GetProse(), Foreign: s.GetForeign(),
	}
	for _, c := range []struct {
		kind evidence.Kind
		text string
	}{
		{evidence.KindHTTP, s.GetHttp()},
		{evidence.KindACPError, s.GetAcpError()},
		{evidence.KindACPUpdate, s.GetAcpUpdate()},
		{evidence.KindACPResult, s.GetAcpResult()},
		{evidence.KindStderr, s.GetStderr()},
		{evidence.KindStdout, s.GetStdout()},
		{evidence.KindResultEvent, s.GetResultEvent()},
		{evidence.KindProcessExit, s.GetProcessExit()},
	} {
		if c.text != "" {
			out.Kind, out.Text = c.kind, c.text
		}
	}
	out.Kind = orElse(out.Kind, impliedKind(s))
	if s.Exit != nil {
		code := int(s.GetExit())
		out.ExitCode = &code
	}
	return out
}

// impliedKind is the channel of a signal without text.
func impliedKind(s *cataloguev1.Signal) evidence.Kind {
	switch {
	case s.Exit != nil || s.GetExitSignal() != "" || s.GetEndedBy() != "":
		return evidence.KindProcessExit
	case s.GetCode() != 0:
		return evidence.KindACPError
	case s.GetStatus() != 0 || len(s.GetHeaders()) > 0:
		return evidence.KindHTTP
	}
	return evidence.KindResultEvent
}

// differs tells what of a result is not as the fixture says, or "".
func differs(f *cataloguev1.Fixture, r classification.Result) string {
	switch {
	case f.GetCode() != "" && string(r.Code) != f.GetCode():
		return fmt.Sprintf("code is %s (rule %s), not %s", r.Code, r.RuleID, f.GetCode())
	case f.GetNoTime() && r.RetryAfterSet:
		return fmt.Sprintf("a time comes out: %v (%s)", r.RetryAfter, r.HintSource)
	case f.GetSecret() != "" && strings.Contains(fmt.Sprintf("%+v", r), f.GetSecret()):
		return "the secret comes out"
	}
	if want := f.GetRetryAfter(); want != "" {
		if d, err := time.ParseDuration(want); err != nil || !r.RetryAfterSet || (r.RetryAfter-d).Abs() > time.Millisecond {
			return fmt.Sprintf("retry_after is %v (%v), not %s", r.RetryAfter, r.HintRejections, want)
		}
	}
	if want := f.GetResetAt(); want != "" {
		if at, err := time.Parse(time.RFC3339, want); err != nil || !r.HintAt().Equal(at) {
			return fmt.Sprintf("reset_at is %v (%v), not %s", r.ResetAt, r.HintRejections, want)
		}
	}
	return ""
}
