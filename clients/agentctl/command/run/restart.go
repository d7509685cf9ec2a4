package run

import (
	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// restart says how a person may go on with a wakeup that stopped: by the
// agent's own session, or by sending the prompt again. Neither is safe where
// the agent may have done something and nobody vouches for it.
func restart(state journal.State, plan adapter.Plan, replaySafe bool) (session string, safe bool) {
	switch {
	case state.Runs == 0:
		return state.Prompt.Session, true // what it was to begin with
	case state.Phase != journal.PhaseSending && state.Phase != journal.PhaseDelivered && idle(state):
		return "", true
	case state.Session != "" && plan.Resumable():
		return state.Session, true
	}
	return "", replaySafe
}

// idle says that the prompt is proved to have done nothing. A run that sent the
// continue or the fresh instruction proves nothing about the runs before it.
func idle(state journal.State) bool {
	if state.Send != journal.SendPrompt {
		return false
	}
	var report v1.EvidenceEnvelope
	if len(state.Last.Report) == 0 || wire.Parse(state.Last.Report, &report) != nil {
		return false
	}
	e := wire.EffectsBack(report.GetEffects())
	return e.AssistantOutput.Safe() && e.ToolActivity.Safe() && e.PartialResult.Safe() &&
		e.Delivery != evidence.DeliveryAmbiguous && report.GetPhase() != v1.Phase_PHASE_POST_OUTPUT
}

// needsPerson prints the three lines of a wakeup that nobody may repeat by
// itself, and how a person can.
func (s *starter) needsPerson(state journal.State, plan adapter.Plan) error {
	id := state.Prompt.WakeupID
	cause := "the last run may have done something, and its agent's session cannot be resumed"
	switch state.Phase {
	case journal.PhaseSending:
		cause = "agentctl died between the permission to send and the start of the agent: nobody knows whether it ran (ambiguous_delivery)"
	case journal.PhaseDelivered:
		cause = "agentctl died while the agent ran: how it ended is not known"
	}
	s.status.print("stopped: " + cause)
	s.status.print("until: a person has looked; it is never sent again by itself")
	s.status.print("next: look at what was done, as with git status; if sending the prompt again does no harm: agentctl run --replay-safe --continue " + id)
	s.status.bell()
	return cli.Exit(cli.Stopped)
}

// decision is the last decision of a wakeup.
func decision(state journal.State) recovery.Decision {
	var d v1.Decision
	if len(state.Decided.Decision) == 0 || wire.Parse(state.Decided.Decision, &d) != nil {
		return recovery.Decision{}
	}
	return wire.DecisionBack(&d)
}

// copyStdin gives the new wakeup the recorded input of the old one.
func copyStdin(from, to *journal.Entry) error {
	text, err := from.RecordedStdin()
	if err != nil || len(text) == 0 {
		return err
	}
	record, err := to.Stdin()
	if err != nil {
		return err
	}
	defer record.Close()
	if _, err := record.Write(text); err != nil {
		return err
	}
	if from.State().StdinWhole {
		return to.StdinWhole()
	}
	return nil
}
