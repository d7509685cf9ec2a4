package recovery

import (
	"github.com/recourse-dev/recourse/core/classification"
)

// DynamicRule is how a candidate of a dynamic profile treats a code; the
// numbers come from its class policy.
type DynamicRule string

// The rules of a dynamic profile's candidate.
const (
	// DynamicShortPhase waits, retries and falls through as the policy says.
	DynamicShortPhase DynamicRule = "short_phase"
	// DynamicShortPhaseIfShort is the same, but retries only when the throttle
	// is confirmed short or a stated wait is.
	DynamicShortPhaseIfShort DynamicRule = "short_phase_if_short"
	// DynamicLaunchOnly retries in the launch phase only, then a person
	// decides: the provider is not to blame, nothing falls through.
	DynamicLaunchOnly DynamicRule = "launch_only"
	// DynamicRenewable waits as the policy says; the circuit is timed.
	DynamicRenewable DynamicRule = "renewable"
	// DynamicActionRequired never waits: no time makes it better.
	DynamicActionRequired DynamicRule = "action_required"
	// DynamicStopGate is never reached: the gate has stopped the code.
	DynamicStopGate DynamicRule = "stopped_by_gate"
)

// DynamicRow is one line of the dynamic table.
type DynamicRow struct {
	Code classification.Code
	Rule DynamicRule
	// Park is the reason when no candidate is left; "" where nothing falls through.
	Park ParkReason
}

// DynamicTable lists the dynamic policy in the order of the codes.
func DynamicTable() []DynamicRow {
	rows := make([]DynamicRow, 0, len(dynamicTable))
	for _, info := range classification.Codes() {
		if row, ok := dynamicTable[info.Code]; ok {
			row.Code = info.Code
			rows = append(rows, row)
		}
	}
	return rows
}

var dynamicTable = map[classification.Code]DynamicRow{
	classification.NetworkUnavailable:     {Rule: DynamicShortPhase, Park: ParkProviderCapacity},
	classification.ProviderOverloaded:     {Rule: DynamicShortPhase, Park: ParkProviderCapacity},
	classification.ProviderUnavailable:    {Rule: DynamicShortPhase, Park: ParkProviderCapacity},
	classification.ModelCapacity:          {Rule: DynamicShortPhase, Park: ParkProviderCapacity},
	classification.RateLimited:            {Rule: DynamicShortPhaseIfShort, Park: ParkProviderCapacity},
	classification.AgentTransportLost:     {Rule: DynamicLaunchOnly},
	classification.QuotaLimited:           {Rule: DynamicRenewable, Park: ParkProviderCapacity},
	classification.SubscriptionRequired:   {Rule: DynamicActionRequired, Park: ParkProviderActionRequired},
	classification.AuthRequired:           {Rule: DynamicActionRequired, Park: ParkProviderActionRequired},
	classification.MissingCredentials:     {Rule: DynamicActionRequired, Park: ParkProviderActionRequired},
	classification.ModelUnavailable:       {Rule: DynamicActionRequired, Park: ParkProviderActionRequired},
	classification.ProviderNotConfigured:  {Rule: DynamicActionRequired, Park: ParkProviderActionRequired},
	classification.PermissionDeniedByUser: {Rule: DynamicStopGate},
	classification.TaskError:              {Rule: DynamicStopGate},
	classification.RepoError:              {Rule: DynamicStopGate},
	classification.AgentRuntimeError:      {Rule: DynamicStopGate},
	classification.UnknownProviderError:   {Rule: DynamicStopGate},
	classification.Unclassified:           {Rule: DynamicStopGate},
}
