package wire

import (
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Decision of the API for a decision of the core.
func Decision(d recovery.Decision) *v1.Decision {
	out := &v1.Decision{
		Action:          Action(d.Action),
		Boundary:        number[v1.Boundary](d.Boundary, "BOUNDARY_", v1.Boundary_value),
		BoundaryReceipt: receipt(d.BoundaryReceipt),
		RetryAt:         instant(d.RetryAt),
		Ordinal:         int32(d.Ordinal),
		MaxAttempts:     int32(d.MaxAttempts),
		Receipt:         receipt(d.Receipt),
		Remedy:          number[v1.Remedy](d.Remedy, "REMEDY_", v1.Remedy_value),
		StatedResetAt:   instant(d.HintShown),
		HintSource:      d.HintSource,
		Because:         d.Because,
		Policy:          d.Policy,
		Reason:          string(d.Reason),
	}
	if d.Action == recovery.ActionStop || d.Action == recovery.ActionPark {
		out.StopReason = number[v1.StopReason](d.Reason, "STOP_REASON_", v1.StopReason_value)
	}
	if d.Action == recovery.ActionPark {
		out.ParkReason = number[v1.ParkReason](d.ParkReason, "PARK_REASON_", v1.ParkReason_value)
	}
	if d.Automatic() || !d.RetryAt.IsZero() {
		out.Send = v1.SendKind_SEND_KIND_PROMPT
		if d.SendContinue {
			out.Send = v1.SendKind_SEND_KIND_CONTINUE
		}
	}
	return out
}

// DecisionBack is the core's decision for one of the API. What the API does
// not carry, as the policy's own counters, is left out.
func DecisionBack(d *v1.Decision) recovery.Decision {
	return recovery.Decision{
		Action:          ActionWord(d.GetAction()),
		Reason:          recovery.Reason(d.GetReason()),
		Policy:          d.GetPolicy(),
		Because:         d.GetBecause(),
		Boundary:        word[recovery.Boundary](d.GetBoundary(), "BOUNDARY_"),
		BoundaryReceipt: receiptBack(d.GetBoundaryReceipt()),
		RetryAt:         instantBack(d.GetRetryAt()),
		Ordinal:         int(d.GetOrdinal()),
		MaxAttempts:     int(d.GetMaxAttempts()),
		Receipt:         receiptBack(d.GetReceipt()),
		SendContinue:    d.GetSend() == v1.SendKind_SEND_KIND_CONTINUE,
		Remedy:          word[recovery.Remedy](d.GetRemedy(), "REMEDY_"),
		HintShown:       instantBack(d.GetStatedResetAt()),
		HintSource:      d.GetHintSource(),
		ParkReason:      word[recovery.ParkReason](d.GetParkReason(), "PARK_REASON_"),
	}
}

func receipt(r recovery.Receipt) *v1.Receipt {
	if r.Kind == "" {
		return nil
	}
	return &v1.Receipt{Kind: number[v1.ReceiptKind](r.Kind, "RECEIPT_KIND_", v1.ReceiptKind_value), Source: r.Source}
}

func receiptBack(r *v1.Receipt) recovery.Receipt {
	return recovery.Receipt{Kind: word[recovery.ReceiptKind](r.GetKind(), "RECEIPT_KIND_"), Source: r.GetSource()}
}
