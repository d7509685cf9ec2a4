package rpc

import (
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func decisionToWire(d *recovery.Decision) *recoursev1.Decision {
	if d == nil {
		return nil
	}
	return &recoursev1.Decision{
		Action:          actionTable.toWire(d.Action),
		StopReason:      stopTable.toWire(d.Reason),
		Reason:          string(d.Reason),
		Boundary:        boundaryTable.toWire(d.Boundary),
		BoundaryReceipt: receiptToWire(d.BoundaryReceipt),
		RetryAt:         timestamp(d.RetryAt),
		Ordinal:         count(d.Ordinal),
		MaxAttempts:     count(d.MaxAttempts),
		Receipt:         receiptToWire(d.Receipt),
		Send:            sendTable.toWire(work.SendAfter(*d)),
		Remedy:          remedyTable.toWire(d.Remedy),
		StatedResetAt:   timestamp(d.HintShown),
		HintSource:      utf8(d.HintSource),
		Because:         d.Because,
		Policy:          d.Policy,
		ParkReason:      parkTable.toWire(d.ParkReason),
	}
}

func decisionToDomain(d *recoursev1.Decision) *recovery.Decision {
	if d == nil {
		return nil
	}
	return &recovery.Decision{
		Action:          actionTable.toDomain(d.GetAction()),
		Reason:          recovery.Reason(d.GetReason()),
		Boundary:        boundaryTable.toDomain(d.GetBoundary()),
		BoundaryReceipt: receiptToDomain(d.GetBoundaryReceipt()),
		RetryAt:         instant(d.GetRetryAt()),
		Ordinal:         int(d.GetOrdinal()),
		MaxAttempts:     int(d.GetMaxAttempts()),
		Receipt:         receiptToDomain(d.GetReceipt()),
		SendContinue:    d.GetSend() == recoursev1.SendKind_SEND_KIND_CONTINUE,
		Remedy:          remedyTable.toDomain(d.GetRemedy()),
		HintShown:       instant(d.GetStatedResetAt()),
		HintSource:      d.GetHintSource(),
		Because:         d.GetBecause(),
		Policy:          d.GetPolicy(),
		ParkReason:      parkTable.toDomain(d.GetParkReason()),
	}
}

func receiptToWire(r recovery.Receipt) *recoursev1.Receipt {
	if r == (recovery.Receipt{}) {
		return nil
	}
	return &recoursev1.Receipt{Kind: receiptTable.toWire(r.Kind), Source: utf8(r.Source)}
}

func receiptToDomain(r *recoursev1.Receipt) recovery.Receipt {
	return recovery.Receipt{Kind: receiptTable.toDomain(r.GetKind()), Source: r.GetSource()}
}
