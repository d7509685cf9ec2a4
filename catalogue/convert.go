package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// convert makes the neutral rule of a written one.
func convert(r *cataloguev1.Rule) (classification.Rule, error) {
	out := classification.Rule{
		ID: r.GetId(), Code: classification.Code(r.GetCode()), Priority: int(r.GetPriority()), NoHint: r.GetNoHint(), Sticky: r.GetSticky(),
	}
	var err error
	if out.Effect, err = oneOf("effect", classification.Effect(r.GetEffect()), effects...); err != nil {
		return out, err
	}
	if out.Effect == "failure" {
		out.Effect = classification.EffectFailure
	}
	if out.Confidence, err = oneOf("confidence", orElse(classification.Confidence(r.GetConfidence()), classification.High), classification.High, classification.Medium); err != nil {
		return out, err
	}
	if out.Throttle, err = oneOf("throttle", orElse(classification.Throttle(r.GetThrottle()), classification.ThrottleUnknown), classification.ThrottleUnknown, classification.ThrottleShort, classification.ThrottleLong); err != nil {
		return out, err
	}
	if out.Scope, err = oneOf("scope", orElse(classification.Scope(r.GetScope()), usualScope(out.Code)), scopes...); err != nil {
		return out, err
	}
	if out.Effect == classification.EffectFailure && !slices.ContainsFunc(classification.Codes(), func(i classification.CodeInfo) bool { return i.Code == out.Code }) {
		return out, fmt.Errorf("code %q does not exist", out.Code)
	}
	if out.Clears, err = channelsOf(r.GetClears()); err != nil {
		return out, err
	}
	out.When, err = condition(r.GetWhen())
	return out, err
}

var (
	effects = []classification.Effect{"", "failure", classification.EffectRetrying, classification.EffectRecovered, classification.EffectNoise, classification.EffectQuiet, classification.EffectMark, classification.EffectVouch}
	scopes  = []classification.Scope{classification.ScopeProvider, classification.ScopeAccount, classification.ScopeModel, classification.ScopeProfile, classification.ScopeRequest}
)

func usualScope(code classification.Code) classification.Scope {
	for _, info := range classification.Codes() {
		if info.Code == code {
			return info.Scope
		}
	}
	return classification.ScopeRequest
}

func orElse[T ~string](v, otherwise T) T {
	if v == "" {
		return otherwise
	}
	return v
}

func oneOf[T ~string](what string, v T, allowed ...T) (T, error) {
	if !slices.Contains(allowed, v) {
		return v, fmt.Errorf("%s %q is not one of %q", what, v, allowed)
	}
	return v, nil
}

func condition(w *cataloguev1.When) (c classification.Condition, err error) {
	c = classification.Condition{
		Agents: w.GetAgents(), Providers: w.GetProviders(), None: w.GetNone(), Regexp: w.GetRegexp(),
		Sentence: w.GetSentence(), Alone: int(w.GetAlone()), Within: int(w.GetWithin()), After: w.GetAfter(), Prose: w.GetProse(), Confirmed: w.GetConfirmed(),
	}
	if c.Channels, err = channelsOf(w.GetChannels()); err != nil {
		return c, err
	}
	for _, p := range w.GetPhases() {
		phase, err := oneOf("phase", evidence.Phase(p), evidence.PhaseLaunch, evidence.PhasePreOutput, evidence.PhasePostOutput)
		if err != nil {
			return c, err
		}
		c.Phases = append(c.Phases, phase)
	}
	for _, s := range w.GetStatus() {
		r, err := statusRange(s)
		if err != nil {
			return c, err
		}
		c.Status = append(c.Status, r)
	}
	for _, f := range w.GetFields() {
		if len(f.GetPath()) == 0 {
			return c, fmt.Errorf("a field has no path")
		}
		c.Fields = append(c.Fields, classification.Field{Paths: f.GetPath(), Values: f.GetIs(), Not: f.GetNot()})
	}
	for _, g := range w.GetText() {
		c.Text = append(c.Text, g.GetAny())
	}
	if c.MinWait, err = wait(w.GetMinWait()); err != nil {
		return c, err
	}
	c.MaxWait, err = wait(w.GetMaxWait())
	return c, err
}

func wait(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	return time.ParseDuration(s)
}

func statusRange(s string) (classification.StatusRange, error) {
	from, to, found := strings.Cut(s, "-")
	if !found {
		to = from
	}
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	if errA != nil || errB != nil {
		return classification.StatusRange{}, fmt.Errorf("status %q is neither a number nor a range", s)
	}
	return classification.StatusRange{From: a, To: b}, nil
}

var kinds = []evidence.Kind{
	evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindStderr,
	evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
}

func channelsOf(names []string) (out []evidence.Kind, err error) {
	for _, n := range names {
		k, err := oneOf("channel", evidence.Kind(n), kinds...)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}
