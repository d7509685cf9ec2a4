package classify

import (
	"context"

	"google.golang.org/protobuf/proto"

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

// callBytes is how much one call to a server carries: half of what it takes
// unless it was told otherwise.
const callBytes = 512 << 10

// byServer lets a server name them, with as few calls as it takes.
func byServer(api *connection.API) namer {
	return func(ctx context.Context, cases []corpus.Case) (out []classification.Result, err error) {
		request := &v1.BatchClassifyFailuresRequest{WorkspaceId: api.WorkspaceID}
		size := 0
		send := func() error {
			answer, err := api.Classification.BatchClassifyFailures(ctx, request)
			if err != nil {
				return err
			}
			for _, c := range answer.GetClassifications() {
				out = append(out, wire.ClassificationBack(c))
			}
			request.Envelopes, size = nil, 0
			return nil
		}
		for _, k := range cases {
			envelope := wire.Envelope(k.Envelope())
			own := proto.Size(envelope)
			if size+own > callBytes && len(request.Envelopes) > 0 {
				if err := send(); err != nil {
					return nil, err
				}
			}
			request.Envelopes, size = append(request.Envelopes, envelope), size+own
		}
		if len(request.Envelopes) == 0 {
			return out, nil
		}
		err = send() // adds to out
		return out, err
	}
}
