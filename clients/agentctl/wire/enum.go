// Package wire turns what the core decides on this host into the messages of
// the API, and back, so that every command shows one shape whoever decided.
package wire

import (
	"strings"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// An enum value of the API is named after the word of the core: a prefix, then
// the word in upper case. Irregular ones are listed by their callers.

func number[E ~int32, W ~string](word W, prefix string, values map[string]int32) E {
	return E(values[prefix+strings.ToUpper(string(word))])
}

func word[W ~string, E interface {
	~int32
	String() string
}](value E, prefix string) W {
	if value == 0 {
		return ""
	}
	return W(strings.ToLower(strings.TrimPrefix(value.String(), prefix)))
}

// Code of the API for a code of the core.
func Code(c classification.Code) v1.Code { return number[v1.Code](c, "CODE_", v1.Code_value) }

// CodeWord is the stable word of a code, as "rate_limited"; "" if unspecified.
func CodeWord(c v1.Code) classification.Code { return word[classification.Code](c, "CODE_") }

// ClassWord is the stable word of a class.
func ClassWord(c v1.Class) classification.Class { return word[classification.Class](c, "CLASS_") }

// Action of the API for an action of the core.
func Action(a recovery.Action) v1.Action {
	if a == recovery.ActionWait {
		return v1.Action_ACTION_WAIT_FOR_RESET
	}
	return number[v1.Action](a, "ACTION_", v1.Action_value)
}

// ActionWord is the core's action for one of the API.
func ActionWord(a v1.Action) recovery.Action {
	if a == v1.Action_ACTION_WAIT_FOR_RESET {
		return recovery.ActionWait
	}
	return word[recovery.Action](a, "ACTION_")
}

// effect: on the wire unknown has a name of its own, so that it can be told
// from a caller that says nothing; both count as seen.
func effect(e evidence.Effect) v1.Effect {
	if e == evidence.EffectUnknown {
		return v1.Effect_EFFECT_UNKNOWN
	}
	return number[v1.Effect](e, "EFFECT_", v1.Effect_value)
}

func effectWord(e v1.Effect) evidence.Effect {
	if e == v1.Effect_EFFECT_UNKNOWN {
		return evidence.EffectUnknown
	}
	return word[evidence.Effect](e, "EFFECT_")
}

// Effects of the API for effects of the core.
func Effects(e evidence.Effects) *v1.Effects {
	return &v1.Effects{
		AssistantOutput: effect(e.AssistantOutput),
		ToolActivity:    effect(e.ToolActivity),
		PartialResult:   effect(e.PartialResult),
		Delivery:        number[v1.Delivery](e.Delivery, "DELIVERY_", v1.Delivery_value),
	}
}

// EffectsBack are the core's effects for those of the API.
func EffectsBack(e *v1.Effects) evidence.Effects {
	return evidence.Effects{
		AssistantOutput: effectWord(e.GetAssistantOutput()),
		ToolActivity:    effectWord(e.GetToolActivity()),
		PartialResult:   effectWord(e.GetPartialResult()),
		Delivery:        word[evidence.Delivery](e.GetDelivery(), "DELIVERY_"),
	}
}

// StatusWord is the stable word of a wakeup's status.
func StatusWord(s v1.WakeupStatus) string { return word[string](s, "WAKEUP_STATUS_") }

// RunStateWord is the stable word of a run's state.
func RunStateWord(s v1.RunState) string { return word[string](s, "RUN_STATE_") }

// OutcomeWord is the stable word of a run's outcome.
func OutcomeWord(o v1.RunOutcome) string { return word[string](o, "RUN_OUTCOME_") }

// RoleWord is the stable word of a role.
func RoleWord(r v1.Role) string { return word[string](r, "ROLE_") }

// SendWord is the stable word of what a run sends.
func SendWord(k v1.SendKind) string { return word[string](k, "SEND_KIND_") }
