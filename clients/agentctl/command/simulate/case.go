package simulate

import (
	"context"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// askAboutCases sends the cases in as few calls as it takes, and adds up what
// the server says.
func (o *options) askAboutCases(ctx context.Context, inv *cli.Invocation, api *connection.API, request *v1.SimulatePolicyRequest) (*v1.SimulatePolicyResponse, error) {
	in, closeInput, err := rulebook.Open(inv, o.cases)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	sum := &v1.SimulatePolicyResponse{Totals: &v1.SimulationTotals{}}
	batch := wire.Batch{Send: func(envelopes []*v1.EvidenceEnvelope) error {
		request.Cases = envelopes
		answer, err := api.Recovery.SimulatePolicy(ctx, request)
		if err == nil {
			sum.Decisions = append(sum.Decisions, answer.GetDecisions()...)
			add(sum.GetTotals(), answer.GetTotals())
		}
		return err
	}}
	err = corpus.Read(in, func(c corpus.Case) error { return batch.Add(c.Envelope()) })
	if err != nil {
		return nil, err
	}
	if err := batch.Flush(); err != nil {
		return nil, err
	}
	if sum.GetTotals().GetFailures() == 0 {
		return nil, cli.Failf(cli.Usage, "%s holds no case", o.cases)
	}
	return sum, nil
}

func add(sum, more *v1.SimulationTotals) {
	sum.Failures += more.GetFailures()
	sum.Waited += more.GetWaited()
	sum.Retried += more.GetRetried()
	sum.Switched += more.GetSwitched()
	sum.Parked += more.GetParked()
	sum.Stopped += more.GetStopped()
	sum.Changed += more.GetChanged()
}
