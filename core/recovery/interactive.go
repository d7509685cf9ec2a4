package recovery

import (
	"strconv"

	"github.com/recourse-dev/recourse/core/classification"
)

// InteractivePolicy names the policy of a concrete profile in receipts and
// stored decisions; the number rises when the table changes.
const InteractivePolicy = "interactive@1"

// InteractiveRule is what a concrete profile does with a code once the gate
// has passed. The profile, model and account never change.
type InteractiveRule string

// The rules of a concrete profile.
const (
	// InteractiveRetry is up to one retry per interactive delay; a hint over
	// the short throttle stops.
	InteractiveRetry InteractiveRule = "retry"
	// InteractiveRetryIfShort is the same when the throttle is confirmed short.
	InteractiveRetryIfShort InteractiveRule = "retry_if_short"
	// InteractiveStopReset shows the reset; waiting needs consent.
	InteractiveStopReset InteractiveRule = "stop_show_reset"
	// InteractiveStopAction names the exact action of a person.
	InteractiveStopAction InteractiveRule = "stop_name_action"
	// InteractiveStopGate is never reached: the gate has stopped the code.
	InteractiveStopGate InteractiveRule = "stopped_by_gate"
)

// InteractiveRow is one line of the interactive table.
type InteractiveRow struct {
	Code classification.Code
	Rule InteractiveRule
}

// InteractiveTable lists the interactive policy in the order of the codes.
func InteractiveTable() []InteractiveRow {
	rows := make([]InteractiveRow, 0, len(interactiveTable))
	for _, info := range classification.Codes() {
		if rule, ok := interactiveTable[info.Code]; ok {
			rows = append(rows, InteractiveRow{Code: info.Code, Rule: rule})
		}
	}
	return rows
}

var interactiveTable = map[classification.Code]InteractiveRule{
	classification.NetworkUnavailable:     InteractiveRetry,
	classification.ProviderOverloaded:     InteractiveRetry,
	classification.ProviderUnavailable:    InteractiveRetry,
	classification.ModelCapacity:          InteractiveRetry,
	classification.RateLimited:            InteractiveRetryIfShort,
	classification.AgentTransportLost:     InteractiveRetry,
	classification.QuotaLimited:           InteractiveStopReset,
	classification.SubscriptionRequired:   InteractiveStopAction,
	classification.AuthRequired:           InteractiveStopAction,
	classification.MissingCredentials:     InteractiveStopAction,
	classification.ModelUnavailable:       InteractiveStopAction,
	classification.ProviderNotConfigured:  InteractiveStopAction,
	classification.PermissionDeniedByUser: InteractiveStopGate,
	classification.TaskError:              InteractiveStopGate,
	classification.RepoError:              InteractiveStopGate,
	classification.AgentRuntimeError:      InteractiveStopGate,
	classification.UnknownProviderError:   InteractiveStopGate,
	classification.Unclassified:           InteractiveStopGate,
}

func (e *evaluation) interactive() Decision {
	rule := interactiveTable[e.result.Code]
	e.decideBy(InteractivePolicy)
	e.because("row", string(rule))
	switch rule {
	case InteractiveRetry:
		return e.interactiveRetry()
	case InteractiveRetryIfShort:
		if e.result.Throttle != classification.ThrottleShort {
			return e.stop(ReasonThrottleNotShort)
		}
		return e.interactiveRetry()
	case InteractiveStopReset:
		return e.stop(ReasonWaitNeedsConsent)
	case InteractiveStopAction:
		return e.stop(ReasonPersonRequired)
	default:
		return e.stop(ReasonNoPolicyForCause)
	}
}

func (e *evaluation) interactiveRetry() Decision {
	delays := e.settings.InteractiveDelays
	if e.hint.farther(e.now, e.settings.ShortThrottle) {
		return e.stop(ReasonWaitTooLong)
	}
	used := e.used().Retries
	if used >= len(delays) {
		e.because("retry", "budget_used/"+strconv.Itoa(len(delays)))
		d := e.stop(ReasonBudgetExhausted)
		d.Ordinal, d.MaxAttempts = used, len(delays)
		return d
	}
	return e.retry(ReasonShortRetry, delays[used], used, len(delays), InteractivePolicy)
}
