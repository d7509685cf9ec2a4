package catalogue

import (
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// fixtures are what proves a drafted rule: the failure itself, the same with
// nearly the same words, and the same words said by the model. The code of a
// near miss is what the catalogue without the rule makes of it.
func (k clue) fixtures(without, with *Catalogue, safe evidence.Envelope) *cataloguev1.Fixtures {
	match := fixtureOf(k.essence(safe))
	if r := answer(with, match); r.RetryAfterSet {
		match.RetryAfter = r.RetryAfter.String()
	}
	out := &cataloguev1.Fixtures{Match: []*cataloguev1.Fixture{match}}
	for _, near := range []evidence.Envelope{k.nearMiss(safe), k.quoted(safe)} {
		miss := fixtureOf(k.essence(near))
		miss.Code = string(answer(without, miss).Code)
		out.Miss = append(out.Miss, miss)
	}
	return out
}

// answer is what a catalogue makes of a fixture.
func answer(c *Catalogue, f *cataloguev1.Fixture) classification.Result {
	e, err := envelope(f)
	if err != nil {
		return classification.Result{} // a fixture made of an envelope always gives one
	}
	return c.Classifier.Classify(e, classification.Options{})
}

// essence keeps the signal with the clue, with how the process ended.
func (k clue) essence(e evidence.Envelope) evidence.Envelope {
	var kept []evidence.Signal
	for i, s := range e.Signals {
		if i == k.signal {
			s.Text = k.around(s.Text)
			kept = append(kept, s)
		}
		if s.Kind == evidence.KindProcessExit && !s.Foreign {
			kept = append(kept, s)
		}
	}
	e.Signals = kept
	return e
}

// around cuts a long text to the line with the clue and its neighbours.
func (k clue) around(text string) string {
	const long = 600
	if k.path != "" || len(text) <= long {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, k.raw) {
			return strings.Join(lines[max(0, i-1):min(len(lines), i+2)], "")
		}
	}
	return text
}

// nearMiss says nearly the same: a value with another beginning, or words that
// break off before the last.
func (k clue) nearMiss(e evidence.Envelope) evidence.Envelope {
	near := "near_" + k.raw
	if at := strings.LastIndexAny(k.raw, " \t"); at > 0 {
		near = strings.TrimRight(k.raw[:at], " \t")
	}
	return k.changed(e, func(s *evidence.Signal) {
		s.Text, s.Data = strings.ReplaceAll(s.Text, k.raw, near), strings.ReplaceAll(s.Data, k.raw, near)
	})
}

// quoted has the model say it.
func (k clue) quoted(e evidence.Envelope) evidence.Envelope {
	return k.changed(e, func(s *evidence.Signal) { s.Prose = true })
}

func (k clue) changed(e evidence.Envelope, change func(*evidence.Signal)) evidence.Envelope {
	e.Signals = append([]evidence.Signal(nil), e.Signals...)
	change(&e.Signals[k.signal])
	return e
}

// fixtureOf writes an envelope as a fixture; envelope is its other direction.
func fixtureOf(e evidence.Envelope) *cataloguev1.Fixture {
	f := &cataloguev1.Fixture{Agent: e.AgentKind, Provider: e.Provider, Zone: e.HostZone, Phase: string(e.Phase)}
	if !e.ObservedAt.IsZero() {
		f.Now = e.ObservedAt.UTC().Format(time.RFC3339)
	}
	for _, s := range e.Signals {
		f.Signals = append(f.Signals, signalOf(s))
	}
	return f
}

func signalOf(s evidence.Signal) *cataloguev1.Signal {
	out := &cataloguev1.Signal{
		Data: s.Data, Status: int32(s.Status), Headers: s.Headers, Code: int32(s.Code), Event: s.Event,
		ExitSignal: s.ExitSignal, EndedBy: s.EndedBy, InFlight: s.InFlight, Prose: s.Prose, Foreign: s.Foreign,
	}
	text := map[evidence.Kind]*string{
		evidence.KindHTTP: &out.Http, evidence.KindACPError: &out.AcpError, evidence.KindACPUpdate: &out.AcpUpdate,
		evidence.KindACPResult: &out.AcpResult, evidence.KindStderr: &out.Stderr, evidence.KindStdout: &out.Stdout,
		evidence.KindResultEvent: &out.ResultEvent, evidence.KindProcessExit: &out.ProcessExit,
	}[s.Kind]
	if text != nil {
		*text = s.Text
	}
	if s.ExitCode != nil {
		code := int32(*s.ExitCode)
		out.Exit = &code
	}
	return out
}
