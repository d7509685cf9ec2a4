package classification

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/evidence"
)

// Effect is what a matching rule does.
type Effect string

// The effects. The zero value names a failure.
const (
	EffectFailure   Effect = ""
	EffectRetrying  Effect = "retrying"  // the signal reports the agent's own retry: no failure
	EffectRecovered Effect = "recovered" // the prompt succeeded: earlier signals prove no failure
	EffectNoise     Effect = "noise"     // the signal is about something else and is left out
	EffectQuiet     Effect = "quiet"     // the line is about something else: words in it count for nothing
	EffectMark      Effect = "mark"      // nothing by itself; other rules may ask for it by After
	EffectVouch     Effect = "vouch"     // the agent text around this signal is its error message
)

// Rule is one entry of a catalogue, neutral to the form it was written in.
type Rule struct {
	ID         string
	Effect     Effect
	Code       Code // of a failure
	Confidence Confidence
	Throttle   Throttle
	Scope      Scope
	// Priority orders rules that match the same evidence, higher first. Two
	// rules of different codes that may match one signal must not share it.
	Priority int
	When     Condition
	// Clears names the channels whose earlier matches a recovery takes back; none means all.
	Clears []evidence.Kind
	// NoHint: a time printed near this statement does not belong to it.
	NoHint bool
	// Sticky: a recovery that clears single channels does not take the match back.
	Sticky bool
}

// Condition says when a rule matches one signal. All parts that are set must hold.
type Condition struct {
	Channels  []evidence.Kind // none means every channel
	Agents    []string        // agent kinds
	Providers []string        // provider labels; !label excludes one
	Phases    []evidence.Phase
	Status    []StatusRange // an HTTP status stated by the signal
	Fields    []Field
	// Text lists groups of literals: one of each group must stand in the signal,
	// within Within bytes of the one of the first group. A literal matches whole
	// words, in any case; a * at an end lets it end inside a word.
	Text   [][]string
	None   []string // literals that must not stand there
	Regexp []string // RE2, lower case; one must match around the literal of the first group
	// Sentence: the literal of the first group begins a sentence, a line or a value.
	Sentence bool
	// Alone bounds the bytes of the whole signal text, 0 means no bound.
	Alone  int
	Within int // 0 means DefaultWithin
	// MinWait and MaxWait bound the wait that the signal states; 0 means no bound.
	MinWait, MaxWait time.Duration
	// After names rules of which one must have matched this signal or an earlier one.
	After []string
	// Confirmed: a printed line counts only if its process failed, or if it came
	// from a direct call with no agent around it.
	Confirmed bool
	// Prose lets the rule look at what tools and models said; it may then name
	// no code that anything acts on.
	Prose bool
}

// DefaultWithin is how far apart, in bytes, the literals of one statement stand.
const DefaultWithin = 240

// StatusRange is a range of HTTP statuses, both ends included.
type StatusRange struct{ From, To int }

// Field is a condition on the structured part of a signal.
type Field struct {
	// Paths are alternatives as `error.type`: the last keys on the way to the
	// value, compared without case and punctuation. Signals add exit.code,
	// exit.signal, exit.by, acp.code, event and header.<name>.
	Paths []string
	// Values are alternatives, compared like keys; none means any value but
	// null, false and the empty one.
	Values []string
	Not    bool // the field must not have such a value
}

// RuleInfo is what Rules tells about a rule.
type RuleInfo struct {
	Rule
	Index int
}

// Zones finds time zones for wall-clock hints; see hint.Zones.
type Zones = hint.Zones
