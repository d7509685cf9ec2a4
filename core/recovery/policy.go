package recovery

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// ClassPolicies are what one candidate of a dynamic profile does per class.
// The JSON form is the snapshot that a decision is stored with.
type ClassPolicies struct {
	Name      string      `json:"name"`    // the preset, "" for a person's own
	Version   int         `json:"version"` // from 1, rises with each edit
	Transient ClassPolicy `json:"transient"`
	Hard      ClassPolicy `json:"hard"`
	// MaxTotalWait bounds what waits for a reset and parks of one prompt may
	// take together; 0 sets no bound.
	MaxTotalWait time.Duration `json:"max_total_wait_ns,omitempty"`
}

// ClassPolicy is one class's policy. Its steps are taken in this order: wait
// for a stated reset, retry, then what OnExhausted says.
type ClassPolicy struct {
	WaitForReset WaitPolicy  `json:"wait_for_reset"`
	Retry        RetryPolicy `json:"retry"`
	OnExhausted  OnExhausted `json:"on_exhausted"`
}

// WaitPolicy is the one wait for a stated reset per candidate, class and
// route cycle. It uses no retry budget.
type WaitPolicy struct {
	Enabled bool `json:"enabled"`
	// MaxWait also bounds retries: with a hint further away none is made, even
	// when waiting is not enabled.
	MaxWait time.Duration `json:"max_wait_ns"`
}

// RetryPolicy is the retry budget of one candidate, class and route cycle.
type RetryPolicy struct {
	Enabled         bool          `json:"enabled"`
	MaxRetries      int           `json:"max_retries"`
	InitialInterval time.Duration `json:"initial_interval_ns"` // doubles with each retry
}

// OnExhausted is what follows when neither wait nor retry is left.
type OnExhausted string

// The values of OnExhausted.
const (
	ExhaustedSkip OnExhausted = "skip" // this candidate is out for the cycle
	ExhaustedStop OnExhausted = "stop" // a person decides
)

// The names of the presets.
const (
	PresetUnattended = "unattended_default"
	PresetPatient    = "patient"
	PresetStrict     = "strict"
	PresetImmediate  = "immediate"
)

// Ref names the policy and its version for receipts and stored decisions.
func (p ClassPolicies) Ref() string {
	name := p.Name
	if name == "" {
		name = "custom"
	}
	return name + "@" + strconv.Itoa(p.Version)
}

// Unattended is the default of a dynamic profile's candidates: a short phase
// for transient failures, the next candidate at once for hard ones.
func Unattended(s Settings) ClassPolicies {
	return ClassPolicies{Name: PresetUnattended, Version: 1, Transient: shortPhase(s), Hard: ClassPolicy{OnExhausted: ExhaustedSkip}}
}

// Patient waits for a stated reset of at most maxWait after a hard failure,
// once per cycle, then stops. It never waits longer than maxWait in all, parks
// included: that is what the person agreed to. 0 means Settings.PatientMaxWait. Check a value
// that a person gave with Validate.
func Patient(s Settings, maxWait time.Duration) ClassPolicies {
	if maxWait == 0 {
		maxWait = s.PatientMaxWait
	}
	return ClassPolicies{
		Name: PresetPatient, Version: 1,
		Transient:    shortPhase(s),
		Hard:         ClassPolicy{WaitForReset: WaitPolicy{Enabled: true, MaxWait: maxWait}, OnExhausted: ExhaustedStop},
		MaxTotalWait: maxWait,
	}
}

// Strict stops at once, whatever the class.
func Strict() ClassPolicies {
	stop := ClassPolicy{OnExhausted: ExhaustedStop}
	return ClassPolicies{Name: PresetStrict, Version: 1, Transient: stop, Hard: stop}
}

// Immediate goes to the next candidate at once, whatever the class.
func Immediate() ClassPolicies {
	skip := ClassPolicy{OnExhausted: ExhaustedSkip}
	return ClassPolicies{Name: PresetImmediate, Version: 1, Transient: skip, Hard: skip}
}

func shortPhase(s Settings) ClassPolicy {
	return ClassPolicy{
		WaitForReset: WaitPolicy{Enabled: true, MaxWait: s.ShortThrottle},
		Retry:        RetryPolicy{Enabled: true, MaxRetries: s.UnattendedRetries, InitialInterval: s.UnattendedFirstInterval},
		OnExhausted:  ExhaustedSkip,
	}
}

// Validate checks the policies against the bounds. The error is a
// *fault.Error of kind InvalidArgument that names the field.
func (p ClassPolicies) Validate(b Bounds) error {
	if p.Version < 1 {
		return fault.Invalid("version", "must be at least 1")
	}
	if p.MaxTotalWait != 0 && p.MaxTotalWait < b.MinWait {
		return fault.Invalid("max_total_wait", "must be 0 or at least %s", b.MinWait)
	}
	if err := p.Transient.validate("transient", b); err != nil {
		return err
	}
	return p.Hard.validate("hard", b)
}

func (p ClassPolicy) validate(class string, b Bounds) error {
	if p.OnExhausted != ExhaustedSkip && p.OnExhausted != ExhaustedStop {
		return fault.Invalid(class+".on_exhausted", "must be skip or stop")
	}
	wait, retry := p.WaitForReset, p.Retry
	// What is switched off may be left at zero, but never out of bounds: it
	// could be switched on without being looked at again.
	if (wait.Enabled || wait.MaxWait != 0) && (wait.MaxWait < b.MinWait || wait.MaxWait > b.MaxWait) {
		return fault.Invalid(class+".wait_for_reset.max_wait", "must be between %s and %s", b.MinWait, b.MaxWait)
	}
	if (retry.Enabled || retry.MaxRetries != 0) && (retry.MaxRetries < b.MinRetries || retry.MaxRetries > b.MaxRetries) {
		return fault.Invalid(class+".retry.max_retries", "must be between %d and %d", b.MinRetries, b.MaxRetries)
	}
	if (retry.Enabled || retry.InitialInterval != 0) && (retry.InitialInterval < b.MinInterval || retry.InitialInterval > b.MaxInterval) {
		return fault.Invalid(class+".retry.initial_interval", "must be between %s and %s", b.MinInterval, b.MaxInterval)
	}
	return nil
}
