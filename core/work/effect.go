package work

import "github.com/recourse-dev/recourse/core/evidence"

// JoinEffects gives what is known when both are: flags only rise, from none
// over unknown to seen.
func JoinEffects(a, b evidence.Effects) evidence.Effects {
	return evidence.Effects{
		AssistantOutput: joinEffect(a.AssistantOutput, b.AssistantOutput),
		ToolActivity:    joinEffect(a.ToolActivity, b.ToolActivity),
		PartialResult:   joinEffect(a.PartialResult, b.PartialResult),
		Delivery:        joinDelivery(a.Delivery, b.Delivery),
	}
}

// RaiseEffects takes news of a run that goes on: what the news leave out is no
// knowledge, and stays as it was.
func RaiseEffects(known, news evidence.Effects) evidence.Effects {
	return JoinEffects(known, evidence.Effects{
		AssistantOutput: orNone(news.AssistantOutput),
		ToolActivity:    orNone(news.ToolActivity),
		PartialResult:   orNone(news.PartialResult),
		Delivery:        news.Delivery,
	})
}

func orNone(e evidence.Effect) evidence.Effect {
	if e == evidence.EffectUnknown {
		return evidence.EffectNone
	}
	return e
}

func joinEffect(a, b evidence.Effect) evidence.Effect {
	switch {
	case a == evidence.EffectSeen || b == evidence.EffectSeen:
		return evidence.EffectSeen
	case a == evidence.EffectNone && b == evidence.EffectNone:
		return evidence.EffectNone
	}
	return evidence.EffectUnknown
}

func joinDelivery(a, b evidence.Delivery) evidence.Delivery {
	switch {
	case a == evidence.DeliveryAmbiguous || b == evidence.DeliveryAmbiguous:
		return evidence.DeliveryAmbiguous
	case a == "":
		return b
	}
	return a
}
