package classify

import (
	"context"

	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// namer names the failures of cases, in their order.
type namer func(context.Context, []corpus.Case) ([]classification.Result, error)

// byRules names them on this host.
func byRules(c *classification.Classifier) namer {
	return func(_ context.Context, cases []corpus.Case) ([]classification.Result, error) {
		out := make([]classification.Result, len(cases))
		for i, k := range cases {
			out[i] = c.Classify(k.Envelope(), classification.Options{})
		}
		return out, nil
	}
}

// byServer lets a server name them, with as few calls as it takes.
func byServer(api *connection.API) namer {
	return func(ctx context.Context, cases []corpus.Case) (out []classification.Result, err error) {
		batch := wire.Batch{Send: func(envelopes []*v1.EvidenceEnvelope) error {
			answer, err := api.Classification.BatchClassifyFailures(ctx, &v1.BatchClassifyFailuresRequest{WorkspaceId: api.WorkspaceID, Envelopes: envelopes})
			for _, c := range answer.GetClassifications() {
				out = append(out, wire.ClassificationBack(c))
			}
			return err
		}}
		for _, k := range cases {
			if err := batch.Add(k.Envelope()); err != nil {
				return nil, err
			}
		}
		err = batch.Flush() // adds to out
		return out, err
	}
}
