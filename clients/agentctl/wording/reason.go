package wording

import (
	"strings"

	"github.com/recourse-dev/recourse/core/recovery"
)

// reasonStopped is the reason of a decision about a run that a person stopped:
// nothing of it is tried again, whatever the evidence says.
const reasonStopped recovery.Reason = "stopped"

var reasons = map[recovery.Reason]string{
	recovery.Reason(recovery.StopStaleGeneration):         "the failure belongs to an older prompt of this session",
	recovery.Reason(recovery.StopUncorrelated):            "the evidence does not belong to this prompt",
	recovery.Reason(recovery.StopTerminalMode):            "this workspace never recovers by itself",
	recovery.Reason(recovery.StopTimedOut):                "the run passed its longest duration",
	recovery.Reason(recovery.StopUnclassified):            "the cause is not known well enough to act on",
	recovery.Reason(recovery.StopNonProvider):             "the provider is not the cause, so trying again would not help",
	recovery.Reason(recovery.StopLowConfidence):           "the cause is only a guess",
	recovery.Reason(recovery.StopAmbiguousDelivery):       "the prompt may have reached the agent, and nobody knows",
	recovery.Reason(recovery.StopTransportLostAfterStart): "the connection to the agent died after it had started",
	recovery.Reason(recovery.StopEffectsObserved):         "it may have done something already, so it is not repeated (effects_observed)",
	recovery.ReasonShortRetry:                             "it usually passes within seconds",
	recovery.ReasonPolicyRetry:                            "the policy tries it again",
	recovery.ReasonLaunchRetry:                            "the worker's host could not start the agent, and nothing was sent",
	recovery.ReasonResetWait:                              "the policy waits for the stated reset",
	recovery.ReasonThrottleNotShort:                       "nothing says that the throttle is a short one",
	recovery.ReasonWaitTooLong:                            "that is longer than the policy waits",
	recovery.ReasonBudgetExhausted:                        "every retry is used up",
	recovery.ReasonWaitNeedsConsent:                       "waiting that long needs your consent",
	recovery.ReasonPersonRequired:                         "waiting does not help",
	recovery.ReasonResetNotStated:                         "the policy would wait, but nobody stated a reset",
	recovery.ReasonWaitUsed:                               "the one wait for the reset did not help",
	recovery.ReasonPolicy:                                 "the policy neither waits nor retries here",
	recovery.ReasonPolicyInvalid:                          "the policy is not one that is known here",
	recovery.ReasonNoPolicyForCause:                       "the policy has nothing for this cause",
	recovery.ReasonRecoveryOff:                            "recovery is switched off in this workspace",
	reasonStopped:                                         "a person stopped the run",
	recovery.ReasonOutsideRunWindow:                       "runs may not begin at that hour",
}

// Why says in words why a decision is what it is.
func Why(s recovery.Summary) string {
	text, known := reasons[s.Reason]
	if !known {
		return "the reason is " + string(s.Reason)
	}
	switch {
	case len(s.Observed) > 0:
		text += "; seen: " + strings.Join(flags(s.Observed), ", ")
	case len(s.Unproven) > 0:
		text += "; its output cannot show: " + strings.Join(flags(s.Unproven), ", ")
	}
	return text
}

func flags(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ReplaceAll(name, "_", " ")
	}
	return out
}
