package work

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// MaxPromptBytes bounds a prompt that workers deliver.
const MaxPromptBytes = 1 << 20

// CheckPrompt says whether the prompt is where it must be: with the server
// when workers deliver, with the caller else. The error names the field, never
// the prompt.
func (in BeginPrompt) CheckPrompt() error {
	switch {
	case in.Delivery != DeliveryWorker && in.Prompt != "":
		return fault.Invalid("prompt", "must be empty: the caller delivers it")
	case in.Delivery == DeliveryWorker && in.Prompt == "":
		return fault.Invalid("prompt", "must be given: workers deliver it")
	case len(in.Prompt) > MaxPromptBytes:
		return fault.Invalid("prompt", "must be at most %d bytes", MaxPromptBytes)
	}
	return nil
}

// Payload is what a run sends of the prompt that workers deliver.
func Payload(send SendKind, prompt string) string {
	switch send {
	case SendContinue:
		return recovery.ContinueInstruction
	case SendFresh:
		return recovery.FreshInstruction + prompt
	default:
		return prompt
	}
}

// hostBound says that only the host of the last run can deliver what is sent
// next: the agent keeps its own sessions there.
func (w Wakeup) hostBound() bool {
	return w.NextSend == SendContinue && w.Supervisor.HostID != ""
}

// ClaimDue asks for runs of what is due of what workers deliver.
type ClaimDue struct {
	WorkspaceID string
	// After is a low-water mark: what was due at or before it is not looked at.
	After time.Time
	// Slots are the runs that may be made, one claim each at most, in the order
	// in which they are given out.
	Slots []ClaimRequest
}

// HostIDs are the hosts of the slots, each once.
func (in ClaimDue) HostIDs() []string {
	hosts := []string{}
	for _, s := range in.Slots {
		if s.Supervisor.HostID != "" && !slices.Contains(hosts, s.Supervisor.HostID) {
			hosts = append(hosts, s.Supervisor.HostID)
		}
	}
	return hosts
}

// SlotClaim is a claim with the slot that it took.
type SlotClaim struct {
	Claim
	Slot int
}

// NextDue is when the first of what waits is due.
type NextDue struct {
	DueAt time.Time // zero if nothing waits
	Now   time.Time // by the clock that rules
}

// DueClaims is the answer to ClaimDue.
type DueClaims struct {
	Claims []SlotClaim // the oldest due first
	// Found counts what was due and not locked by anybody else, claimed or not.
	Found int
	// LastDueAt is the instant of the last that was found, zero if none was.
	LastDueAt time.Time
	// Next is the first that is not due yet.
	Next NextDue
	Now  time.Time // by the clock that rules; zero if nothing was found
}

// slotFor gives the first free slot whose supervisor may have the wakeup.
func slotFor(w Wakeup, slots []ClaimRequest, taken []bool) (int, bool) {
	for i, s := range slots {
		if !taken[i] && (!w.hostBound() || w.Supervisor.HostID == s.Supervisor.HostID) {
			return i, true
		}
	}
	return 0, false
}

// DueChange is what the claim of one of many leaves.
type DueChange struct {
	Change
	Locked Locked
	Slot   int // of the claim; meaningless unless Change.NewRun
}

// ClaimEach claims what is due, the oldest first, for as many slots as fit. It
// leaves out what cannot be claimed; that is no failure of the others.
func ClaimEach(due []Locked, slots []ClaimRequest) []DueChange {
	taken := make([]bool, len(slots))
	phases := phases{}
	var out []DueChange
	for _, l := range due {
		slot, ok := slotFor(l.Wakeup, slots, taken)
		if !ok {
			continue
		}
		c, err := ClaimWakeup(l, slots[slot])
		if err != nil || !phases.admit(l, c) {
			continue
		}
		taken[slot] = c.NewRun
		out = append(out, DueChange{Change: c, Locked: l, Slot: slot})
	}
	return out
}

// Release gives back a run of which nothing was sent: its wakeup is due now.
func Release(l Locked, token string, s recovery.Settings) (Change, error) {
	return advance(l, token, recovery.EventNotSent, s, nil)
}
