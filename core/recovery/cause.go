package recovery

import "github.com/recourse-dev/recourse/core/classification"

// Remedy is what a person can do about a cause. The five never share words.
type Remedy string

// The remedies.
const (
	RemedyWait          Remedy = "wait"
	RemedyPay           Remedy = "pay"
	RemedyLogIn         Remedy = "log_in"
	RemedyFixInput      Remedy = "fix_input"
	RemedyAskMaintainer Remedy = "ask_maintainer"
)

// Remedies lists every remedy.
func Remedies() []Remedy {
	return []Remedy{RemedyWait, RemedyPay, RemedyLogIn, RemedyFixInput, RemedyAskMaintainer}
}

// Cause is what is fixed about a code whatever the context is.
type Cause struct {
	Code   classification.Code
	Remedy Remedy
	// Next is the exact action of a person when the code itself is what stops.
	Next NextStep
	// LongHorizon allows stated resets up to Settings.QuotaHintHorizon away.
	LongHorizon bool
	// LaunchBudget: a worker's host may not have been able to start the agent;
	// the worker pool tries that again on a budget of its own.
	LaunchBudget bool
}

// CauseOf gives the row of a code; a code without one is for a maintainer.
func CauseOf(code classification.Code) Cause {
	if row, ok := causeTable[code]; ok {
		row.Code = code
		return row
	}
	return Cause{Code: code, Remedy: RemedyAskMaintainer, Next: NextReport}
}

var causeTable = map[classification.Code]Cause{
	classification.NetworkUnavailable:     {Remedy: RemedyWait, Next: NextContinue},
	classification.ProviderOverloaded:     {Remedy: RemedyWait, Next: NextContinue},
	classification.ProviderUnavailable:    {Remedy: RemedyWait, Next: NextContinue},
	classification.ModelCapacity:          {Remedy: RemedyWait, Next: NextContinue},
	classification.RateLimited:            {Remedy: RemedyWait, Next: NextContinue},
	classification.AgentTransportLost:     {Remedy: RemedyAskMaintainer, Next: NextContinue},
	classification.QuotaLimited:           {Remedy: RemedyWait, Next: NextContinueWithWait, LongHorizon: true},
	classification.SubscriptionRequired:   {Remedy: RemedyPay, Next: NextPay},
	classification.AuthRequired:           {Remedy: RemedyLogIn, Next: NextLogIn},
	classification.MissingCredentials:     {Remedy: RemedyLogIn, Next: NextConfigureCredentials},
	classification.ModelUnavailable:       {Remedy: RemedyFixInput, Next: NextChooseModel},
	classification.ProviderNotConfigured:  {Remedy: RemedyFixInput, Next: NextConfigureProvider},
	classification.PermissionDeniedByUser: {Remedy: RemedyFixInput, Next: NextChangePermissions},
	classification.TaskError:              {Remedy: RemedyFixInput, Next: NextChangePrompt},
	classification.RepoError:              {Remedy: RemedyFixInput, Next: NextFixRepository},
	classification.AgentRuntimeError:      {Remedy: RemedyAskMaintainer, Next: NextCheckAgent, LaunchBudget: true},
	classification.UnknownProviderError:   {Remedy: RemedyAskMaintainer, Next: NextReport},
	classification.Unclassified:           {Remedy: RemedyAskMaintainer, Next: NextReport},
}
