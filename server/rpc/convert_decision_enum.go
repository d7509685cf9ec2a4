package rpc

import (
	"github.com/recourse-dev/recourse/core/recovery"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

var actionTable = pairs(map[recovery.Action]recoursev1.Action{
	recovery.ActionRetry:         recoursev1.Action_ACTION_RETRY,
	recovery.ActionWait:          recoursev1.Action_ACTION_WAIT_FOR_RESET,
	recovery.ActionNextCandidate: recoursev1.Action_ACTION_NEXT_CANDIDATE,
	recovery.ActionPark:          recoursev1.Action_ACTION_PARK,
	recovery.ActionStop:          recoursev1.Action_ACTION_STOP,
}, nil)

// stopTable has every reason of a stop. The reasons of an attempt are no stop.
var stopTable = pairs(map[recovery.Reason]recoursev1.StopReason{
	recovery.Reason(recovery.StopStaleGeneration):         recoursev1.StopReason_STOP_REASON_STALE_GENERATION,
	recovery.Reason(recovery.StopUnclassified):            recoursev1.StopReason_STOP_REASON_UNCLASSIFIED,
	recovery.Reason(recovery.StopLowConfidence):           recoursev1.StopReason_STOP_REASON_LOW_CONFIDENCE,
	recovery.Reason(recovery.StopEffectsObserved):         recoursev1.StopReason_STOP_REASON_EFFECTS_OBSERVED,
	recovery.Reason(recovery.StopAmbiguousDelivery):       recoursev1.StopReason_STOP_REASON_AMBIGUOUS_DELIVERY,
	recovery.Reason(recovery.StopNonProvider):             recoursev1.StopReason_STOP_REASON_NON_PROVIDER,
	recovery.Reason(recovery.StopUncorrelated):            recoursev1.StopReason_STOP_REASON_UNCORRELATED,
	recovery.Reason(recovery.StopTerminalMode):            recoursev1.StopReason_STOP_REASON_TERMINAL_MODE,
	recovery.Reason(recovery.StopTransportLostAfterStart): recoursev1.StopReason_STOP_REASON_TRANSPORT_LOST_AFTER_START,
	recovery.Reason(recovery.StopTimedOut):                recoursev1.StopReason_STOP_REASON_TIMED_OUT,
	recovery.ReasonPolicy:                                 recoursev1.StopReason_STOP_REASON_POLICY,
	recovery.ReasonBudgetExhausted:                        recoursev1.StopReason_STOP_REASON_BUDGET_EXHAUSTED,
	recovery.ReasonWaitTooLong:                            recoursev1.StopReason_STOP_REASON_WAIT_TOO_LONG,
	recovery.ReasonThrottleNotShort:                       recoursev1.StopReason_STOP_REASON_THROTTLE_NOT_SHORT,
	recovery.ReasonWaitNeedsConsent:                       recoursev1.StopReason_STOP_REASON_WAIT_NEEDS_CONSENT,
	recovery.ReasonPersonRequired:                         recoursev1.StopReason_STOP_REASON_PERSON_REQUIRED,
	recovery.ReasonResetNotStated:                         recoursev1.StopReason_STOP_REASON_RESET_NOT_STATED,
	recovery.ReasonWaitUsed:                               recoursev1.StopReason_STOP_REASON_WAIT_USED,
	recovery.ReasonPolicyInvalid:                          recoursev1.StopReason_STOP_REASON_POLICY_INVALID,
	recovery.ReasonNoPolicyForCause:                       recoursev1.StopReason_STOP_REASON_NO_POLICY_FOR_CAUSE,
	recovery.ReasonRecoveryOff:                            recoursev1.StopReason_STOP_REASON_RECOVERY_OFF,
	recovery.ReasonOutsideRunWindow:                       recoursev1.StopReason_STOP_REASON_OUTSIDE_RUN_WINDOW,
}, nil)

var parkTable = pairs(map[recovery.ParkReason]recoursev1.ParkReason{
	recovery.ParkProviderCapacity:       recoursev1.ParkReason_PARK_REASON_WAITING_FOR_PROVIDER_CAPACITY,
	recovery.ParkProviderActionRequired: recoursev1.ParkReason_PARK_REASON_BLOCKED_PROVIDER_ACTION_REQUIRED,
	recovery.ParkRecoveryOff:            recoursev1.ParkReason_PARK_REASON_RECOVERY_OFF,
	recovery.ParkOutsideRunWindow:       recoursev1.ParkReason_PARK_REASON_OUTSIDE_RUN_WINDOW,
	recovery.ParkBudgetExhausted:        recoursev1.ParkReason_PARK_REASON_BUDGET_EXHAUSTED,
}, nil)

var exhaustedTable = pairs(map[recovery.OnExhausted]recoursev1.OnExhausted{
	recovery.ExhaustedSkip: recoursev1.OnExhausted_ON_EXHAUSTED_SKIP,
	recovery.ExhaustedStop: recoursev1.OnExhausted_ON_EXHAUSTED_STOP,
}, nil)

var modeTable = pairs(map[recovery.Mode]recoursev1.RecoveryMode{
	recovery.ModePolicy:   recoursev1.RecoveryMode_RECOVERY_MODE_POLICY,
	recovery.ModeTerminal: recoursev1.RecoveryMode_RECOVERY_MODE_TERMINAL,
}, nil)

var boundaryTable = pairs(map[recovery.Boundary]recoursev1.Boundary{
	recovery.BoundaryEffectFree:         recoursev1.Boundary_BOUNDARY_EFFECT_FREE,
	recovery.BoundaryNativeResume:       recoursev1.Boundary_BOUNDARY_NATIVE_RESUME,
	recovery.BoundaryContinuation:       recoursev1.Boundary_BOUNDARY_CONTINUATION,
	recovery.BoundaryDeclaredRepeatable: recoursev1.Boundary_BOUNDARY_DECLARED_REPEATABLE,
}, nil)

var receiptTable = pairs(map[recovery.ReceiptKind]recoursev1.ReceiptKind{
	recovery.ReceiptStated:    recoursev1.ReceiptKind_RECEIPT_KIND_STATED,
	recovery.ReceiptEstimated: recoursev1.ReceiptKind_RECEIPT_KIND_ESTIMATED,
	recovery.ReceiptPerson:    recoursev1.ReceiptKind_RECEIPT_KIND_PERSON,
}, nil)

var remedyTable = pairs(map[recovery.Remedy]recoursev1.Remedy{
	recovery.RemedyWait:          recoursev1.Remedy_REMEDY_WAIT,
	recovery.RemedyPay:           recoursev1.Remedy_REMEDY_PAY,
	recovery.RemedyLogIn:         recoursev1.Remedy_REMEDY_LOG_IN,
	recovery.RemedyFixInput:      recoursev1.Remedy_REMEDY_FIX_INPUT,
	recovery.RemedyAskMaintainer: recoursev1.Remedy_REMEDY_ASK_MAINTAINER,
}, nil)
