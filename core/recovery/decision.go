package recovery

import "time"

// Action is what follows from a failure.
type Action string

// The actions.
const (
	ActionRetry         Action = "retry"          // the same profile again at RetryAt
	ActionWait          Action = "wait"           // the same profile once at RetryAt, after a stated reset
	ActionNextCandidate Action = "next_candidate" // this candidate is out for the cycle
	ActionPark          Action = "park"           // no candidate is left
	ActionStop          Action = "stop"           // a person decides
)

// Boundary is what makes automatic work safe.
type Boundary string

// The boundaries, in the order in which they are tried.
const (
	BoundaryNone               Boundary = ""
	BoundaryEffectFree         Boundary = "effect_free"         // nothing was done: the same prompt again
	BoundaryNativeResume       Boundary = "native_resume"       // the agent's own resume with ContinueInstruction
	BoundaryContinuation       Boundary = "continuation"        // a fresh native session with a continuation package
	BoundaryDeclaredRepeatable Boundary = "declared_repeatable" // a person said so: the same prompt again
)

// Boundaries lists every boundary that allows work, in the order of trial.
func Boundaries() []Boundary {
	return []Boundary{BoundaryEffectFree, BoundaryNativeResume, BoundaryContinuation, BoundaryDeclaredRepeatable}
}

// ReceiptKind says who a deadline or a permission comes from.
type ReceiptKind string

// The receipt kinds.
const (
	ReceiptStated    ReceiptKind = "stated"    // the provider said it; Source is the field or the words
	ReceiptEstimated ReceiptKind = "estimated" // a policy computed it; Source names the schedule
	ReceiptPerson    ReceiptKind = "person"    // Source names the person
)

// Receipt is where a deadline or a permission comes from.
type Receipt struct {
	Kind   ReceiptKind `json:"kind,omitempty"`
	Source string      `json:"source,omitempty"`
}

// ParkReason says why nothing may run now.
type ParkReason string

// The park reasons.
const (
	ParkProviderCapacity       ParkReason = "waiting_for_provider_capacity"
	ParkProviderActionRequired ParkReason = "blocked_provider_action_required"
	ParkRecoveryOff            ParkReason = "recovery_off"
	ParkOutsideRunWindow       ParkReason = "outside_run_window"
	ParkBudgetExhausted        ParkReason = "budget_exhausted"
)

// Timed says that a park for this reason must have a deadline; the others
// wait for a person.
func (p ParkReason) Timed() bool {
	return p == ParkProviderCapacity || p == ParkOutsideRunWindow
}

// ParkReasons lists every park reason.
func ParkReasons() []ParkReason {
	return []ParkReason{ParkProviderCapacity, ParkProviderActionRequired, ParkRecoveryOff, ParkOutsideRunWindow, ParkBudgetExhausted}
}

// Decision is what follows from one failure, and why. Its JSON form is what is
// stored with the failure.
type Decision struct {
	Action Action `json:"action"`
	Reason Reason `json:"reason"`
	// Policy names what decided, with its version, as "interactive@1"; "" when
	// the gate stopped before any policy was asked.
	Policy string `json:"policy,omitempty"`
	// Because are the steps that led here, as stable "key=value" entries in
	// the order in which they were taken.
	Because []string `json:"because"`
	// Boundary makes the next attempt safe; none when no attempt follows.
	Boundary Boundary `json:"boundary,omitempty"`
	// BoundaryReceipt names the person behind BoundaryDeclaredRepeatable.
	BoundaryReceipt Receipt `json:"boundary_receipt,omitzero"`
	// RetryAt is the exact UTC instant, whole milliseconds, that every surface
	// shows; zero when nothing is scheduled.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// Ordinal is the number of the scheduled retry, from 1; for a stop or a
	// skip the retries used. A wait has none: it does not use the budget.
	Ordinal int `json:"ordinal,omitempty"`
	// MaxAttempts is the retry budget, 0 where the policy has none.
	MaxAttempts int `json:"max_attempts,omitempty"`
	// Receipt says where RetryAt comes from; without one, where HintShown does.
	Receipt Receipt `json:"receipt,omitzero"`
	// SendContinue says that ContinueInstruction is sent, never the prompt.
	SendContinue bool       `json:"send_continue,omitempty"`
	Remedy       Remedy     `json:"remedy"`
	ParkReason   ParkReason `json:"park_reason,omitempty"` // only with ActionPark
	// WaitsForOwner says that another run owns the short phase: this one waits
	// for it, and spends no retry.
	WaitsForOwner bool `json:"waits_for_owner,omitempty"`
	// HintShown is the stated deadline without margin, zero when none is believed.
	HintShown  time.Time `json:"hint_shown,omitzero"`
	HintSource string    `json:"hint_source,omitempty"`
	// Progress is what the caller stores for the next decision.
	Progress Progress `json:"progress"`
}

// Automatic says that an attempt follows without a person.
func (d Decision) Automatic() bool {
	return d.Action == ActionRetry || d.Action == ActionWait || d.Action == ActionNextCandidate
}

// Owned says that whatever waits because of d has a deadline, or names what a
// person must do. A decision that is not owned would be stuck for ever.
func (d Decision) Owned() bool {
	switch d.Action {
	case ActionRetry, ActionWait:
		return !d.RetryAt.IsZero() && d.Receipt.Kind != ""
	case ActionPark:
		if d.ParkReason.Timed() {
			return !d.RetryAt.IsZero() && d.Receipt.Kind != ""
		}
		return d.ParkReason != "" && d.Remedy != ""
	case ActionNextCandidate:
		return true
	case ActionStop:
		return d.Reason != "" && d.Remedy != ""
	}
	return false
}
