package recovery

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// NextStep is the third line of a stop: what a person does next. Surfaces turn
// it into an exact command of their own.
type NextStep string

// The next steps.
const (
	NextNothing              NextStep = "nothing"               // it goes on by itself at Until.At
	NextContinue             NextStep = "continue"              // run it again through its wakeup
	NextContinueWithWait     NextStep = "continue_with_wait"    // the same, opting in to wait for the reset
	NextDeclareReplaySafe    NextStep = "declare_replay_safe"   // nothing was seen, nothing is proved: declare it repeatable or show the effects
	NextInspect              NextStep = "inspect"               // look at what was done, then resume or start fresh
	NextSeeCurrent           NextStep = "see_current"           // a newer prompt owns the session
	NextRaiseTimeLimit       NextStep = "raise_time_limit"      // max_run_duration ended it
	NextPay                  NextStep = "pay"                   // renew the plan or buy credit
	NextLogIn                NextStep = "log_in"                // renew the login
	NextConfigureCredentials NextStep = "configure_credentials" // give it a credential
	NextChooseModel          NextStep = "choose_model"
	NextConfigureProvider    NextStep = "configure_provider"
	NextChangePermissions    NextStep = "change_permissions"
	NextChangePrompt         NextStep = "change_prompt"
	NextFixRepository        NextStep = "fix_repository"
	NextCheckAgent           NextStep = "check_agent" // the CLI itself is missing, broken or was killed
	NextReport               NextStep = "report"      // show the evidence to a maintainer
)

// NextSteps lists every next step.
func NextSteps() []NextStep {
	return []NextStep{
		NextNothing, NextContinue, NextContinueWithWait, NextDeclareReplaySafe, NextInspect, NextSeeCurrent,
		NextRaiseTimeLimit, NextPay, NextLogIn, NextConfigureCredentials, NextChooseModel, NextConfigureProvider,
		NextChangePermissions, NextChangePrompt, NextFixRepository, NextCheckAgent, NextReport,
	}
}

// Summary is the data of the three lines that every stop prints: the cause,
// until when and who said so, and the next command. It is enums and
// parameters; each surface has its own words.
type Summary struct {
	Code     classification.Code
	Reason   Reason
	Provider string // safe label, "" if unknown
	Model    string // safe label, "" if unknown

	// Until is zero when nobody said until when.
	Until   time.Time
	Receipt Receipt

	Next   NextStep
	Remedy Remedy
	// Unproven and Observed name the effect flags that stood in the way, only
	// with effects_observed.
	Unproven []string
	Observed []string
}

// Summarise gives the three lines of a decision.
func Summarise(f Facts, r classification.Result, d Decision) Summary {
	s := Summary{
		Code: r.Code, Reason: d.Reason, Provider: r.Provider, Model: r.Model,
		Next: nextStep(f, d, CauseOf(r.Code)), Remedy: d.Remedy,
	}
	switch {
	case !d.RetryAt.IsZero():
		s.Until, s.Receipt = d.RetryAt, d.Receipt
	case !d.HintShown.IsZero():
		s.Until, s.Receipt = d.HintShown, d.Receipt
	}
	if d.Reason == Reason(StopEffectsObserved) {
		s.Unproven, s.Observed = Unproven(f.Effects), Observed(f.Effects)
	}
	return s
}

func nextStep(f Facts, d Decision, cause Cause) NextStep {
	if d.Automatic() || !d.RetryAt.IsZero() {
		return NextNothing
	}
	if d.ParkReason == ParkRecoveryOff || d.ParkReason == ParkBudgetExhausted {
		// A person has not allowed more, whatever the cause was: their word is enough.
		return NextContinue
	}
	switch d.Reason {
	case Reason(StopStaleGeneration), Reason(StopUncorrelated):
		return NextSeeCurrent
	case Reason(StopTimedOut):
		return NextRaiseTimeLimit
	case Reason(StopAmbiguousDelivery), Reason(StopTransportLostAfterStart):
		return NextInspect
	case Reason(StopEffectsObserved):
		if cause.Next == NextContinue || cause.Next == NextContinueWithWait {
			// Time alone would only lead to the same stop again.
			return afterEffects(f.Effects)
		}
		return cause.Next
	case ReasonPolicyInvalid, ReasonNoPolicyForCause:
		return NextReport
	default:
		return causeStep(d, cause)
	}
}

func causeStep(d Decision, cause Cause) NextStep {
	if cause.Next == NextContinueWithWait && d.HintShown.IsZero() {
		// Opting in to a wait helps only when somebody said until when.
		return NextContinue
	}
	return cause.Next
}

func afterEffects(e evidence.Effects) NextStep {
	if len(Observed(e)) == 0 && len(Unproven(e)) > 0 {
		return NextDeclareReplaySafe
	}
	return NextInspect
}
