package rpc

import (
	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// table pairs the words of the domain with the values of a wire enum. It is
// total both ways: what it does not have becomes the zero value.
type table[W ~int32, D ~string] struct {
	wire   map[D]W
	domain map[W]D
}

// pairs makes a table. Where several wire values mean the same word, the one in
// the map is what is sent; also holds the others.
func pairs[W ~int32, D ~string](wire map[D]W, also map[W]D) table[W, D] {
	t := table[W, D]{wire: wire, domain: map[W]D{}}
	for d, w := range wire {
		t.domain[w] = d
	}
	for w, d := range also {
		t.domain[w] = d
	}
	return t
}

func (t table[W, D]) toWire(d D) W   { return t.wire[d] }
func (t table[W, D]) toDomain(w W) D { return t.domain[w] }

var codeTable = pairs(map[classification.Code]recoursev1.Code{
	classification.NetworkUnavailable:     recoursev1.Code_CODE_NETWORK_UNAVAILABLE,
	classification.ProviderOverloaded:     recoursev1.Code_CODE_PROVIDER_OVERLOADED,
	classification.ProviderUnavailable:    recoursev1.Code_CODE_PROVIDER_UNAVAILABLE,
	classification.ModelCapacity:          recoursev1.Code_CODE_MODEL_CAPACITY,
	classification.RateLimited:            recoursev1.Code_CODE_RATE_LIMITED,
	classification.AgentTransportLost:     recoursev1.Code_CODE_AGENT_TRANSPORT_LOST,
	classification.QuotaLimited:           recoursev1.Code_CODE_QUOTA_LIMITED,
	classification.SubscriptionRequired:   recoursev1.Code_CODE_SUBSCRIPTION_REQUIRED,
	classification.AuthRequired:           recoursev1.Code_CODE_AUTH_REQUIRED,
	classification.MissingCredentials:     recoursev1.Code_CODE_MISSING_CREDENTIALS,
	classification.ModelUnavailable:       recoursev1.Code_CODE_MODEL_UNAVAILABLE,
	classification.ProviderNotConfigured:  recoursev1.Code_CODE_PROVIDER_NOT_CONFIGURED,
	classification.PermissionDeniedByUser: recoursev1.Code_CODE_PERMISSION_DENIED_BY_USER,
	classification.TaskError:              recoursev1.Code_CODE_TASK_ERROR,
	classification.RepoError:              recoursev1.Code_CODE_REPO_ERROR,
	classification.AgentRuntimeError:      recoursev1.Code_CODE_AGENT_RUNTIME_ERROR,
	classification.UnknownProviderError:   recoursev1.Code_CODE_UNKNOWN_PROVIDER_ERROR,
	classification.Unclassified:           recoursev1.Code_CODE_UNCLASSIFIED,
}, nil)

var classTable = pairs(map[classification.Class]recoursev1.Class{
	classification.ClassTransient:    recoursev1.Class_CLASS_TRANSIENT,
	classification.ClassHard:         recoursev1.Class_CLASS_HARD,
	classification.ClassNonProvider:  recoursev1.Class_CLASS_NON_PROVIDER,
	classification.ClassUnclassified: recoursev1.Class_CLASS_UNCLASSIFIED,
}, nil)

var confidenceTable = pairs(map[classification.Confidence]recoursev1.Confidence{
	classification.High:   recoursev1.Confidence_CONFIDENCE_HIGH,
	classification.Medium: recoursev1.Confidence_CONFIDENCE_MEDIUM,
	classification.Low:    recoursev1.Confidence_CONFIDENCE_LOW,
}, nil)

var throttleTable = pairs(map[classification.Throttle]recoursev1.Throttle{
	classification.ThrottleShort:   recoursev1.Throttle_THROTTLE_SHORT,
	classification.ThrottleLong:    recoursev1.Throttle_THROTTLE_LONG,
	classification.ThrottleUnknown: recoursev1.Throttle_THROTTLE_UNKNOWN,
}, nil)

var scopeTable = pairs(map[classification.Scope]recoursev1.Scope{
	classification.ScopeProvider: recoursev1.Scope_SCOPE_PROVIDER,
	classification.ScopeAccount:  recoursev1.Scope_SCOPE_ACCOUNT,
	classification.ScopeModel:    recoursev1.Scope_SCOPE_MODEL,
	classification.ScopeProfile:  recoursev1.Scope_SCOPE_PROFILE,
	classification.ScopeRequest:  recoursev1.Scope_SCOPE_REQUEST,
}, nil)

var phaseTable = pairs(map[evidence.Phase]recoursev1.Phase{
	evidence.PhaseLaunch:     recoursev1.Phase_PHASE_LAUNCH,
	evidence.PhasePreOutput:  recoursev1.Phase_PHASE_PRE_OUTPUT,
	evidence.PhasePostOutput: recoursev1.Phase_PHASE_POST_OUTPUT,
}, nil)

var effectTable = pairs(map[evidence.Effect]recoursev1.Effect{
	evidence.EffectUnknown: recoursev1.Effect_EFFECT_UNKNOWN,
	evidence.EffectNone:    recoursev1.Effect_EFFECT_NONE,
	evidence.EffectSeen:    recoursev1.Effect_EFFECT_SEEN,
}, map[recoursev1.Effect]evidence.Effect{recoursev1.Effect_EFFECT_UNSPECIFIED: evidence.EffectUnknown})

var deliveryTable = pairs(map[evidence.Delivery]recoursev1.Delivery{
	evidence.DeliveryAcknowledged: recoursev1.Delivery_DELIVERY_ACKNOWLEDGED,
	evidence.DeliveryAmbiguous:    recoursev1.Delivery_DELIVERY_AMBIGUOUS,
}, nil)

var roleTable = pairs(map[access.Role]recoursev1.Role{
	access.RoleViewer: recoursev1.Role_ROLE_VIEWER,
	access.RoleMember: recoursev1.Role_ROLE_MEMBER,
	access.RoleAdmin:  recoursev1.Role_ROLE_ADMIN,
	access.RoleWorker: recoursev1.Role_ROLE_WORKER,
}, nil)

var presetTable = pairs(map[string]recoursev1.PolicyPreset{
	work.PresetInteractive: recoursev1.PolicyPreset_POLICY_PRESET_INTERACTIVE,
	work.PresetPatient:     recoursev1.PolicyPreset_POLICY_PRESET_PATIENT,
}, nil)

var attentionTable = pairs(map[work.Attention]recoursev1.Attention{
	work.AttentionDeadline: recoursev1.Attention_ATTENTION_DEADLINE,
	work.AttentionPerson:   recoursev1.Attention_ATTENTION_PERSON,
}, nil)

var sendTable = pairs(map[work.SendKind]recoursev1.SendKind{
	work.SendPrompt:   recoursev1.SendKind_SEND_KIND_PROMPT,
	work.SendContinue: recoursev1.SendKind_SEND_KIND_CONTINUE,
	work.SendFresh:    recoursev1.SendKind_SEND_KIND_FRESH,
}, nil)

var deliveryModeTable = pairs(map[work.Delivery]recoursev1.DeliveryMode{
	work.DeliveryCaller: recoursev1.DeliveryMode_DELIVERY_MODE_CALLER,
	work.DeliveryWorker: recoursev1.DeliveryMode_DELIVERY_MODE_WORKER,
}, nil)

var userActionTable = pairs(map[work.UserAction]recoursev1.UserAction{
	work.UserRetryNow:      recoursev1.UserAction_USER_ACTION_RETRY_NOW,
	work.UserCancelWait:    recoursev1.UserAction_USER_ACTION_CANCEL_WAIT,
	work.UserStopRun:       recoursev1.UserAction_USER_ACTION_STOP_RUN,
	work.UserResumeSession: recoursev1.UserAction_USER_ACTION_RESUME_SESSION,
	work.UserStartFresh:    recoursev1.UserAction_USER_ACTION_START_FRESH,
}, nil)

var sessionTable = pairs(map[recovery.SessionStatus]recoursev1.SessionState{
	recovery.SessionIdle:            recoursev1.SessionState_SESSION_STATE_IDLE,
	recovery.SessionStarting:        recoursev1.SessionState_SESSION_STATE_STARTING,
	recovery.SessionRunning:         recoursev1.SessionState_SESSION_STATE_RUNNING,
	recovery.SessionWaitingForInput: recoursev1.SessionState_SESSION_STATE_WAITING_FOR_INPUT,
	recovery.SessionFailed:          recoursev1.SessionState_SESSION_STATE_FAILED,
	recovery.SessionStopped:         recoursev1.SessionState_SESSION_STATE_STOPPED,
}, nil)

var wakeupTable = pairs(map[recovery.WakeupStatus]recoursev1.WakeupStatus{
	recovery.WakeupQueued:         recoursev1.WakeupStatus_WAKEUP_STATUS_QUEUED,
	recovery.WakeupRunning:        recoursev1.WakeupStatus_WAKEUP_STATUS_RUNNING,
	recovery.WakeupScheduledRetry: recoursev1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY,
	recovery.WakeupParked:         recoursev1.WakeupStatus_WAKEUP_STATUS_PARKED,
	recovery.WakeupCompleted:      recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED,
	recovery.WakeupFailed:         recoursev1.WakeupStatus_WAKEUP_STATUS_FAILED,
	recovery.WakeupTimedOut:       recoursev1.WakeupStatus_WAKEUP_STATUS_TIMED_OUT,
	recovery.WakeupCancelled:      recoursev1.WakeupStatus_WAKEUP_STATUS_CANCELLED,
}, nil)

var runTable = pairs(map[recovery.RunStatus]recoursev1.RunState{
	recovery.RunClaimed:   recoursev1.RunState_RUN_STATE_CLAIMED,
	recovery.RunSending:   recoursev1.RunState_RUN_STATE_SENDING,
	recovery.RunDelivered: recoursev1.RunState_RUN_STATE_DELIVERED,
	recovery.RunSettled:   recoursev1.RunState_RUN_STATE_SETTLED,
	recovery.RunLost:      recoursev1.RunState_RUN_STATE_LOST,
}, nil)

var outcomeTable = pairs(map[recovery.RunOutcome]recoursev1.RunOutcome{
	recovery.OutcomeSucceeded: recoursev1.RunOutcome_RUN_OUTCOME_SUCCEEDED,
	recovery.OutcomeFailed:    recoursev1.RunOutcome_RUN_OUTCOME_FAILED,
	recovery.OutcomeNotSent:   recoursev1.RunOutcome_RUN_OUTCOME_NOT_SENT,
	recovery.OutcomeAmbiguous: recoursev1.RunOutcome_RUN_OUTCOME_AMBIGUOUS,
	recovery.OutcomeCancelled: recoursev1.RunOutcome_RUN_OUTCOME_CANCELLED,
}, nil)
