package recovery

// StopReason is why the gate allows no automatic work.
type StopReason string

// The stop reasons. [StopReasons] gives their order of precedence.
const (
	StopNone                    StopReason = ""
	StopStaleGeneration         StopReason = "stale_generation"
	StopUncorrelated            StopReason = "uncorrelated"
	StopTerminalMode            StopReason = "terminal_mode"
	StopTimedOut                StopReason = "timed_out"
	StopUnclassified            StopReason = "unclassified"
	StopNonProvider             StopReason = "non_provider"
	StopLowConfidence           StopReason = "low_confidence"
	StopAmbiguousDelivery       StopReason = "ambiguous_delivery"
	StopTransportLostAfterStart StopReason = "transport_lost_after_start"
	StopEffectsObserved         StopReason = "effects_observed"
)

// StopReasons lists the stop reasons in order of precedence: of all that hold,
// the first is given. Whose failure it is comes before what is allowed, that
// before what failed, and that before how far it had come.
func StopReasons() []StopReason {
	return []StopReason{
		StopStaleGeneration, StopUncorrelated, StopTerminalMode, StopTimedOut,
		StopUnclassified, StopNonProvider, StopLowConfidence,
		StopAmbiguousDelivery, StopTransportLostAfterStart, StopEffectsObserved,
	}
}

// Reason is why a decision is what it is: a StopReason of the gate, or one of
// the reasons of a policy.
type Reason string

// The reasons of a policy.
const (
	ReasonShortRetry       Reason = "short_retry"         // retry: a transient failure, budget left
	ReasonPolicyRetry      Reason = "policy_retry"        // retry: the class policy allows it for a hard failure
	ReasonLaunchRetry      Reason = "launch_retry"        // retry: the worker's host could not start the agent, nothing was sent
	ReasonResetWait        Reason = "reset_wait"          // wait: a stated reset is near enough
	ReasonThrottleNotShort Reason = "throttle_not_short"  // the throttle is not confirmed short
	ReasonWaitTooLong      Reason = "wait_too_long"       // the stated wait is longer than the policy waits
	ReasonBudgetExhausted  Reason = "budget_exhausted"    // the budget is used up
	ReasonWaitNeedsConsent Reason = "wait_needs_consent"  // a renewable allowance, and nobody opted in to waiting
	ReasonPersonRequired   Reason = "person_required"     // waiting cannot help: pay, log in or change something
	ReasonResetNotStated   Reason = "reset_not_stated"    // the policy would wait, but nobody said until when
	ReasonWaitUsed         Reason = "wait_used"           // the one wait of this cycle did not help
	ReasonPolicy           Reason = "policy"              // the class policy allows neither wait nor retry
	ReasonPolicyInvalid    Reason = "policy_invalid"      // the context or the class policy is not one that we know
	ReasonNoPolicyForCause Reason = "no_policy_for_cause" // a code without a row: fails closed
	ReasonRecoveryOff      Reason = "recovery_off"        // the workspace's Off switch
	ReasonOutsideRunWindow Reason = "outside_run_window"  // runs may not begin at that hour
)

// PolicyReasons lists the reasons that are not the gate's.
func PolicyReasons() []Reason {
	return []Reason{
		ReasonShortRetry, ReasonPolicyRetry, ReasonLaunchRetry, ReasonResetWait, ReasonThrottleNotShort, ReasonWaitTooLong,
		ReasonBudgetExhausted, ReasonWaitNeedsConsent, ReasonPersonRequired, ReasonResetNotStated,
		ReasonWaitUsed, ReasonPolicy, ReasonPolicyInvalid, ReasonNoPolicyForCause,
		ReasonRecoveryOff, ReasonOutsideRunWindow,
	}
}
