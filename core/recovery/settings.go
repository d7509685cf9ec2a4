package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

const day = 24 * time.Hour

// Settings are the numbers of the recovery contract. Start from Defaults.
type Settings struct {
	// InteractiveDelays are the nominal waits before retry 1, 2, … of a
	// concrete profile; their number is the retry budget.
	InteractiveDelays []time.Duration
	// UnattendedFirstInterval and UnattendedRetries make the short phase of a
	// dynamic profile: the interval doubles with each retry.
	UnattendedFirstInterval time.Duration
	UnattendedRetries       int
	// TransportLaunchRetries caps the retries of a lost agent transport in a
	// dynamic profile, whatever its policy allows.
	TransportLaunchRetries int
	// Ladder are the nominal waits of a circuit or a park without a stated
	// reset; the last one repeats.
	Ladder []time.Duration
	// LaunchDelays are the nominal waits before the worker pool tries a launch
	// again whose process could not be started; their number is the budget.
	LaunchDelays []time.Duration
	// PatientMaxWait is how far away a reset may be under --wait without a value.
	PatientMaxWait time.Duration
	// Zones finds the zone of a run window; nil knows none, and then a decision
	// that needs one stops.
	Zones Zones

	ShortThrottle    time.Duration // the longest stated wait that still counts as short
	ResetMargin      time.Duration // added to a stated reset_at: providers lag
	RetryAfterMargin time.Duration // added to a stated retry_after
	JitterFraction   float64       // the most that jitter adds to a nominal delay, as a share of it
	HintHorizon      time.Duration // a hint further away is not believed
	QuotaHintHorizon time.Duration // the same for renewable allowances

	Policy Bounds

	Lease      time.Duration // how long a claim holds without a heartbeat
	Heartbeat  time.Duration // how often a worker renews
	SendMargin time.Duration // lease time that must be left when sending begins
	LostGrace  time.Duration // how long a lost run may settle late before a person is asked

	OwnRetryBudget time.Duration // how long an agent CLI may retry by itself
	TermToKill     time.Duration // between TERM and KILL of a child

	ReleasePerSecond int // launches a second after a recovery, at first; doubles while it holds

	CoalescedPayloads int // payloads in one wakeup
	CoalescedBytes    int // bytes of all payloads of one wakeup
	ErrorMessageBytes int // bytes of a stored error_message
	ContinuationBytes int // bytes of a continuation package

	FailureThreshold int           // consecutive failures that pause an agent
	History          time.Duration // how long ended work is kept
}

// Bounds are what a class policy may ask for.
type Bounds struct {
	MinRetries, MaxRetries   int
	MinInterval, MaxInterval time.Duration // of the first retry
	MaxBackoff               time.Duration // of any later retry, after doubling
	MinWait, MaxWait         time.Duration // of wait_for_reset.max_wait
}

// The range of Settings.FailureThreshold.
const (
	MinFailureThreshold = 1
	MaxFailureThreshold = 100
)

// Defaults are the settings of a new installation.
func Defaults() Settings {
	const kib = 1 << 10
	return Settings{
		InteractiveDelays:       []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, 60 * time.Second},
		UnattendedFirstInterval: 5 * time.Second,
		UnattendedRetries:       3,
		TransportLaunchRetries:  3,
		Ladder:                  []time.Duration{2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 60 * time.Minute},
		LaunchDelays:            []time.Duration{2 * time.Minute, 10 * time.Minute, 30 * time.Minute},
		PatientMaxWait:          5*time.Hour + 30*time.Minute,
		ShortThrottle:           60 * time.Second,
		ResetMargin:             30 * time.Second,
		RetryAfterMargin:        0,
		JitterFraction:          0.2,
		HintHorizon:             8 * day,
		QuotaHintHorizon:        40 * day,
		Policy: Bounds{
			MinRetries: 1, MaxRetries: 10,
			MinInterval: time.Second, MaxInterval: time.Hour,
			MaxBackoff: 24 * time.Hour,
			MinWait:    time.Second, MaxWait: 7 * day,
		},
		Lease:             30 * time.Second,
		Heartbeat:         10 * time.Second,
		SendMargin:        10 * time.Second,
		LostGrace:         10 * time.Minute,
		OwnRetryBudget:    10 * time.Minute,
		TermToKill:        10 * time.Second,
		ReleasePerSecond:  2,
		CoalescedPayloads: 50,
		CoalescedBytes:    64 * kib,
		ErrorMessageBytes: 64 * kib,
		ContinuationBytes: 16 * kib,
		FailureThreshold:  3,
		History:           90 * day,
	}
}

// Validate checks what Decide and the state machines rely on. The error is a
// *fault.Error of kind InvalidArgument that names the setting.
func (s Settings) Validate() error {
	for _, schedule := range []struct {
		field  string
		delays []time.Duration
	}{{"interactive_delays", s.InteractiveDelays}, {"ladder", s.Ladder}, {"launch_delays", s.LaunchDelays}} {
		if err := rising(schedule.field, schedule.delays); err != nil {
			return err
		}
	}
	for _, c := range s.checks() {
		if !c.ok {
			return fault.Invalid(c.field, "must be %s", c.want)
		}
	}
	return nil
}

type settingCheck struct {
	field, want string
	ok          bool
}

func (s Settings) checks() []settingCheck {
	return []settingCheck{
		{"jitter_fraction", "between 0 and 1", s.JitterFraction >= 0 && s.JitterFraction <= 1},
		{"short_throttle", "positive", s.ShortThrottle > 0},
		{"reset_margin", "not negative", s.ResetMargin >= 0},
		{"retry_after_margin", "not negative", s.RetryAfterMargin >= 0},
		{"hint_horizon", "positive", s.HintHorizon > 0},
		{"quota_hint_horizon", "at least hint_horizon", s.QuotaHintHorizon >= s.HintHorizon},
		{"heartbeat", "positive and shorter than the lease", s.Heartbeat > 0 && s.Heartbeat < s.Lease},
		{"send_margin", "positive and shorter than the lease", s.SendMargin > 0 && s.SendMargin < s.Lease},
		{"lost_grace", "positive", s.LostGrace > 0},
		{"transport_launch_retries", "not negative", s.TransportLaunchRetries >= 0},
		{"failure_threshold", "between 1 and 100", s.FailureThreshold >= MinFailureThreshold && s.FailureThreshold <= MaxFailureThreshold},
	}
}

func rising(field string, delays []time.Duration) error {
	if len(delays) == 0 {
		return fault.Invalid(field, "must have at least one delay")
	}
	last := time.Duration(0)
	for _, d := range delays {
		if d <= 0 || d < last {
			return fault.Invalid(field, "must be positive and never fall")
		}
		last = d
	}
	return nil
}
