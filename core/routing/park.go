package routing

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Park is what a prompt waits for when no candidate is left. The zero value is none.
type Park struct {
	// Reasons are waiting_for_provider_capacity, if anything comes back by
	// itself, then blocked_provider_action_required, if anything needs a person.
	Reasons []recovery.ParkReason
	// Until is the earliest deadline of a candidate; zero if all need a person.
	Until   time.Time
	Receipt recovery.Receipt
	// ProfileID is the candidate that Until belongs to, "" without one.
	ProfileID string
	// Remedies are what a person can do meanwhile, each once, in the order of
	// the candidates.
	Remedies []recovery.Remedy
}

// IsZero says that nothing is parked.
func (p Park) IsZero() bool { return len(p.Reasons) == 0 }

// Reason is the one that decides what wakes the prompt: by itself, if anything does.
func (p Park) Reason() recovery.ParkReason {
	if p.IsZero() {
		return ""
	}
	return p.Reasons[0]
}

// Mixed says that time helps with one candidate and a person with another.
func (p Park) Mixed() bool { return len(p.Reasons) > 1 }

// Owned says that the park has a deadline or names a person's action.
func (p Park) Owned() bool {
	timed := slices.Contains(p.Reasons, recovery.ParkProviderCapacity)
	person := slices.Contains(p.Reasons, recovery.ParkProviderActionRequired)
	return (timed || person) &&
		timed == !p.Until.IsZero() && timed == (p.Receipt.Kind != "") &&
		person == (len(p.Remedies) > 0)
}

// parkFor sums up why none of the candidates can run. Without any candidate a
// person has to name one.
func parkFor(rejected []Rejection) Park {
	var park Park
	for _, r := range rejected {
		switch {
		case r.Until.IsZero():
			if !slices.Contains(park.Remedies, r.Remedy) {
				park.Remedies = append(park.Remedies, r.Remedy)
			}
		case park.Until.IsZero() || r.Until.Before(park.Until):
			park.Until, park.Receipt, park.ProfileID = r.Until, r.Receipt, r.ProfileID
		}
	}
	if len(rejected) == 0 {
		park.Remedies = []recovery.Remedy{recovery.RemedyFixInput}
	}
	if !park.Until.IsZero() {
		park.Reasons = append(park.Reasons, recovery.ParkProviderCapacity)
	}
	if len(park.Remedies) > 0 {
		park.Reasons = append(park.Reasons, recovery.ParkProviderActionRequired)
	}
	return park
}
