package dialect

import (
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Limits of what a tracker holds, in bytes unless said otherwise.
const (
	maxHeldSignals = 2 * evidence.MaxSignals // signals, before the middle is dropped
	maxProse       = 2 << 10                 // of what a model or tool said: context, never evidence
	maxInFlight    = 4 << 10                 // of one report of the agent's own retry
	maxFinal       = 1 << 20
	maxLabel       = 200
)

// tracker collects what every dialect collects. Dialects embed it and call its
// methods; it holds no knowledge of any agent.
type tracker struct {
	signals []evidence.Signal
	dropped int
	block   block
	exit    *evidence.Exit
	// exitTells says that the agent's exit code 0 proves that nothing failed.
	exitTells bool

	assistant, tool, partial bool // seen
	structured               bool // the channel shows effects, so not seen is none
	doubtful                 bool // something could not be read: not seen is unknown
	phase                    evidence.Phase

	session, model, provider, version string

	succeeded, failed bool
	retrying          bool
	retryAfter        time.Duration
	retryCause        string
	final             finalText
	cost              float64
}

// add appends a signal, normalised and bounded.
func (t *tracker) add(s evidence.Signal) {
	t.flush()
	limit := evidence.MaxTextBytes
	switch {
	case s.Prose:
		limit = maxProse
	case s.InFlight:
		limit = maxInFlight
	}
	var cut int
	s.Text, cut = evidence.Cut(evidence.Normalise(s.Text), limit)
	s.CutBytes += cut
	// Raw JSON may hold bytes that are no UTF-8; its control characters are escaped already.
	s.Data, cut = evidence.Cut(strings.ToValidUTF8(s.Data, ""), limit)
	s.CutBytes += cut
	s.Event, _ = evidence.Cut(evidence.Normalise(s.Event), maxLabel)
	t.signals = append(t.signals, s)
	if len(t.signals) > maxHeldSignals {
		t.drop()
	}
}

// drop brings the held signals back to the limit. Trim keeps the first, the
// last and the last of each decisive kind.
func (t *tracker) drop() {
	kept, dropped := evidence.Trim(t.signals)
	t.signals = append(t.signals[:0:0], kept...)
	t.dropped += dropped
}

// accepted notes that the prompt reached the agent.
func (t *tracker) accepted() {
	if t.phase == evidence.PhaseUnknown || t.phase == evidence.PhaseLaunch {
		t.phase = evidence.PhasePreOutput
	}
}

// sawOutput notes model output that someone could see.
func (t *tracker) sawOutput() {
	t.assistant = true
	t.phase = evidence.PhasePostOutput
	t.progress()
}

// sawPartial notes a piece of an answer.
func (t *tracker) sawPartial() {
	t.partial = true
	t.sawOutput()
}

// sawTool notes tool activity.
func (t *tracker) sawTool() {
	t.tool = true
	t.phase = evidence.PhasePostOutput
	t.progress()
}

// progress ends the agent's own retry: it got further.
func (t *tracker) progress() {
	t.retrying, t.retryAfter, t.retryCause = false, 0, ""
}

// retry notes that the agent retries by itself. after is 0 if it does not say when.
func (t *tracker) retry(cause string, after time.Duration) {
	if t.retrying && strings.HasPrefix(cause, "Backing off") { // says how long, not why
		t.retryAfter = after
		return
	}
	t.retrying, t.retryAfter = true, after
	t.retryCause, _ = evidence.Cut(strings.TrimSpace(evidence.Normalise(cause)), maxLabel)
}

// succeed notes a terminal success. Failures before it were overcome.
func (t *tracker) succeed(event, data string) {
	t.flush()
	for i := range t.signals {
		if s := &t.signals[i]; s.Kind == evidence.KindResultEvent || s.Kind == evidence.KindHTTP {
			s.InFlight = !s.Prose
		}
	}
	t.add(evidence.Signal{Kind: evidence.KindResultEvent, Event: event, Data: data, Prose: true})
	t.succeeded, t.failed = true, false
	t.progress()
}

// fail notes a terminal failure with its signal.
func (t *tracker) fail(s evidence.Signal) {
	t.succeeded, t.failed = false, true
	t.progress()
	t.add(s)
}

// effect returns the three-valued knowledge of one effect.
func (t *tracker) effect(seen bool) evidence.Effect {
	switch {
	case seen:
		return evidence.EffectSeen
	case t.exit != nil && t.exit.SpawnError != "", t.structured && !t.doubtful:
		return evidence.EffectNone
	}
	return evidence.EffectUnknown
}

// Exit implements Parser.
func (t *tracker) Exit(exit evidence.Exit) {
	t.flush()
	t.exit = &exit
	s := evidence.Signal{Kind: evidence.KindProcessExit, EndedBy: exit.EndedBy, ExitSignal: exit.Signal, Text: exit.SpawnError}
	if exit.SpawnError != "" {
		t.phase = evidence.PhaseLaunch
		s.Event = "spawn_error"
	} else if exit.Signal == "" {
		code := exit.Code
		s.ExitCode = &code
	}
	t.add(s)
}

// State implements Parser.
func (t *tracker) State() State {
	t.flush()
	signals := make([]evidence.Signal, len(t.signals))
	copy(signals, t.signals)
	t.settle(signals)
	kept, dropped := evidence.Trim(signals)
	return State{
		Signals: kept,
		Dropped: t.dropped + dropped,
		Effects: evidence.Effects{
			AssistantOutput: t.effect(t.assistant),
			ToolActivity:    t.effect(t.tool),
			PartialResult:   t.effect(t.partial),
			Delivery:        evidence.DeliveryAcknowledged,
		},
		Phase:           t.phase,
		NativeSessionID: t.session,
		Model:           t.model,
		Provider:        t.provider,
		AgentVersion:    t.version,
		Succeeded:       t.succeeded || t.exitTells && t.endedWell() && !t.failed,
		Failed:          t.failed,
		Retrying:        t.retrying && t.exit == nil && !t.succeeded && !t.failed,
		RetryAfter:      t.retryAfter,
		RetryCause:      t.retryCause,
		FinalText:       t.final.String(),
		CostUSD:         t.cost,
	}
}

// endedWell reports exit code 0 that nobody asked for.
func (t *tracker) endedWell() bool {
	return t.exit != nil && t.exit.Clean() && t.exit.EndedBy == ""
}

// settle marks what the end of the process made void: what a process printed
// that ended well is no failure evidence.
func (t *tracker) settle(signals []evidence.Signal) {
	ended := t.exit != nil
	clean := t.endedWell()
	for i := range signals {
		switch s := &signals[i]; s.Kind {
		case evidence.KindStdout:
			s.Prose = s.Prose || clean
		case evidence.KindStderr:
			s.Prose = s.Prose || clean && t.exitTells || t.succeeded && (clean || !ended)
		case evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult,
			evidence.KindResultEvent, evidence.KindProcessExit:
		}
	}
}

// label sets dst once, to a short clean text.
func label(dst *string, value string) {
	if value == "" || *dst != "" {
		return
	}
	*dst, _ = evidence.Cut(evidence.Normalise(value), maxLabel)
}
