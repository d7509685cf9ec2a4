package simulate

import (
	"fmt"
	"strconv"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// print shows a line for each failure and what all of them come to.
func print(inv *cli.Invocation, answer *v1.SimulatePolicyResponse) error {
	now := inv.Clock.Now()
	var rows [][]string
	for i, d := range answer.GetDecisions() {
		name, when := d.GetRunId(), ""
		if name == "" {
			name = "case " + strconv.Itoa(i+1)
		}
		if at := d.GetClassification().GetOccurredAt(); at != nil && d.GetDecided() != nil {
			when = wording.Ago(at.AsTime(), now)
		}
		rows = append(rows, []string{
			name, string(wire.CodeWord(d.GetClassification().GetCode())), fate(d.GetDecided()), fate(d.GetSimulated()), changed(d), when,
		})
	}
	if err := cli.PrintTable(inv.Out, []string{"RUN", "CODE", "DECIDED", "WOULD BE", "CHANGED", "FAILED"}, rows); err != nil {
		return err
	}
	t := answer.GetTotals()
	fmt.Fprintf(inv.Out, "%d failures: %d waited, %d retried, %d switched, %d parked, %d stopped; %d changed\n",
		t.GetFailures(), t.GetWaited(), t.GetRetried(), t.GetSwitched(), t.GetParked(), t.GetStopped(), t.GetChanged())
	if answer.GetMore() {
		fmt.Fprintln(inv.Err, "agentctl: older failures match too: raise --limit")
	}
	return nil
}

// fate is the action, and why when it leads to no attempt.
func fate(d *v1.Decision) string {
	if d == nil {
		return ""
	}
	text := string(wire.ActionWord(d.GetAction()))
	if d.GetAction() == v1.Action_ACTION_STOP || d.GetAction() == v1.Action_ACTION_PARK {
		text += ": " + d.GetReason()
	}
	return text
}

func changed(d *v1.SimulatedDecision) string {
	if d.GetDecided() != nil && d.GetDecided().GetAction() != d.GetSimulated().GetAction() {
		return "yes"
	}
	return ""
}
